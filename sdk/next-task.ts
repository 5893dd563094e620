/**
 * The next task of this thread, behind those that wait already. A message is not held back as timers are, and unlike
 * `scheduler.yield` it goes before nobody.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
