import { type Endpoint, type RehearsalModel, rehearsalKinds } from './endpoint.ts'

export interface EndpointChoiceProps {
  readonly endpoint: Endpoint
  readonly hasContextTool: boolean
  readonly isDisabled: boolean
  readonly onEndpoint: (endpoint: Endpoint) => void
  readonly onContextTool: (has: boolean) => void
}

const server: Endpoint = { type: 'server', url: 'https://api.openai.com/v1', model: 'gpt-5-mini', key: '' }

/** Who answers. A key stays in this page's memory, and is gone with it. */
export function EndpointChoice({
  endpoint,
  hasContextTool,
  isDisabled,
  onEndpoint,
  onContextTool,
}: EndpointChoiceProps) {
  return (
    <fieldset className="endpoint" disabled={isDisabled}>
      <legend className="unseen">Who answers</legend>
      <label>
        Model
        <select
          value={endpoint.type === 'server' ? 'server' : endpoint.model}
          onChange={({ target }) =>
            onEndpoint(
              target.value === 'server'
                ? server
                : { type: 'rehearsal', model: target.value as RehearsalModel },
            )
          }
        >
          {Object.entries(rehearsalKinds).map(([model, kind]) => (
            <option key={model} value={model}>
              played here: {kind}
            </option>
          ))}
          <option value="server">a server of yours</option>
        </select>
      </label>
      {endpoint.type === 'server' && (
        <>
          <label>
            Base URL
            <input
              type="url"
              value={endpoint.url}
              onChange={({ target }) => onEndpoint({ ...endpoint, url: target.value })}
            />
          </label>
          <label>
            Name
            <input
              value={endpoint.model}
              onChange={({ target }) => onEndpoint({ ...endpoint, model: target.value })}
            />
          </label>
          <label>
            Key
            {/* Without a value of React's, which would stand in the document as an attribute. */}
            <input
              type="password"
              autoComplete="off"
              onChange={({ target }) => onEndpoint({ ...endpoint, key: target.value })}
            />
          </label>
        </>
      )}
      <label>
        <input
          type="checkbox"
          checked={hasContextTool}
          onChange={({ target }) => onContextTool(target.checked)}
        />
        has the context tool
      </label>
    </fieldset>
  )
}
