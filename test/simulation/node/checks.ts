import { type AwardChecks, awardChecks } from './awards.js'
import { type BranchChecks, branchChecks } from './check-branches.js'
import { type EventChecks, eventChecks } from './check-events.js'
import { type JobChecks, jobChecks } from './check-jobs.js'
import { type SyncChecks, syncChecks } from './check-sync.js'
import type { Objects } from './objects.js'
import type { Trace } from './trace.js'

/** The truth of one world, and what of RELIABILITY part 2 is held against it at each step. */
export interface Checks {
  readonly awards: AwardChecks
  readonly branches: BranchChecks
  readonly events: EventChecks
  readonly jobs: JobChecks
  readonly sync: SyncChecks
}

export const openChecks = (objects: Objects, trace: Trace): Checks => {
  const awards = awardChecks(objects, trace)
  const branches = branchChecks(objects, trace, awards)
  return {
    awards,
    branches,
    events: eventChecks(trace),
    jobs: jobChecks(trace),
    sync: syncChecks(objects, trace, branches.hadByOrigin),
  }
}
