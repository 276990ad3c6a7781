import { CommitId } from '#protocol/atoms.js'
import type { TakeoverJob } from '#protocol/fleet/takeover.js'
import type { ForgeCall } from '#protocol/host/forge.js'
import type { Trace } from '#test/simulation/node/trace.js'
import type { FleetMember } from '../fleet-host.js'
import type { FleetHistory } from '../model/fleet-history.js'
import { readPlainTopology } from '../model/topology-files.js'

/** The probes that a takeover makes before it acts, held against docs/spec/fleet.md#takeover, steps 2 and 4. */
export interface LastProbeChecks {
  /** The host begins to work on a job; a probe from before does not count. */
  readonly begins: (host: FleetMember) => void
  /** A probe of the host ended. */
  readonly probed: (host: FleetMember, town: string, isAnswered: boolean) => void
  /** The host calls the forge for this job. */
  readonly calls: (host: FleetMember, call: ForgeCall, job: TakeoverJob) => void
}

/** When a probe of a town was last answered, and when it last failed, in the time that the host ran. */
interface Probed {
  readonly answeredMs: number | null
  readonly failedMs: number | null
}

/** A probe and the merge after it are one call apart. */
const mergeWithinMs = 5_000

export const lastProbeChecks = ({
  trace: { violation },
  history,
}: {
  readonly trace: Trace
  readonly history: FleetHistory
}): LastProbeChecks => {
  const probes = new Map<string, Map<string, Probed>>()
  const ofHost = ({ name }: FleetMember): Map<string, Probed> => {
    const known = probes.get(name) ?? new Map<string, Probed>()
    probes.set(name, known)
    return known
  }

  /** Before a host opens a request it has asked the apex, which was silent. */
  const checkApex = (host: FleetMember, { id, apex, isForced, fence }: TakeoverJob): void => {
    const commit = CommitId.is(fence.commit) ? fence.commit : null
    const file = commit === null ? null : readPlainTopology(history.textAt(commit))
    if (isForced || apex === host.name || file?.towns[apex]?.steppingDown === true) return
    if ((ofHost(host).get(apex)?.failedMs ?? null) === null)
      violation(`${host.name} opens the request of ${id} and has not probed ${apex} in the job (S4)`)
  }

  /** Before the call that merges, another town that the branch names has answered. */
  const checkNamed = (host: FleetMember, sha: string, { id }: TakeoverJob): void => {
    const town = CommitId.is(sha) ? readPlainTopology(history.textAt(sha))?.apex : undefined
    if (town === undefined || town === host.name) return
    const answeredMs = ofHost(host).get(town)?.answeredMs ?? Number.NEGATIVE_INFINITY
    if (host.clock.ranMs() - answeredMs > mergeWithinMs)
      violation(`${host.name} merges for ${id} and has not just probed ${town}, which the branch names (S4)`)
  }

  return {
    begins: host => void probes.delete(host.name),
    probed: (host, town, isAnswered) => {
      const { answeredMs = null, failedMs = null } = ofHost(host).get(town) ?? {}
      const nowMs = host.clock.ranMs()
      ofHost(host).set(town, isAnswered ? { answeredMs: nowMs, failedMs } : { answeredMs, failedMs: nowMs })
    },
    calls: (host, call, job) => {
      if (call._tag === 'OpenRequest') checkApex(host, job)
      if (call._tag === 'MergeRequest') checkNamed(host, call.sha, job)
    },
  }
}
