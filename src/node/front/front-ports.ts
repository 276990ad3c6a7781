import type { FrontPorts } from '#actors/http-front.js'
import { type Front, startFront } from '#src/http/listener/front.js'
import type { FrontDeps } from '#src/http/routing/deps.js'
import { openWorkQueue } from '#src/kernel/time/work-queue.js'

export interface Listeners extends FrontPorts {
  /** Null while it is not listening. */
  readonly current: () => Front | null
}

const drainMs = 5_000

/**
 * Opens and closes the listeners for the actor. A restart binds the same ports, so that clients find the host
 * again. Calls run one after the other: a slow opening cannot leave a listener that is never closed.
 */
export const listeners = (
  deps: () => FrontDeps,
  ports: { readonly api: number; readonly ops: number },
): Listeners => {
  let front: Front | null = null
  let bound = { apiPort: ports.api, opsPort: ports.ops }
  const close = async (): Promise<void> => {
    const open = front
    front = null
    await open?.close(drainMs)
  }
  const reopen = async (): Promise<void> => {
    await close()
    front = await startFront(deps(), bound)
    bound = { apiPort: front.apiPort, opsPort: front.opsPort }
  }
  const inTurn = openWorkQueue()
  return {
    current: () => front,
    close: () => inTurn(close),
    open: () => inTurn(reopen),
  }
}
