import type { FleetState } from '#src/domain/fleet/fleet-state.js'

/** Returns the function that calls `onChange` where a state has another version of the topology than the last one. */
export const onTopology = (onChange: () => void): ((state: Pick<FleetState, 'fence'>) => void) => {
  let commit: string | null = null
  return ({ fence }) => {
    if (fence === null || fence.commit === commit) return
    commit = fence.commit
    onChange()
  }
}
