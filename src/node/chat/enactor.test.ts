import { deepEqual, equal } from 'node:assert/strict'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { notPublished } from '#actors/write-gate/refusals.js'
import type { DispatchAttempt } from '#protocol/chat/dispatch.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import type { Command, Written } from '#src/writing/command.js'
import { passThroughJson } from '#test/support/commands.js'
import { openEnactor } from './enactor.js'

const attempt: DispatchAttempt = {
  id: '900100200300400500',
  run: 1,
  kind: 'report',
  vars: { SVC_REPORTER_CHAT_ID: '222', SVC_REPORT_B64: 'IyMj', SVC_APPLICATION_ID: '42' },
  attempt: 1,
  deadlineMs: 1_000,
}

const never = new AbortController().signal

/** Enacts with a gate that answers this, and timers that the test runs. */
const enactWith = (
  answer: Promise<Either<Refusal, Written>>,
  signal = never,
  given: Partial<DispatchAttempt> = {},
  isOpen = true,
) => {
  const asked: Array<Command> = []
  const timers = new Map<number, () => void>()
  const counted: Array<string> = []
  let wanted = (): boolean => false
  const { enact } = openEnactor({
    write: (command, isCallerThere = () => true) => {
      asked.push(passThroughJson(command))
      wanted = isCallerThere
      return answer
    },
    after: (delayMs, run) => {
      timers.set(delayMs, run)
      return () => void timers.delete(delayMs)
    },
    count: chatId => {
      counted.push(chatId)
      return isOpen ? () => void counted.push(`${chatId} back`) : null
    },
  })
  return {
    outcome: enact({ ...attempt, ...given }, 700, signal),
    asked,
    timers,
    counted,
    isWanted: () => wanted(),
  }
}

const refused = (refusal: Refusal) => enactWith(Promise.resolve(left(refusal))).outcome

describe('the enactor of interactions', () => {
  it('makes the command of the row by chat, with the interaction as its key', async () => {
    const body = { announcement: 'Zapisane.', reported: 'x' }
    const { outcome, asked, timers } = enactWith(Promise.resolve(right({ status: null, body, commit: null })))
    deepEqual(await outcome, { _tag: 'Enacted', answer: 'Zapisane.' })
    equal(timers.size, 0)
    const [command] = asked
    deepEqual(
      [command?.row, command?.route, command?.asker],
      ['workflows.reportSessionByChat', 'POST /workflows/report-session-by-chat', { _tag: 'Host' }],
    )
    deepEqual(command?.body, { chatId: '222', reportB64: 'IyMj', interactionId: attempt.id })
  })

  it('names the session of a close and its note where the variables do', async () => {
    const answer = right({ status: null, body: { announcement: 'x' }, commit: null })
    const bodies = await Promise.all(
      [
        {},
        { SVC_CLOSE_HEADER: ' ', SVC_CLOSE_NOTE: '' },
        { SVC_CLOSE_HEADER: 'Most', SVC_CLOSE_NOTE: 'Tak' },
      ].map(async more => {
        const vars = { SVC_CLOSE_CHAT_ID: '111', ...more }
        const { outcome, asked } = enactWith(Promise.resolve(answer), never, { kind: 'close', vars })
        await outcome
        return [asked[0]?.row, asked[0]?.body]
      }),
    )
    const body = { chatId: '111', interactionId: attempt.id }
    const row = 'workflows.closeSessionByChat'
    deepEqual(bodies, [
      [row, body],
      [row, body],
      [row, { ...body, header: 'Most', note: 'Tak' }],
    ])
  })

  it('answers a refusal, holds at a closed gate, and tries again what may pass', async () => {
    const answer = 'To konto czatu nie jest powiązane.'
    deepEqual(await refused(refuse('not_linked', answer)), { _tag: 'Refused', reason: 'not_linked', answer })
    const tags = await Promise.all(
      [
        refuse('SyncStale', ''),
        refuse('Overloaded', ''),
        refuse('WorkTreeDirty', '', { files: [] }),
        notPublished('unknown', ''),
      ].map(async one => (await refused(one))._tag),
    )
    deepEqual(tags, ['Held', 'Failed', 'Failed', 'Failed'])
  })

  it('counts a write for its account, unless nothing was written, and makes none above the limit', async () => {
    const written = right({ status: null, body: { announcement: 'x' }, commit: null })
    const made = enactWith(Promise.resolve(written))
    await made.outcome
    deepEqual(made.counted, ['222'])
    const unmade = enactWith(Promise.resolve(left(refuse('not_linked', 'x'))), never, {
      kind: 'close',
      vars: { SVC_CLOSE_CHAT_ID: '111' },
    })
    await unmade.outcome
    deepEqual(unmade.counted, ['111', '111 back'])
    const thrown = enactWith(Promise.reject(new Error('x')))
    await thrown.outcome.catch(() => null)
    deepEqual(thrown.counted, ['222', '222 back'])
    const above = enactWith(Promise.resolve(written), never, {}, false)
    equal((await above.outcome)._tag, 'Failed')
    deepEqual([above.asked, above.timers.size], [[], 0])
  })

  it('fails an attempt that is not answered in its time, or when the host ends, and drops its write', async () => {
    const late = enactWith(new Promise(() => undefined))
    equal(late.isWanted(), true)
    late.timers.get(700)?.()
    equal((await late.outcome)._tag, 'Failed')
    equal(late.isWanted(), false)
    const end = new AbortController()
    const ended = enactWith(new Promise(() => undefined), end.signal)
    end.abort()
    deepEqual(await ended.outcome, { _tag: 'Failed', reason: 'the host ends' })
    deepEqual([ended.isWanted(), ended.timers.size], [false, 0])
  })
})
