import type { RepositorySyncMessage } from '#actors/repository-sync/state.js'
import { refOf } from '#src/kernel/actor/ref.js'
import type { Kernel } from '#src/kernel/kernel.js'
import type { PeersPorts } from '#src/node/fleet/peers.js'
import { noMeter } from '#test/support/no-meter.js'

const ignore = (): void => undefined

/** What the watchers of a node need beside their host and their interval: nothing is written, and no converge runs. */
export const silentFleet = (kernel: Kernel): Omit<PeersPorts, 'host' | 'config'> => {
  const sync = refOf<RepositorySyncMessage>('sync', { deliver: () => 'gone', enquire: ignore })
  return {
    kernel,
    meter: noMeter,
    log: { info: ignore, warn: ignore, error: ignore },
    records: { publish: ignore },
    sync: () => sync,
    missed: ignore,
    cardRead: ignore,
  }
}
