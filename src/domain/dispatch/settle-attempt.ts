import type { CommitId } from '#protocol/atoms.js'
import {
  type DispatchAttempt,
  type DispatchEnd,
  type DispatchOutcome,
  InteractionId,
  type KeyedCommit,
} from '#protocol/chat/dispatch.js'

/** The next state of an interaction after an attempt. */
export type DispatchSettlement =
  | { readonly _tag: 'End'; readonly end: DispatchEnd }
  | {
      readonly _tag: 'Defer'
      readonly dueMs: number
      /** Whether the attempt counts against the most that are made. */
      readonly isCounted: boolean
      readonly reason: string
    }

/** The answer to the sender of an interaction that failed. */
export const failedAnswer = 'Nie udało się wykonać tego polecenia. Spróbuj ponownie za kilka minut.'

/** The end of an interaction whose last attempt was cut off by the end of the host; null for any other. */
export const findCutOff = (
  { attempt }: Pick<DispatchAttempt, 'attempt'>,
  attemptsMax: number,
): DispatchEnd | null =>
  attempt > attemptsMax
    ? { state: 'failed', reason: `the host ended during attempt ${attempt - 1}`, answer: failedAnswer }
    : null

/** Decides after an attempt: a failure is repeated behind a growing pause, up to `attemptsMax`, and then final. */
export const settleAttempt = (
  { attempt }: Pick<DispatchAttempt, 'attempt'>,
  outcome: DispatchOutcome,
  { attemptsMax, nowMs, chance }: SettleRules,
): DispatchSettlement => {
  switch (outcome._tag) {
    case 'Enacted':
      return { _tag: 'End', end: { state: 'enacted', reason: null, answer: outcome.answer } }
    case 'Refused':
      return { _tag: 'End', end: { state: 'refused', reason: outcome.reason, answer: outcome.answer } }
    case 'Held':
      return { _tag: 'Defer', dueMs: nowMs + heldMs, isCounted: false, reason: outcome.reason }
    case 'Failed':
      return attempt >= attemptsMax
        ? fail(outcome.reason)
        : {
            _tag: 'Defer',
            dueMs: nowMs + pauseMs(attempt, chance),
            isCounted: true,
            reason: outcome.reason,
          }
  }
}

/** The effects of interactions in the history of `tip`. */
export interface EffectIndex {
  readonly tip: CommitId
  /** The commit of each effect by the id of its interaction. */
  readonly commits: ReadonlyMap<string, CommitId>
  /** The greatest id that was left out; null where the index has every id. */
  readonly leftOut: string | null
}

/** The most ids of an index, about 2 MiB. */
export const indexedIdsMax = 10_000

/**
 * The index at `tip`: that of `base`, an ancestor of `tip` or null for none, and the commits which the
 * history of `base` does not have. Values that are no id are ignored. Of more than `idsMax` ids the greatest
 * stay: the ids of the platform grow with its own time, whatever the dates of the commits say.
 */
export const indexEffects = (
  tip: CommitId,
  base: EffectIndex | null,
  added: ReadonlyArray<KeyedCommit>,
  idsMax = indexedIdsMax,
): EffectIndex => {
  const commits = new Map(base?.commits)
  for (const { commit, keys } of added)
    for (const key of keys) if (InteractionId.is(key)) commits.set(key, commits.get(key) ?? commit)
  const leftOut = base?.leftOut ?? null
  if (commits.size <= idsMax) return { tip, commits, leftOut }
  const sorted = [...commits].sort(([a], [b]) => compareIds(b, a))
  return { tip, commits: new Map(sorted.slice(0, idsMax)), leftOut: sorted[idsMax]?.[0] ?? leftOut }
}

/** The commit of the effect; null where there is none; `LeftOut` where the index does not say. */
export const findIndexed = ({ commits, leftOut }: EffectIndex, id: string): CommitId | 'LeftOut' | null => {
  const commit = commits.get(id)
  if (commit !== undefined) return commit
  return leftOut !== null && compareIds(id, leftOut) <= 0 ? 'LeftOut' : null
}

interface SettleRules {
  readonly attemptsMax: number
  readonly nowMs: number
  /** In [0, 1): shortens the pause. */
  readonly chance: number
}

/** How long a held interaction waits before the next look. */
const heldMs = 5_000
const firstPauseMs = 1_000
const pauseMsMax = 60_000

/** The pause behind attempt number n, counted from 1: 1 s · 2^(n−1), at most a minute, less up to a half. */
const pauseMs = (attempt: number, chance: number): number =>
  Math.round(Math.min(firstPauseMs * 2 ** (attempt - 1), pauseMsMax) * (1 - chance / 2))

const fail = (reason: string): DispatchSettlement => ({
  _tag: 'End',
  end: { state: 'failed', reason, answer: failedAnswer },
})

/** Compares two ids as numbers. Negative: `a` is the smaller one. An id has no leading zeros. */
const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
