import { equal, match } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { ConvergeStep } from '#actors/repository-sync/join-remote.js'
import { type RepositorySyncMessage, type SyncAnswer, unknown } from '#actors/repository-sync/state.js'
import type { SyncAction } from '#protocol/host/sync.js'
import { type AskFailure, answerAsk, refOf } from '#src/kernel/actor/ref.js'
import { realClock } from '#src/kernel/time/clock.js'
import { makeCell } from '#src/snapshot/cell.js'
import { convergeThrough, fetchThrough } from './sync.js'

/** A sync that gives every asker this answer. */
const answerWith = (answer: SyncAnswer | AskFailure) =>
  refOf<RepositorySyncMessage>('repository-sync', {
    deliver: () => 'accepted',
    enquire: (make, ticket) => {
      const message = make(ticket)
      if ('actor' in answer) ticket.fail(answer)
      else if (message._tag === 'Sync') answerAsk(message.replyTo, answer)
    },
  })

const convergeAnswer = (lastAction: SyncAction | null, lastDetail: string | null = null): SyncAnswer => ({
  _tag: 'Converged',
  report: { ...unknown, lastAction, lastDetail },
})

const fetchWith = (answer: SyncAnswer | AskFailure): Promise<string | null> =>
  fetchThrough(answerWith(answer))(1_000)

describe('a fetch through the sync', () => {
  it('succeeds with a converge that fetched and failed afterwards, and where sync is off', async () => {
    for (const action of ['up_to_date', 'merged', 'push_pending', 'work_tree_dirty', 'push_race'] as const)
      equal(await fetchWith(convergeAnswer(action)), null, action)
    equal(await fetchWith({ _tag: 'Disabled' }), null)
  })

  it('says why there was none', async () => {
    equal(await fetchWith(convergeAnswer('unreachable', 'no route')), 'the branch was not fetched: no route')
    equal(await fetchWith(convergeAnswer('timeout')), 'the branch was not fetched: timeout')
    const late: AskFailure = { _tag: 'Timeout', actor: 'repository-sync' }
    equal(await fetchWith(late), 'No answer came from the sync in time')
  })
})

describe('a converge for a caller', () => {
  it('names the step that it waits for where no answer comes in time', async () => {
    const running = makeCell<{ readonly step: ConvergeStep | 'lint'; readonly sinceMs: number }>()
    running.set({ step: 'push', sinceMs: realClock.monotonicMs() - 42_000 })
    const late: AskFailure = { _tag: 'Timeout', actor: 'repository-sync' }
    const refused = await convergeThrough(answerWith(late), '', 'Sync', running)()
    match(
      isLeft(refused) ? refused.left.detail : '',
      /^No answer came from the sync in time\. It waits for the push to the remote, since 4\d s\. GET \/sync says/,
    )
  })
})
