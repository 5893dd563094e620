import { untilAborted } from '../../until-aborted.ts'
import type { Provider } from './provider.ts'

/** A provider as the `fetch` of a client: nothing leaves the page, and an abort ends a request as the network's would. */
export function fetchFrom(provider: Provider): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    const response = await untilAborted(provider.fetch(request), signal)
    return new Response(response.body?.pipeThrough(new TransformStream(), { signal }) ?? null, response)
  }
}
