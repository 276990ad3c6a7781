import type { TopologyFence } from '#src/domain/fleet/role.js'
import type {
  CooldownWord,
  TakeoverAction,
  TakeoverOutcome,
  TownProbe,
} from '#src/domain/fleet/takeover-run.js'
import type { ForgePort } from '#src/ports/forge.js'
import type { RemoteFailure, TakeoverGit } from '#src/ports/git.js'

/** What the actions of a takeover are carried out with. */
export interface ActionPorts {
  readonly git: Pick<TakeoverGit, 'fetch' | 'push'>
  readonly forge: ForgePort
  /** The towns that are eligible and seen alive, by this host's records. */
  readonly candidates: () => ReadonlyArray<string>
  /** What the forge says of the cooldown that this version of the topology began. */
  readonly askCooldown: (fence: TopologyFence, signal: AbortSignal) => Promise<CooldownWord>
  readonly probeTown: (town: string, signal: AbortSignal) => Promise<TownProbe>
  /** Converges now. A failure is left to the next converge. */
  readonly converge: (signal: AbortSignal) => Promise<void>
}

const callLimitMs = 20_000

/** Whether a repetition cannot help within the time of a job. */
const isFinal = ({ action }: RemoteFailure): boolean =>
  action === 'auth_failed' || action === 'transport_refused'

const fetchFleet = async (
  { git, candidates, askCooldown }: ActionPorts,
  claimBranch: string,
  signal: AbortSignal,
): Promise<TakeoverOutcome> => {
  const fetched = await git.fetch(claimBranch, signal)
  if (fetched._tag === 'Failed')
    return { _tag: 'FetchFailed', detail: fetched.detail, isFinal: isFinal(fetched) }
  const { branch, tip, topology, claim } = fetched
  const cooldown = topology === null ? 'unknown' : await askCooldown(topology.fence, signal)
  return { _tag: 'Fetched', found: { branch, tip, topology, claim, candidates: candidates(), cooldown } }
}

const pushClaim = async (
  { git }: ActionPorts,
  { claim }: Extract<TakeoverAction, { _tag: 'PushClaim' }>,
  signal: AbortSignal,
): Promise<TakeoverOutcome> => {
  const made = await git.push(claim, signal)
  if ('_tag' in made) return { _tag: 'PushFailed', detail: made.detail, isFinal: false }
  const { commit, pushed } = made
  switch (pushed._tag) {
    case 'Pushed':
      return { _tag: 'Pushed', commit }
    case 'Behind':
      return { _tag: 'Beaten' }
    case 'Unknown':
      return { _tag: 'PushUnknown', detail: pushed.detail }
    case 'Failed': {
      const isRefused = pushed.action === 'push_rejected' || isFinal(pushed)
      return { _tag: 'PushFailed', detail: pushed.detail, isFinal: isRefused }
    }
  }
}

/** Carries out one action of a takeover. Never rejects unless a port does. */
export const performAction = async (
  ports: ActionPorts,
  action: TakeoverAction,
  signal: AbortSignal,
): Promise<TakeoverOutcome> => {
  switch (action._tag) {
    case 'Fetch':
      return fetchFleet(ports, action.claimBranch, signal)
    case 'ProbeTown':
      return { _tag: 'Probed', result: await ports.probeTown(action.town, signal) }
    case 'PushClaim':
      return pushClaim(ports, action, signal)
    case 'CallForge': {
      const { outcome } = await ports.forge(action.call, callLimitMs, signal)
      return { _tag: 'Answered', outcome }
    }
    case 'Converge':
      await ports.converge(signal)
      return { _tag: 'Converged' }
  }
}
