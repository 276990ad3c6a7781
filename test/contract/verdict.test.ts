import { deepEqual, equal } from 'node:assert/strict'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { Day } from '#protocol/atoms.js'
import { read, type Table } from '#protocol/route.js'
import type { Observation } from '#test/support/observations.js'
import { checkAnswersOf, type RunVerdict, runVerdictOf } from './verdict.js'

const Thing = t.type({ Name: t.string, Since: t.union([Day, t.null]) }, 'Thing')

const table = {
  thing: read({
    path: '/things/{name}',
    summary: 'One thing.',
    capability: 'entity.read',
    query: {},
    answers: { 200: Thing },
    refusals: ['EntityNotFound'],
    source: 'A 1',
  }),
} as const satisfies Table

const makeObservation = (status: number, body: unknown, more: Partial<Observation> = {}): Observation => ({
  method: 'GET',
  target: '/v1/api/things/Wit%20K%C5%82os?x=1',
  status,
  body,
  closed: true,
  ...more,
})

const good = makeObservation(200, { Name: 'Wit Kłos', Since: '2024-05-01' })
const missing = makeObservation(404, { error: 'EntityNotFound', detail: 'Nie ma.', nearest: [] })

/** What a run of these answers alone leaves to wish for. */
const verdict = (of: Table, tags: ReadonlyArray<string>, observed: ReadonlyArray<Observation>): RunVerdict =>
  runVerdictOf(of, tags, checkAnswersOf(of)(observed))

const offences = (...observed: ReadonlyArray<Observation>) => verdict(table, [], observed).offences

describe('the check of all answers of a run', () => {
  it('is content with answers that the document has', () => {
    deepEqual(verdict(table, ['EntityNotFound'], [good, missing, makeObservation(304, undefined)]), {
      offences: [],
      unanswered: [],
      unprovoked: [],
    })
  })

  it('names row, status and place of the first offence of a body', () => {
    const row = 'GET /things/{name} (thing) 200'
    deepEqual(offences(makeObservation(200, { Name: 'Wit', Since: 'maj' })), [
      `${row} at /Since: must match format "date"`,
    ])
    deepEqual(
      offences(good, makeObservation(200, { Name: 'Wit', Since: null, Wiek: 3 }), makeObservation(200, {})),
      [`${row} at /: must NOT have additional properties: Wiek`],
    )
    deepEqual(offences(makeObservation(200, { Name: 'Wit' })), [
      `${row} at /: must have required property 'Since'`,
    ])
  })

  it('names a status that the row does not have', () => {
    deepEqual(offences(makeObservation(201, { Name: 'Wit', Since: null })), [
      'GET /things/{name} (thing) 201 at /: the document does not have this answer',
    ])
    deepEqual(offences(makeObservation(409, { error: 'NoRepository', detail: '' })).length, 1)
    deepEqual(offences(makeObservation(304, { Name: 'Wit' })).length, 1)
  })

  it('holds refusals without a row against their own schema and status', () => {
    const stray = { target: '/v1/api/nowhere' }
    deepEqual(offences(makeObservation(404, { error: 'RouteNotFound', detail: '' }, stray)), [])
    deepEqual(offences(makeObservation(400, { error: 'RouteNotFound', detail: '' }, stray)), [
      'GET without a row 400 at /error: RouteNotFound has the status 404',
    ])
    deepEqual(offences(makeObservation(400, { error: 'Zmyślona', detail: '' }, stray)).length, 1)
    deepEqual(offences(makeObservation(200, 'dobrze', stray)).length, 1)
  })

  it('holds refusals of the listener against their own schema, whatever row was asked for', () => {
    deepEqual(offences(makeObservation(417, { error: 'ExpectationFailed', detail: '' })), [])
    deepEqual(offences(makeObservation(400, { error: 'ExpectationFailed', detail: '' })), [
      'GET without a row 400 at /error: ExpectationFailed has the status 417',
    ])
  })

  it('names rows without a 2xx and refusals that nobody provoked', () => {
    deepEqual(verdict(table, ['EntityNotFound', 'Starting'], [missing]), {
      offences: [],
      unanswered: ['GET /things/{name} (thing)'],
      unprovoked: ['Starting'],
    })
  })

  it('asks a row that always refuses for its refusal alone', () => {
    const shut = { thing: { ...table.thing, answers: {} } } as const satisfies Table
    const none: ReadonlyArray<string> = []
    deepEqual(verdict(shut, [], [missing]), { offences: none, unanswered: none, unprovoked: none })
    deepEqual(verdict(shut, [], []).unprovoked, ['EntityNotFound of GET /things/{name} (thing)'])
    equal(verdict(shut, [], [missing, good]).offences.length, 1)
  })

  it('names a refusal that a row lists and never gave', () => {
    const elsewhere = makeObservation(404, missing.body, { target: '/v1/api/nowhere' })
    deepEqual(verdict(table, ['EntityNotFound'], [good, elsewhere]).unprovoked, [
      'EntityNotFound of GET /things/{name} (thing)',
    ])
  })
})
