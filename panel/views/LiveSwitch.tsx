import { usePanel, usePanelTools } from '../context.ts'
import { goLive } from '../store.ts'

/** Follows the newest request, or says which one is looked at instead. */
export function LiveSwitch() {
  const { store } = usePanelTools()
  const viewed = usePanel((state) => state.viewedRequest)
  const number = usePanel(({ record, viewedRequest }) => {
    const at = record.requests.findIndex(({ key }) => key === viewedRequest)
    return at === -1 ? null : record.requestsDropped + at + 1
  })
  return (
    <button
      type="button"
      className={viewed === null ? 'live' : 'live live-left'}
      aria-pressed={viewed === null}
      title={viewed === null ? 'The newest request is shown' : 'Back to the newest request (l)'}
      onClick={() => goLive(store)}
    >
      {viewed === null || number === null ? 'Live' : `Viewing #${number}`}
    </button>
  )
}
