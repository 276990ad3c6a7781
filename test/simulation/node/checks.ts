import { type BranchChecks, branchChecks } from './check-branches.js'
import { type EnactmentChecks, enactmentChecks } from './check-enactments.js'
import { type EventChecks, eventChecks } from './check-events.js'
import { type JobChecks, jobChecks } from './check-jobs.js'
import { type SyncChecks, syncChecks } from './check-sync.js'
import type { Objects } from './objects.js'
import type { Trace } from './trace.js'

/** The truth of one world, and what of RELIABILITY part 2 is held against it at each step. */
export interface Checks {
  readonly branches: BranchChecks
  readonly enactments: EnactmentChecks
  readonly events: EventChecks
  readonly jobs: JobChecks
  readonly sync: SyncChecks
}

export const openChecks = (objects: Objects, trace: Trace): Checks => {
  const enactments = enactmentChecks(objects, trace)
  const branches = branchChecks(objects, trace, enactments)
  return {
    branches,
    enactments,
    events: eventChecks(trace),
    jobs: jobChecks(trace),
    sync: syncChecks(objects, trace, branches.hadByOrigin),
  }
}
