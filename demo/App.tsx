import { useCallback, useMemo } from 'react'
import { useStore } from 'zustand'
import { branchSource, DogearPanel } from '../panel/index.tsx'
import type { Dogear, Transcript } from '../sdk/index.ts'
import { FileButton } from './controls/FileButton.tsx'
import { PolicyControls } from './controls/PolicyControls.tsx'
import { Transport } from './controls/Transport.tsx'
import { Conversation } from './conversation/Conversation.tsx'
import { Problems } from './Problems.tsx'
import { Progress } from './Progress.tsx'
import type { Player } from './player/player.ts'
import { SiteHeader, useTheme } from './SiteHeader.tsx'
import { useFileDrop } from './use-file-drop.ts'
import { useTokenizerLoading } from './use-tokenizer-loading.ts'

export interface AppProps {
  readonly dogear: Dogear
  readonly player: Player
  readonly sample: { readonly title: string; readonly branchId: string }
  readonly onOpenSample: () => void
}

export function App({ dogear, player, sample, onOpenSample }: AppProps) {
  const state = useStore(player.store)
  const [theme, setTheme] = useTheme()
  const loading = useTokenizerLoading(dogear)
  const openFile = useCallback((file: File) => void player.openFile(file), [player])
  const isOver = useFileDrop(openFile)
  const { conversation } = state
  const branch = conversation?.branch
  const source = useMemo(() => branch && branchSource(dogear, branch), [dogear, branch])
  const isSample = branch?.id === sample.branchId

  return (
    <>
      <SiteHeader
        page="Player"
        tagline="Play a recorded conversation under an input ceiling, and watch dogear measure each request, fold what does not fit, and keep every original readable."
        theme={theme}
        onTheme={setTheme}
      />
      <main>
        <section className="player" aria-label="Player">
          <Transport player={player} state={state} isSample={isSample} />
          {conversation && (
            <PolicyControls
              key={`policy ${conversation.visit}`}
              policy={state.policy}
              problem={state.policyProblem}
              onChange={player.setPolicy}
            />
          )}
          <div className="file">
            <div>
              <h2>{conversation?.title}</h2>
              <p className="quiet">{factsOf(conversation?.transcript)}</p>
            </div>
            {conversation && !isSample && (
              <button type="button" onClick={onOpenSample}>
                Back to the sample
              </button>
            )}
            <FileButton onFile={openFile} />
          </div>
          <Progress state={state} loading={loading} />
          <Problems problems={state.problems} onDismiss={player.dismiss} />
          {conversation && (
            <Conversation
              key={`conversation ${conversation.visit}`}
              dogear={dogear}
              branch={conversation.branch}
              outcomes={state.outcomes}
              empty="Messages appear here as they are played. To play a conversation of your own, drop its file anywhere on this page: an OpenAI Chat body, an Anthropic Messages body or a Claude Code log. It stays in this browser."
            />
          )}
        </section>
        {source && <DogearPanel source={source} className="panel" {...(theme !== 'system' && { theme })} />}
      </main>
      <p className="unseen" role="status">
        {state.announcement}
      </p>
      {isOver && <p className="drop">Drop the transcript to open it</p>}
    </>
  )
}

const formatNames = { 'openai-chat': 'OpenAI Chat', anthropic: 'Anthropic Messages' } as const

function factsOf(transcript: Transcript | null | undefined): string {
  if (!transcript) return ''
  const { format, model, messages } = transcript
  return [`${messages.length} messages`, formatNames[format], model].filter(Boolean).join(' · ')
}
