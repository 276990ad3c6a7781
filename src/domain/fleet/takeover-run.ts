import type { FleetMonitor } from '#protocol/fleet/monitor.js'
import type {
  ClaimCommit,
  FetchedClaim,
  FetchedClaims,
  Flip,
  TakeoverFailure,
  TakeoverJob,
} from '#protocol/fleet/takeover.js'
import type { ForgeCall, ForgeOutcome, ForgeRequest } from '#protocol/host/forge.js'
import type { RequestClosing, RequestMerge } from '#src/domain/forge/merge-request.js'
import { escapeMarkdown, isOfOtherVersion, versionLineOf } from '#src/domain/forge/wire.js'
import { type FleetView, ineligibilitiesOf, noTownView } from './candidates.js'
import { takeoverBranch } from './role.js'
import type { MergedTakeover } from './takeover-refusals.js'
import { flipTopology, topologyFileOf } from './topology.js'

/** The work of a job ends after this time; a minute is left to close its request. */
export const workMs = 540_000
export const closingMs = 60_000

export interface FailedTakeover {
  readonly failure: TakeoverFailure
  readonly detail: string
}

export type TakeoverEnd =
  /** A request for this version of the topology is merged. */
  | { readonly _tag: 'Done'; readonly request: ForgeRequest }
  /** `iid`: the last known request. `owesClosing`: it may be open still, and is to be closed later. */
  | (FailedTakeover & {
      readonly _tag: 'Failed'
      readonly iid: number | null
      readonly owesClosing: boolean
    })

/** The action under way, with what it needs. */
export type TakeoverPhase =
  | { readonly _tag: 'Looking' }
  | { readonly _tag: 'Probing'; readonly town: string; readonly found: FetchedFleet }
  | { readonly _tag: 'Claiming'; readonly found: FetchedFleet; readonly claim: ClaimCommit }
  /** `town`: the one that the branch makes the apex; `hasAnswered`: it answered a probe for the call that is next. */
  | {
      readonly _tag: 'Merging'
      readonly merge: RequestMerge
      readonly town: string
      readonly hasAnswered: boolean
    }
  | { readonly _tag: 'Converging'; readonly request: ForgeRequest }
  /** Looks for the open request of a failed job. */
  | { readonly _tag: 'Finding'; readonly failed: FailedTakeover; readonly failures: number }
  | { readonly _tag: 'Closing'; readonly failed: FailedTakeover; readonly closing: RequestClosing }

/** A job as it is worked on. */
export interface TakeoverRun {
  readonly job: TakeoverJob
  /** The town of this host. */
  readonly self: string
  readonly phase: TakeoverPhase
  /** On the monotonic clock. No action but those of a closing begins at or after it. */
  readonly deadlineAtMs: number
  /** The request of this job, as soon as it is known. */
  readonly iid: number | null
  /** Whether this host may have opened or adopted a request. */
  readonly mayHaveRequest: boolean
  readonly hasProbed: boolean
  /** The town that the branch named and that did not answer; it is no candidate of this job any more. */
  readonly silentTown: string | null
  /** When the topology was last read from the remote, on the monotonic clock. */
  readonly fetchedAtMs: number
  /** Actions that failed and are repeated. */
  readonly failures: number
}

/** The next action, to be begun after a wait; or the end. */
export type TakeoverStep =
  | { readonly _tag: 'Do'; readonly afterMs: number; readonly run: TakeoverRun }
  | { readonly _tag: 'End'; readonly end: TakeoverEnd }

export interface MonotonicNow {
  readonly monotonicMs: number
}

/** The action that is under way. */
export const actionOf = ({ job, self, phase }: TakeoverRun): TakeoverAction => {
  switch (phase._tag) {
    case 'Looking':
      return { _tag: 'Fetch', claimBranch: branchOfJob(job) }
    case 'Probing':
      return { _tag: 'ProbeTown', town: phase.town }
    case 'Claiming':
      return { _tag: 'PushClaim', claim: phase.claim }
    case 'Merging':
      return needsAnswer(phase, self) ? { _tag: 'ProbeTown', town: phase.town } : call(phase.merge.call)
    case 'Converging':
      return { _tag: 'Converge' }
    case 'Finding':
      return call({ _tag: 'ListRequests', sourceBranch: branchOfJob(job) })
    case 'Closing':
      return call(phase.closing.call)
  }
}

/** The branch of a job, which is the same on every host that accepts one for this version of the file. */
export const branchOfJob = ({ term, fence }: TakeoverJob): string => takeoverBranch(term, fence)

export const takeoverTrailer = 'Svc-Takeover'

export const requestTitle = ({ town, apex }: TakeoverJob): string => `Fleet: ${town} takes over from ${apex}`

/** The description of the request: the reason, the evidence, and the version of the topology. */
export const requestDescription = ({ reason, evidence, fence }: TakeoverJob): string =>
  [`Reason: ${escapeMarkdown(reason)}`, evidence, versionLineOf(fence.commit)]
    .filter(part => part !== '')
    .join('\n\n')

/** What the forge said of the cooldown. `unknown`: nothing yet. `refused`: it denies this host its requests. */
export type CooldownWord = 'over' | 'runs' | 'unknown' | 'refused'

/** The remote after a fetch, and the towns as this host sees them at that moment. */
export interface FetchedFleet extends Omit<FetchedClaims, '_tag'> {
  /** The towns that are eligible and seen alive. */
  readonly candidates: ReadonlyArray<string>
  readonly cooldown: CooldownWord
}

/** One effect of a takeover. Each can be repeated: it first meets what an earlier attempt did. */
export type TakeoverAction =
  | { readonly _tag: 'Fetch'; readonly claimBranch: string }
  /** Asks the apex, or the town that is about to become it, for its card. */
  | { readonly _tag: 'ProbeTown'; readonly town: string }
  | { readonly _tag: 'PushClaim'; readonly claim: ClaimCommit }
  | { readonly _tag: 'CallForge'; readonly call: ForgeCall }
  | { readonly _tag: 'Converge' }

export type TownProbe = 'answers' | 'silent' | 'not_sent'

/**
 * What an action brings. `Beaten`: the branch has another commit, and nothing was pushed. `PushUnknown`: the push
 * may have arrived. `isFinal`: a repetition cannot help, such as without access.
 */
export type TakeoverOutcome =
  | { readonly _tag: 'Fetched'; readonly found: FetchedFleet }
  | { readonly _tag: 'FetchFailed'; readonly detail: string; readonly isFinal: boolean }
  | { readonly _tag: 'Probed'; readonly result: TownProbe }
  | { readonly _tag: 'Pushed'; readonly commit: string }
  | { readonly _tag: 'Beaten' }
  | { readonly _tag: 'PushUnknown'; readonly detail: string }
  | { readonly _tag: 'PushFailed'; readonly detail: string; readonly isFinal: boolean }
  | { readonly _tag: 'Answered'; readonly outcome: ForgeOutcome }
  | { readonly _tag: 'Converged' }

/** What a host knows of each town when it accepts a takeover, as a list in Markdown. */
export const describeEvidence = (
  fleet: FleetView,
  monitor: Pick<FleetMonitor, 'document' | 'stale'>,
  self: string,
  actor: string,
): string => {
  const rows = [...fleet.topology.towns.keys()].sort().map(town => {
    const { isReachable, consecutiveMisses, syncAgeMinutes } = fleet.views.get(town) ?? noTownView
    const reasons = ineligibilitiesOf(fleet, town)
    const seen = isReachable === null ? 'not observed' : isReachable ? 'reachable' : 'unreachable'
    const verdict = reasons.length === 0 ? 'can be the apex' : reasons.join(', ')
    return `- ${town}: ${seen}, ${consecutiveMisses} failed probes in a row, ${minutesOf(syncAgeMinutes)}; ${verdict}`
  })
  const head = `Requested on ${self} by ${actor}. The records of ${self}:`
  return [head, '', ...rows, ...describeMonitor(fleet, monitor)].join('\n')
}

/** The branch that a takeover of the version before the flip has. */
export const branchOfFlip = ({ before: { commit, term, blob } }: Flip): string =>
  takeoverBranch(term, { commit, blob })

/**
 * The takeover that made the flip, by the requests of its branch; null where a person made it. A request that merged
 * this commit made it, also where the commit was made for an earlier version with the same file.
 */
export const findMergedTakeover = (
  { before }: Flip,
  flipCommit: string,
  requests: ReadonlyArray<ForgeRequest>,
): MergedTakeover | null => {
  const done = requests.filter(({ state }) => state === 'merged')
  const merged =
    done.find(({ sha }) => sha === flipCommit) ??
    done.find(({ description }) => !isOfOtherVersion(description, before.commit))
  if (merged === undefined || merged.mergedAtMs === null) return null
  return { mrIid: merged.iid, mrUrl: merged.url, mergedAtMs: merged.mergedAtMs }
}

/** The takeover that made the flip, before the forge has answered in this boot: by the commit alone. */
export const assumeTakeover = ({ isTakeover, dateMs }: Flip): MergedTakeover | null =>
  isTakeover ? { mrIid: null, mrUrl: null, mergedAtMs: dateMs } : null

/**
 * Decides what the branch of the takeover needs: nothing where it names a town that is eligible and alive, else a
 * commit that names the town of the job. That commit is a child of the branch, so its push is a fast-forward and
 * the request stays the same. The file is flipped from the version of the fence, so the term rises once.
 */
export const decideClaim = (job: TakeoverJob, found: FetchedFleet): ClaimDecision => {
  const { claim, tip } = found
  if (claim === null || claim.isMerged) return pushOn(tip, job, found)
  if (!claim.isPlain) return { _tag: 'Foreign' }
  const town = townToFinish(claim, job, found)
  return town === null ? pushOn(claim.commit, job, found) : { _tag: 'Adopt', commit: claim.commit, town }
}

const call = (what: ForgeCall): TakeoverAction => ({ _tag: 'CallForge', call: what })

/** Whether another town would become the apex by the call that is next, and has not been probed for it. */
const needsAnswer = (
  { merge, town, hasAnswered }: Extract<TakeoverPhase, { _tag: 'Merging' }>,
  self: string,
): boolean => merge.call._tag === 'MergeRequest' && town !== self && !hasAnswered

/**
 * The message of a commit that makes a town the apex. It has nothing of the host that makes it, so that all hosts
 * make the same commit.
 */
const claimMessage = (job: TakeoverJob): string =>
  [
    `fleet: ${job.town} takes over from ${job.apex}`,
    '',
    `${takeoverTrailer}: ${branchOfJob(job)}`,
    'Svc-Actor: machine',
    'Svc-Route: POST /fleet/takeover',
    '',
  ].join('\n')

const minutesOf = (minutes: number | null): string =>
  minutes === null ? 'sync age unknown' : `sync ${Math.round(minutes)} min old`

/** What the outside monitor says of the towns of the topology; nothing without its document. */
const describeMonitor = (
  { topology }: FleetView,
  { document, stale }: Pick<FleetMonitor, 'document' | 'stale'>,
): ReadonlyArray<string> => {
  const seen = (document?.towns ?? []).filter(({ town }) => topology.towns.has(town))
  if (document === null || seen.length === 0) return []
  const age = stale ? ', which is stale' : ''
  const says = seen.map(({ town, reachable }) => `${town} ${reachable ? 'reachable' : 'unreachable'}`)
  return ['', `The outside monitor at ${document.generatedUtc}${age}: ${says.join(', ')}.`]
}

type ClaimDecision =
  /** The branch names a town that can be the apex: its request is merged as it is. */
  | { readonly _tag: 'Adopt'; readonly commit: string; readonly town: string }
  | { readonly _tag: 'Push'; readonly claim: ClaimCommit }
  | { readonly _tag: 'Foreign' }
  /** The file does not list the town of the job, or could not be read after a flip. */
  | { readonly _tag: 'Unlisted' }

const pushOn = (parent: string, job: TakeoverJob, found: FetchedFleet): ClaimDecision => {
  const { topology } = found
  const file = topology === null ? null : topologyFileOf(topology.text, topology.fence.blob)
  const text = file === null ? null : flipTopology(file, job.town)
  if (text === null) return { _tag: 'Unlisted' }
  return { _tag: 'Push', claim: { branch: branchOfJob(job), parent, text, message: claimMessage(job) } }
}

/** The town that the branch names, if it can become the apex; else null. */
const townToFinish = (
  { apex }: FetchedClaim,
  job: TakeoverJob,
  { candidates }: FetchedFleet,
): string | null => (apex !== null && (apex === job.town || candidates.includes(apex)) ? apex : null)
