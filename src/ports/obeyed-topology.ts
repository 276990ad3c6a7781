import type { ObeyedTopology } from '#protocol/fleet/peers.js'

/** The flip that this host obeyed last. It outlives the process. */
export interface ObeyedTopologyStore {
  /** Null where this host never obeyed one. */
  readonly find: () => ObeyedTopology | null
  /** On disk when it returns. Throws where the disk refuses. */
  readonly keep: (obeyed: ObeyedTopology) => void
}
