import { usePanel, usePanelTools } from '../context.ts'
import { formatNumber } from '../format.ts'
import { handlePanelKey } from '../keys.ts'
import { openTab, type TabName } from '../store.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { type Tab, Tabs } from '../ui/Tabs.tsx'
import { FoldsPane } from './FoldsPane.tsx'
import { Help } from './Help.tsx'
import { LiveSwitch } from './LiveSwitch.tsx'
import { MessagesPane } from './MessagesPane.tsx'
import { Meter } from './Meter.tsx'
import { Problems } from './Problems.tsx'
import { RequestsPane } from './RequestsPane.tsx'

/** Everything of a panel: the head that is always there, and the open tab. */
export function Frame() {
  const tools = usePanelTools()
  const { store } = tools
  const tab = usePanel((state) => state.tab)
  const search = usePanel((state) => state.search)
  const announcement = usePanel((state) => state.announcement)
  const tabs = useTabs()
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element must be one that can take the panel's keys
    <div
      className="panel"
      role="region"
      aria-label="dogear"
      onKeyDown={(event) => handlePanelKey(event, tools)}
    >
      <div className="head">
        <ConnectionStatus />
        <ErrorBoundary name="The meter">
          <Meter />
        </ErrorBoundary>
        <div className="head-end">
          {tab !== 'folds' && (
            <input
              type="search"
              aria-label={tab === 'messages' ? 'Search messages' : 'Search requests'}
              placeholder="Search  /"
              value={search}
              onChange={(event) => store.setState({ search: event.target.value })}
            />
          )}
          <LiveSwitch />
          <button type="button" aria-label="Keyboard help" onClick={() => store.setState({ helpOpen: true })}>
            ?
          </button>
        </div>
      </div>
      <Problems />
      <Tabs label="Views" tabs={tabs} selected={tab} onSelect={(next) => openTab(store, next)}>
        <ErrorBoundary key={tab} name="This view">
          {tab === 'requests' && <RequestsPane />}
          {tab === 'messages' && <MessagesPane />}
          {tab === 'folds' && <FoldsPane />}
        </ErrorBoundary>
      </Tabs>
      <Help />
      <p className="unseen" aria-live="polite">
        {announcement}
      </p>
    </div>
  )
}

function ConnectionStatus() {
  const connection = usePanel((state) => state.connection)
  const branchId = usePanel((state) => state.branchId)
  const words = { connecting: 'connecting', connected: 'connected', failed: 'not connected' }[connection.type]
  return (
    <p className={`connection connection-${connection.type}`}>
      <b title={branchId ?? undefined}>{branchId ?? 'dogear'}</b> <span className="quiet">{words}</span>
    </p>
  )
}

function useTabs(): readonly Tab<TabName>[] {
  const requests = usePanel(({ record }) => record.requests.length + record.requestsDropped)
  const refused = usePanel(
    ({ record }) => record.requests.filter(({ decision }) => decision.action === 'refuse').length,
  )
  const folds = usePanel(({ record }) => record.folds.length + record.foldsDropped)
  const entries = usePanel((state) => state.entries.total)
  return [
    {
      name: 'requests',
      label: (
        <>
          Requests <Count value={requests} />{' '}
          {refused > 0 && <span className="count count-refused">{refused} refused</span>}
        </>
      ),
    },
    {
      name: 'messages',
      label: (
        <>
          Messages <Count value={entries} />
        </>
      ),
    },
    {
      name: 'folds',
      label: (
        <>
          Folds <Count value={folds} />
        </>
      ),
    },
  ]
}

function Count({ value }: { readonly value: number | null }) {
  return value === null ? null : <span className="count">{formatNumber(value)}</span>
}
