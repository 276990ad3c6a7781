import { isLeft, left } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import type { LandingFailure } from '#src/ports/landing.js'
import type { WriteFact } from './after-write.js'
import type { AttemptOutcome, SettledWrite } from './messages.js'
import { failureRefusal } from './refusals.js'

/** How often a batch is tried when the branch moved under it: each time a person or a converge was faster. */
export const triesMax = 6

/** The result of a batch: the settled writes, by their place in it. The others are planned again. */
export interface BatchEnd {
  readonly settled: ReadonlyArray<SettledWrite>
  readonly facts: ReadonlyArray<WriteFact>
  /** Why the landing failed, or why index and work tree are behind; null where neither is the case. */
  readonly failure: LandingFailure | null
}

/** What follows from one attempt at a batch. */
export type BatchDecision =
  | { readonly _tag: 'TryAgain' }
  /** The commits exist, and readers do not see them yet. */
  | { readonly _tag: 'Publish'; readonly commit: CommitId; readonly end: BatchEnd }
  | { readonly _tag: 'Answer'; readonly end: BatchEnd }

const refuseAll = (count: number, refusal: Refusal, failure: LandingFailure | null): BatchDecision => ({
  _tag: 'Answer',
  end: {
    settled: Array.from({ length: count }, (_, at) => ({ at, commit: null, outcome: left(refusal) })),
    facts: [],
    failure,
  },
})

/** Decides what follows from the `tries`-th attempt at a batch of `count` writes. */
export const decideBatch = (count: number, tries: number, outcome: AttemptOutcome): BatchDecision => {
  switch (outcome._tag) {
    case 'Refused':
      return refuseAll(count, outcome.refusal, null)
    case 'Failed':
      return outcome.failure._tag === 'Moved' && tries < triesMax
        ? { _tag: 'TryAgain' }
        : refuseAll(count, failureRefusal(outcome.failure), outcome.failure)
    case 'Settled': {
      const { settled, facts, unfinished: failure } = outcome
      const end = { settled, facts, failure }
      const last = settled.flatMap(({ commit }) => commit ?? []).at(-1)
      return last === undefined ? { _tag: 'Answer', end } : { _tag: 'Publish', commit: last, end }
    }
  }
}

/** The refusal for a commit that exists and is not served yet; the caller must not send the write again. */
const unseen = (commit: CommitId): Refusal =>
  refuse(
    'Overloaded',
    `The write succeeded as commit ${commit}, but is not served yet. Do not send it again.`,
  )

/** The end of a batch whose commits were not published in time. */
export const hideUnseen = (end: BatchEnd): BatchEnd => ({
  ...end,
  settled: end.settled.map(one =>
    one.commit === null ? one : { ...one, outcome: left(unseen(one.commit)) },
  ),
})

/** How many writes ended in which way. */
export const countResults = ({ settled, facts }: BatchEnd) => {
  const dropped = settled.filter(({ isDropped }) => isDropped === true).length
  const refused = settled.filter(({ outcome }) => isLeft(outcome)).length - dropped
  return {
    committed: facts.length,
    refused,
    unchanged: Math.max(0, settled.length - refused - dropped - facts.length),
    dropped,
  }
}
