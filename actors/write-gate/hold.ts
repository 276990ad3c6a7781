import { advance } from './advance.js'
import type { Hold } from './messages.js'
import type { GatePorts } from './ports.js'

/** Runs the work while the gate lands no write. Work that fails is a warning: its asker knows how it ended. */
export const hold = async (
  ports: GatePorts,
  { work }: Pick<Hold, 'work'>,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await work(move => advance(ports, move, signal), signal)
  } catch (error) {
    ports.warn('hold_failed', { error })
  }
}
