import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** What failed, as a person would name it. */
  readonly name: string
  readonly children: ReactNode
}

interface ErrorBoundaryState {
  readonly failure: string | null
}

/** Keeps a fault inside its pane: the rest of the panel and the app go on. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: null }

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failure: error instanceof Error ? error.message : String(error) }
  }

  override render(): ReactNode {
    if (this.state.failure === null) return this.props.children
    return (
      <div className="empty" role="alert">
        <p>{this.props.name} could not be shown. The app and the rest of the panel are untouched.</p>
        <p className="quiet">{this.state.failure}</p>
        <button type="button" onClick={() => this.setState({ failure: null })}>
          Show again
        </button>
      </div>
    )
  }
}
