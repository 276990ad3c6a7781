import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { RepositorySyncMessage, SyncAnswer } from '#actors/repository-sync/messages.js'
import { unknown } from '#actors/repository-sync/state.js'
import type { SyncAction } from '#protocol/sync/action.js'
import { type AskFailure, answerAsk, refOf } from '#src/kernel/actor/ref.js'
import { fetchThrough } from './host-sync.js'

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
