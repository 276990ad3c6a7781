import { deepEqual } from 'node:assert/strict'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import type { LandingFailure } from '#src/ports/landing.js'
import { testCommand, writeOf } from '#test/support/commands.js'
import { commitId } from '#test/support/commit-id.js'
import { type BatchEnd, countResults, decideBatch, hideUnseen, triesMax } from './land-batch.js'
import type { AttemptOutcome, Write, WriteOutcome } from './messages.js'
import type { WriteFact } from './plan-on.js'
import type { State } from './state.js'
import { writeGate } from './write-gate.js'

const commit = commitId('c'.repeat(40))
const written: WriteOutcome = right({ status: null, body: {}, commit })
const failAttempt = (failure: LandingFailure): AttemptOutcome => ({
  _tag: 'Failed',
  failure,
  tree: 'lore',
  apart: new Set(),
})
const tagsOf = ({ settled }: BatchEnd) =>
  settled.map(({ at, outcome }) => [at, isLeft(outcome) ? outcome.left._tag : 'written'])

describe('a try at a batch of writes', () => {
  it('is made again where the branch moved, and six times in all', () => {
    deepEqual(decideBatch(2, 1, failAttempt({ _tag: 'Moved' })), { _tag: 'TryAgain' })
    deepEqual(decideBatch(2, triesMax - 1, failAttempt({ _tag: 'Moved' })), { _tag: 'TryAgain' })
    const last = decideBatch(2, triesMax, failAttempt({ _tag: 'Moved' }))
    deepEqual(last._tag === 'Answer' && tagsOf(last.end), [
      [0, 'Overloaded'],
      [1, 'Overloaded'],
    ])
  })

  it('that met anything else is answered to every write', () => {
    const tags = (
      [
        [{ _tag: 'Detached' }, 'HeadDetached'],
        [{ _tag: 'Locked', lock: '.git/index.lock' }, 'RepositoryLocked'],
        [{ _tag: 'Disk', reason: 'no room' }, 'ReadOnly'],
        [{ _tag: 'Failed', reason: 'git' }, 'Overloaded'],
      ] as const
    ).map(([failure, tag]) => {
      const decision = decideBatch(1, 1, failAttempt(failure))
      return decision._tag === 'Answer' && deepEqual(tagsOf(decision.end), [[0, tag]]) === undefined
    })
    deepEqual(new Set(tags), new Set([true]))
    const closed = decideBatch(1, 1, { _tag: 'Refused', refusal: refuse('ReadOnly', 'closed') })
    deepEqual(closed._tag === 'Answer' && tagsOf(closed.end), [[0, 'ReadOnly']])
  })

  it('is answered after its last commit is shown; what could not be shown says so', () => {
    const settled = [
      { at: 0, commit: null, outcome: left(refuse('Overloaded', 'no')) },
      { at: 2, commit, outcome: written },
    ]
    const decision = decideBatch(3, 1, {
      _tag: 'Settled',
      tree: 'lore',
      settled,
      facts: [],
      unfinished: null,
    })
    deepEqual(decision._tag === 'Publish' && decision.commit, commit)
    const end: BatchEnd = { tree: 'lore', settled, facts: [], failure: null }
    deepEqual(tagsOf(hideUnseen(end)), [
      [0, 'Overloaded'],
      [2, 'Overloaded'],
    ])
    deepEqual(countResults(end), { committed: 0, refused: 1, unchanged: 1, dropped: 0 })
  })

  describe('with a commit', () => {
    const fact: WriteFact = {
      intent: 'intent-1',
      commit,
      actor: 'machine',
      route: 'PATCH /entities/{name}',
      subject: 'Orrin',
      touches: [],
      audit: [],
    }
    const end: BatchEnd = {
      tree: 'lore',
      settled: [{ at: 0, commit, outcome: written }],
      facts: [fact],
      failure: null,
    }
    const publish = (writes: ReadonlyArray<Write>, waiting: ReadonlyArray<Write>, isSeen: boolean) => {
      const publishing: State = { waiting, work: { _tag: 'Publishing', writes, end } }
      const moment = { nowMs: 0, monotonicMs: 0, id: 'm', chance: 0.5, incarnation: 'write-gate.1' }
      const [state, effects] = writeGate.receive(publishing, { _tag: 'Published', isSeen }, moment)
      const facts = effects.flatMap(effect =>
        '_tag' in effect && effect._tag === 'AfterWrite' ? effect.facts : [],
      )
      return { state, facts }
    }
    const first = writeOf(testCommand())

    it('tells of it once, and plans what it deferred again, before all that wait', () => {
      const [deferred, next] = [writeOf(testCommand()), writeOf(testCommand())]
      const { state, facts } = publish([first, deferred], [next], true)
      deepEqual(state, { waiting: [], work: { _tag: 'Batch', writes: [deferred, next], tries: 1 } })
      deepEqual(facts, [fact])
    })

    it('is not made again where that could not be shown', () => {
      const { state, facts } = publish([first], [], false)
      deepEqual(state, { waiting: [], work: null })
      deepEqual(facts, [fact])
    })
  })

  it('counts a dropped write as dropped, and as nothing else', () => {
    const outcome = left(refuse('Overloaded', 'no'))
    const settled: BatchEnd['settled'] = [
      { at: 0, commit: null, outcome },
      { at: 1, commit: null, outcome, isDropped: true },
    ]
    deepEqual(countResults({ tree: 'lore', settled, facts: [], failure: null }), {
      committed: 0,
      refused: 1,
      unchanged: 0,
      dropped: 1,
    })
  })
})
