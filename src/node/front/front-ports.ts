import type { FrontPorts } from '#actors/http-front.js'
import { type Front, startFront } from '#src/http/listener/front.js'
import type { FrontDeps } from '#src/http/routing/deps.js'
import { openWorkQueue } from '#src/kernel/time/work-queue.js'

export interface Listeners extends FrontPorts {
  /** Null while nothing listens. */
  readonly current: () => Front | null
}

const drainMs = 5_000

/**
 * The listeners as the actor opens and closes them; a restart binds the ports of before, so that clients find it again.
 * Openings and closings go one after the other: an opening that was slow cannot leave a listener that nobody closes.
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
