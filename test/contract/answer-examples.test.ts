import { deepEqual, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { before, describe, it } from 'mocha'
import { type AnswerExamples, answerExamples, refusalExamples } from '#protocol/answer-examples.js'
import { errorOf, type RefusalTag, refusals } from '#protocol/refusal.js'
import { alwaysRefuses, type Route, type Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { checkerOf } from './answer-check.js'
import { askExamples, askRefusals } from './ask-examples.js'
import { requestTargetOf } from './bench.js'
import { samples } from './samples.js'

const table: Table = routes

const successesOf = (row: Route): ReadonlyArray<number> =>
  Object.keys(row.answers)
    .map(Number)
    .filter(status => status >= 200 && status < 300)

describe('the examples of the reference', () => {
  let live: AnswerExamples = {}
  before(async () => {
    live = await askExamples()
  })

  it('are the answers that the rows give today; npm run examples writes them anew', () => {
    deepEqual(answerExamples, live)
  })

  it('have a request that the codec of the body takes', () => {
    const refused = Object.entries(table).filter(
      ([, { body, example }]) => body !== null && isLeft(body.decode(example?.body)),
    )
    deepEqual(
      refused.map(([id]) => id),
      [],
    )
  })

  it('have an answer of every status that is a success', () => {
    const missing = Object.entries(table).flatMap(([id, row]) => {
      const shown = (answerExamples[id] ?? []).map(({ status }) => status)
      return successesOf(row).flatMap(status => (shown.includes(status) ? [] : [`${id} ${status}`]))
    })
    deepEqual(missing, [])
    for (const [id, row] of Object.entries(table))
      if (alwaysRefuses(row))
        ok(
          answerExamples[id]?.every(({ status }) => status >= 400),
          id,
        )
  })

  it('are answers that the codec of the row takes', () => {
    const refused = Object.entries(answerExamples).flatMap(([id, answers]) =>
      answers.flatMap(({ status, body }) => {
        const codec = table[id]?.answers[status]
        return codec !== undefined && isLeft(codec.decode(body)) ? [`${id} ${status}`] : []
      }),
    )
    deepEqual(refused, [])
  })

  it('are answers that the document allows', () => {
    const check = checkerOf(table)
    const observed = Object.entries(answerExamples).flatMap(([id, answers]) => {
      const [row, sample] = [table[id], samples[id]]
      if (row === undefined || sample === undefined) return []
      const target = `/v1/api${requestTargetOf({ id, row, sample }, [])}`
      return answers.map(({ status, body }) => ({ method: row.method, target, status, body, closed: true }))
    })
    deepEqual(check(observed).offences, [])
  })
})

/** Refusals that need another world, a broken repository or an overload: the reference shows no body of them yet. */
const unshown: ReadonlyArray<RefusalTag> = [
  'TooManyRequests',
  'challenge_flood',
  'HeadersTooLarge',
  'RequestTimeout',
  'AnswerTooLarge',
  'Overloaded',
  'Internal',
  'DiskRefused',
  'SyncDisabled',
  'ConvergeFailed',
  'NoRepository',
  'WorkTreeDirty',
  'HeadDetached',
  'RepositoryLocked',
  'WriteRejected',
  'AdoptionFailed',
  'AmbiguousName',
  'SessionClosed',
  'StoreUnreadable',
  'JournalDisabled',
  'registration_disabled',
  'registration_reserved',
  'roles_unreadable',
  'no_role_declared',
  'RoleTooWeak',
  'no_gracz_at_sign_in',
  'chat_auth_disabled',
  'not_linked',
  'SignatureMissing',
  'SigningKeyWeak',
  'ChallengeUnknown',
  'game_auth_disabled',
  'SigningKeyAway',
  'ambiguous_game_id',
]

const isRefusalTag = (tag: string): tag is RefusalTag => Object.hasOwn(refusals, tag)

describe('the examples of refusals', () => {
  it('are what the provocations bring about today', async () => {
    const live = await askRefusals()
    deepEqual(refusalExamples, live)
    for (const [tag, body] of Object.entries(live))
      deepEqual([tag, isRefusalTag(tag) && errorOf(tag)], [tag, Reflect.get(Object(body), 'error')])
  })

  it('leave out the refusals of this list, which may only become shorter', () => {
    deepEqual(
      Object.keys(refusals).filter(tag => !Object.hasOwn(refusalExamples, tag)),
      unshown,
    )
  })

  it('are bodies that the document allows', () => {
    const observed = Object.entries(refusalExamples).flatMap(([tag, body]) =>
      isRefusalTag(tag)
        ? [{ method: 'GET', target: '', status: refusals[tag].status, body, closed: false }]
        : [],
    )
    deepEqual(checkerOf(table)(observed).offences, [])
  })
})
