import type { Flip } from '#protocol/fleet/takeover.js'
import type { TopologyFence } from '#src/domain/fleet/role.js'
import {
  cooldownOf,
  type MergedTakeover,
  type TakeoverCooldown,
} from '#src/domain/fleet/takeover-refusals.js'
import {
  assumeTakeover,
  branchOfFlip,
  type CooldownWord,
  findMergedTakeover,
} from '#src/domain/fleet/takeover-run.js'
import type { ForgePort } from '#src/ports/forge.js'
import type { TakeoverGit } from '#src/ports/git.js'

/** How long the date of the forge may be old while a cooldown runs. */
const freshMs = 300_000
const callLimitMs = 20_000

export interface CooldownSetup {
  /** Receives why git could not read a version; the cooldown stays as it is until the next look. */
  readonly onUnread: (error: unknown) => void
  readonly readFlip: TakeoverGit['readFlip']
  /** Null where the host has no forge. */
  readonly forge: ForgePort | null
  readonly cooldownHours: number
  /** Wall time, used until the forge has answered. */
  readonly nowMs: () => number
  readonly monotonicMs: () => number
}

/** What is known of the flip that made a version of the topology. */
interface Origin {
  readonly fenceCommit: string
  readonly takeover: MergedTakeover | null
  /** Whether the forge said so. */
  readonly isSure: boolean
}

/** The cooldown of takeovers, cached: rows read it, and the actuator refreshes it. */
export interface CooldownCache {
  /** Null off the fleet and without a cooldown. A version that was not looked at yet counts as just taken over. */
  readonly current: (fence: TopologyFence | null) => TakeoverCooldown | null
  /** Looks at a new version of the topology, and asks the forge where its word is missing or old. */
  readonly refresh: (fence: TopologyFence | null, signal: AbortSignal) => Promise<void>
  /** Asks the forge where its word is missing or old, and says what it said: a commit's date does not count (S7). */
  readonly ask: (fence: TopologyFence, signal: AbortSignal) => Promise<CooldownWord>
  /** Remembers the clock of the forge from an answer. */
  readonly sawDate: (dateMs: number | null) => void
}

/** Undefined where git failed: the version is looked at again, and counts as just taken over until then. */
const flipReader =
  ({ readFlip, onUnread }: CooldownSetup) =>
  async (commit: string): Promise<Flip | null | undefined> => {
    try {
      return await readFlip(commit)
    } catch (error) {
      onUnread(error)
      return undefined
    }
  }

/** The takeover that made a flip, by the forge; undefined where it did not say. */
const findTakeover = async (
  forge: ForgePort,
  flip: Flip | null,
  fenceCommit: string,
  signal: AbortSignal,
): Promise<{ takeover: MergedTakeover | null | undefined; dateMs: number | null; isDenied: boolean }> => {
  if (flip === null) return { takeover: null, dateMs: null, isDenied: false }
  const call = { _tag: 'ListRequests', sourceBranch: branchOfFlip(flip) } as const
  const { outcome, dateMs } = await forge(call, callLimitMs, signal)
  const isListed = outcome._tag === 'Requests'
  return {
    takeover: isListed ? findMergedTakeover(flip, fenceCommit, outcome.requests) : undefined,
    dateMs,
    isDenied: outcome._tag === 'Denied' || outcome._tag === 'Missing',
  }
}

/** Creates the cache. Its clock is the last `Date` of the forge; a step of this host's clock does not move it (S7). */
export const openCooldown = (setup: CooldownSetup): CooldownCache => {
  const { forge, cooldownHours, nowMs, monotonicMs } = setup
  const readFlip = flipReader(setup)
  let dateMs: number | null = null
  let askedAtMs: number | null = null
  let origin: Origin | null = null

  const cooldownBy = (takeover: MergedTakeover | null): TakeoverCooldown | null =>
    cooldownOf(takeover, cooldownHours, dateMs ?? nowMs())
  const isFresh = (): boolean => askedAtMs !== null && monotonicMs() - askedAtMs < freshMs

  /** Asks the forge about a version. Returns whether another call is useless, as without access. */
  const askForge = async (known: Origin, signal: AbortSignal): Promise<boolean> => {
    if (forge === null) return true
    const flip = await readFlip(known.fenceCommit)
    if (flip === undefined) return false
    askedAtMs = monotonicMs()
    const found = await findTakeover(forge, flip, known.fenceCommit, signal)
    if (found.dateMs !== null) dateMs = found.dateMs
    const { takeover } = found
    if (takeover !== undefined) origin = { ...known, takeover, isSure: true }
    return found.isDenied
  }

  /** What is known of the version, after a look at it where it is new; null where git could not read it. */
  const look = async (fence: TopologyFence): Promise<Origin | null> => {
    if (origin?.fenceCommit === fence.commit) return origin
    const flip = await readFlip(fence.commit)
    if (flip === undefined) return null
    const takeover = flip === null ? null : assumeTakeover(flip)
    origin = { fenceCommit: fence.commit, takeover, isSure: false }
    askedAtMs = null
    return origin
  }

  return {
    current: fence => {
      if (fence === null) return null
      if (origin?.fenceCommit === fence.commit) return cooldownBy(origin.takeover)
      return cooldownBy({ mrIid: null, mrUrl: null, mergedAtMs: dateMs ?? nowMs() })
    },
    refresh: async (fence, signal) => {
      const known = fence === null ? null : await look(fence)
      if (known === null || isFresh()) return
      if (!known.isSure || cooldownBy(known.takeover) !== null) await askForge(known, signal)
    },
    ask: async (fence, signal) => {
      const known = await look(fence)
      if (known === null) return 'unknown'
      const isOld = !isFresh() && cooldownBy(known.takeover) !== null
      if ((!known.isSure || isOld) && (await askForge(known, signal))) return 'refused'
      if (origin?.fenceCommit !== fence.commit || !origin.isSure) return 'unknown'
      return cooldownBy(origin.takeover) === null ? 'over' : 'runs'
    },
    sawDate: seenMs => {
      if (seenMs !== null) dateMs = seenMs
    },
  }
}
