import { deepEqual, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { before, describe, it } from 'mocha'
import { type AnswerExamples, answerExamples } from '#protocol/answer-examples.js'
import { alwaysRefuses, type Route, type Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { checkerOf } from './answer-check.js'
import { askExamples } from './ask-examples.js'
import { targetOf } from './bench.js'
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
      const target = `/v1/api${targetOf({ id, row, sample }, [])}`
      return answers.map(({ status, body }) => ({ method: row.method, target, status, body, closed: true }))
    })
    deepEqual(check(observed).offences, [])
  })
})
