import { deepEqual, equal, ok } from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { decodeBody } from '#test/support/at-once.js'
import { growsAsALine } from '#test/support/processor-time.js'
import { readJson, readJsonInSlices } from './json-text.js'

const suite = new URL('../../../../shared/contracts/json-test-suite/test_parsing/', import.meta.url)

/** Valid JSON that D24 refuses, and what the suite leaves open, by the reason. */
const refusedThough: ReadonlyMap<string, string> = new Map([
  ['y_object_duplicated_key.json', 'duplicate key'],
  ['y_object_duplicated_key_and_value.json', 'duplicate key'],
  ['y_object_escaped_null_in_key.json', 'NUL'],
  ['y_string_null_escape.json', 'NUL'],
])

/** What the suite leaves open and this reader takes; and no bytes at all, which are the body `{}` (D24). */
const takenThough: ReadonlySet<string> = new Set([
  'i_number_double_huge_neg_exp.json',
  'i_number_real_underflow.json',
  'n_structure_no_data.json',
])

const isTaken = (bytes: Buffer): boolean =>
  isRight(decodeBody({ codec: t.unknown, unknownKeys: 'refused' }, bytes))

describe('the JSON reader', () => {
  it('treats the whole of the parsing suite as RFC 8259 and D24 want', function () {
    if (!existsSync(suite)) {
      console.log('the JSON parsing suite is absent')
      this.skip()
    }
    const names = readdirSync(suite).filter(name => name.endsWith('.json'))
    const wrong = names.filter(name => {
      const wanted = name.startsWith('y_') ? !refusedThough.has(name) : takenThough.has(name)
      return isTaken(readFileSync(new URL(encodeURIComponent(name), suite))) !== wanted
    })
    deepEqual(wrong, [])
    equal(names.filter(name => name.startsWith('n_')).length >= 187, true)
  })

  it('says how to send a whole number that a number of JSON would change', () => {
    const read = readJson('{"interactionId": 900100200300400500}')
    equal(isLeft(read) && read.left.reason.includes('write an id as a text in quotes'), true)
  })

  it('reads whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }), value => {
        const text = JSON.stringify(value)
        const read = readJson(text)
        const open = /__proto__|\\u0000/.test(text) || /\d{16}/.test(text)
        if (!open && isLeft(read)) throw new Error(`refused at ${read.left.path}: ${read.left.reason}`)
        if (!isLeft(read))
          equal(JSON.stringify(read.right), text.replaceAll(/(?<=^|[[,:])-0(?=$|[\],}])/g, '0'))
      }),
    )
  })

  for (const [what, text, path] of [
    ['a duplicate key', '{"a":{"b":1,"b":2}}', '$.a'],
    ['a duplicate key spelled with an escape', '{"b":1,"\\u0062":2}', '$'],
    ['__proto__', '{"x":[{"__proto__":{}}]}', '$.x[0]'],
    ['a lone surrogate', '{"a":"\\ud800"}', '$.a'],
    ['a NUL in a text', '{"a":"\\u0000"}', '$.a'],
    ['a number beyond the range', '{"a":1e400}', '$.a'],
    ['a whole number that is not exact', '[9007199254740993]', '$[0]'],
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, `$${'[0]'.repeat(64)}`],
    ['trailing bytes', '{} x', '$'],
    ['a byte order mark', '\u{feff}{}', '$'],
  ] as const)
    it(`refuses ${what} and says where`, () => {
      const read = readJson(text)
      equal(isLeft(read) ? read.left.path : 'taken', path.slice(0, 200))
    })

  it('takes 64 levels, and minus zero as zero', () => {
    equal(isRight(readJson(`${'['.repeat(64)}${']'.repeat(64)}`)), true)
    deepEqual(readJson('-0'), { _tag: 'Right', right: 0 })
    deepEqual(readJson('-0.0e0'), { _tag: 'Right', right: 0 })
  })

  it('makes objects without a prototype', () => {
    const read = readJson('{"constructor":{"prototype":{"polluted":true}}}')
    equal(!isLeft(read) && Object.getPrototypeOf(read.right) === null, true)
    equal(Reflect.get({}, 'polluted'), undefined)
  })

  it('yields every few hundred values, however they are nested', () => {
    for (const item of ['""', '[]', '{"a":1}', '[[1,2],{"b":[3]}]']) {
      const work = readJsonInSlices(`{"list":[${Array.from({ length: 10_000 }, () => item).join(',')}]}`)
      let yields = 0
      for (let slice = work.next(); slice.done !== true; slice = work.next()) yields += 1
      equal(yields >= 39, true, `${item}: ${yields}`)
    }
  })

  it('stays linear on a text of a megabyte', () => {
    const ofTwentieths = (count: number) =>
      isRight(readJson(`{"a":"${'\\"'.repeat(20_000 * count)}","b":[${'[],'.repeat(3_000 * count)}[]]}`))
    equal(ofTwentieths(20), true)
    ok(growsAsALine(5, ofTwentieths))
  })
})
