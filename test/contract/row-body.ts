import { deepEqual, equal } from 'node:assert/strict'
import { it } from 'mocha'
import { jsonFields } from '#test/support/json-field.js'
import { checkRefused, collectNeededPairs, fieldOf, isOrdinary } from './bench.js'
import type { Check } from './row-contract.js'

/** Bodies that no row takes, with the path that the refusal names (D24). */
const badBodies: ReadonlyArray<readonly [what: string, body: string | Buffer]> = [
  ['cut JSON', '{"headers": ['],
  ['an array', '[]'],
  ['a word', '"tak"'],
  ['null', 'null'],
  ['a key given twice', '{"a": 1, "a": 2}'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
]

const megabyte = 1024 * 1024

/** What a row with a body makes of it (A 4.1.1, D24). */
export const body: Check = (subject, bench) => {
  if (subject.row.body === null) return

  for (const [what, bytes] of badBodies)
    it(`refuses ${what} as its body`, async () => {
      const reply = await bench().ask(subject, undefined, { body: bytes })
      const { bodyFault } = subject.row
      checkRefused(reply, 400, bodyFault ?? 'BodyInvalid')
      if (bodyFault !== undefined) return equal(typeof fieldOf(reply, 'fault'), 'string', reply.text)
      equal(String(fieldOf(reply, 'path')).startsWith('$'), true, reply.text)
    })

  it(`${subject.row.unknownKeys ?? 'refused'}: keys of a body that the row does not know`, async () => {
    const given: unknown = subject.sample.body ?? {}
    if (typeof given !== 'object' || given === null) throw new Error('the sample is no object')
    const trial = bench().trial(subject.row)
    const bytes = JSON.stringify({ ...given, nieznany: 1, 'inny klucz': { tak: true } })
    const reply = await bench().ask(subject, [...collectNeededPairs(subject), ...trial], { body: bytes })
    if (subject.row.unknownKeys === 'ignored') return isOrdinary(subject, reply, trial.length > 0)
    if (subject.row.unknownKeys === 'written') {
      checkRefused(reply, 422, 'ValueRefused')
      return equal(fieldOf(reply, 'field'), 'inny klucz')
    }
    checkRefused(reply, 400, 'BodyInvalid')
    equal(fieldOf(reply, 'path'), '$.nieznany')
    const problems = fieldOf(reply, 'problems')
    deepEqual(jsonFields(problems, 'path'), ['$.nieznany', '$.inny klucz'])
  })

  it('refuses a body that is not plain JSON by its type', async () => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']
    for (const type of types) {
      const reply = await bench().ask(subject, undefined, { headers: { 'Content-Type': type } })
      checkRefused(reply, 415, 'UnsupportedMediaType')
    }
    const zipped = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    checkRefused(await bench().ask(subject, undefined, { headers: zipped }), 415, 'UnsupportedMediaType')
  })

  it('refuses a body over 1 MiB', async () => {
    const large = JSON.stringify({ dopisek: 'ą'.repeat(megabyte / 2) })
    checkRefused(await bench().ask(subject, undefined, { body: large }), 413, 'BodyTooLarge')
  })
}
