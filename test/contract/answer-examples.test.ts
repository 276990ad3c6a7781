import { deepEqual, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { before, describe, it } from 'mocha'
import { type AnswerExamples, answerExamples, refusalExamples } from '#protocol/answer-examples.js'
import { errorOf, type RefusalTag, refusals } from '#protocol/refusal.js'
import { alwaysRefuses, type Route, refusalsOf, type Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import type { Observation } from '#test/support/observations.js'
import { checkerOf } from './answer-check.js'
import { askExamples } from './ask-examples.js'
import { askRefusals, refusalTags } from './ask-refusals.js'
import { requestTargetOf, type Subject } from './bench.js'
import { samples } from './samples.js'

const table: Table = routes

const targetOf = (subject: Subject): string => `/v1/api${requestTargetOf(subject, [])}`

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
      const target = targetOf({ id, row, sample })
      return answers.map(({ status, body }) => ({ method: row.method, target, status, body, closed: true }))
    })
    deepEqual(check(observed).offences, [])
  })
})

/** The body of a refusal, after its row of the table. */
const bodyCodecOf = (tag: RefusalTag): t.Mixed =>
  t.type({ error: t.literal(errorOf(tag)), detail: t.string, ...refusals[tag].extra })

/** A request of the first row that lists the refusal; of no row where the listener gives it. */
const requestOf = (tag: RefusalTag): Pick<Observation, 'method' | 'target'> => {
  const [found] = Object.entries(table).filter(([, row]) => refusalsOf(row).includes(tag))
  const sample = found === undefined ? undefined : samples[found[0]]
  if (found === undefined || sample === undefined) return { method: 'GET', target: '' }
  const [id, row] = found
  return { method: row.method, target: targetOf({ id, row, sample }) }
}

describe('the examples of refusals', () => {
  it('are what the provocations bring about today; npm run examples writes them anew', async () => {
    deepEqual(refusalExamples, await askRefusals())
  })

  it('are one for each refusal, which the codec of the refusal takes', () => {
    deepEqual(Object.keys(refusalExamples), refusalTags)
    deepEqual(
      refusalTags.filter(tag => isLeft(bodyCodecOf(tag).decode(refusalExamples[tag]))),
      [],
    )
  })

  it('are bodies that the document allows', () => {
    const observed = refusalTags.map(tag => ({
      ...requestOf(tag),
      status: refusals[tag].status,
      body: refusalExamples[tag],
      closed: true,
    }))
    deepEqual(checkerOf(table)(observed).offences, [])
  })
})
