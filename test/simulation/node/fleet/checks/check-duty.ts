import type { CommitId } from '#protocol/atoms.js'
import type { TopologyFence } from '#src/domain/fleet/role.js'
import type { Trace } from '#test/simulation/node/trace.js'
import type { FleetMember } from '../fleet-host.js'
import type { FleetHistory } from '../model/fleet-history.js'
import { readPlainTopology } from '../model/topology-files.js'
import type { RoleChecks } from './check-roles.js'

/** The counter that only the apex may raise, held against S2. */
export interface DutyChecks {
  readonly plans: (host: FleetMember) => void
  /** A count is pushed: on a commit that the host had fetched, by a plan that was made under a fence. */
  readonly pushes: (host: FleetMember, base: CommitId, planned: TopologyFence) => void
  /** It is in the published branch. */
  readonly landed: (host: FleetMember, base: CommitId, planned: TopologyFence) => void
  readonly count: () => number
}

export const dutyChecks = (trace: Trace, history: FleetHistory, roles: RoleChecks): DutyChecks => {
  const { violation, say } = trace
  let count = 0
  return {
    plans: host => roles.acts(host, 'plans a duty'),
    pushes: (host, base, planned) => {
      roles.acts(host, 'pushes a duty')
      if (history.lastChange(base) !== planned.commit)
        violation(`${host.name} pushes a duty behind a flip that it had fetched (S2)`)
    },
    landed: (host, base, planned) => {
      count += 1
      const apex = readPlainTopology(history.textAt(base))?.apex
      say(`${host.name} counts under ${planned.commit.slice(0, 8)}`)
      if (apex !== host.name) violation(`${host.name} counts in a fleet of ${apex} (S2)`)
    },
    count: () => count,
  }
}
