import type { KernelClock } from '../time/clock.js'
import { type Ref, tell } from './ref.js'

/** How long a sender waits for room in a full mailbox. */
const fullMs = 100

/**
 * Sends a message whose loss would block the actor: while the mailbox is full, again every 100 ms. Resolves with false
 * where the actor is gone. Never rejects.
 */
export const tellWhenRoom = async <M>(
  ref: Ref<M>,
  message: NoInfer<M>,
  clock: Pick<KernelClock, 'after'>,
): Promise<boolean> => {
  let outcome = tell(ref, message)
  while (outcome === 'full') {
    await new Promise<void>(resolve => clock.after(fullMs, resolve))
    outcome = tell(ref, message)
  }
  return outcome === 'accepted'
}
