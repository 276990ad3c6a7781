import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { setMember } from '#src/domain/json/set-member.js'
import { runsOf } from '#test/support/runs.js'

const name = fc.oneof(fc.constantFrom('schedules', 'settlement', 'map_checkup', '}', '"', '\\'), fc.string())
const ordinary = (key: string): boolean => key !== '__proto__' && key !== 'schedules'
const value = fc.jsonValue({ maxDepth: 2 })
const section = fc.dictionary(
  name.filter(key => key !== '__proto__'),
  value,
  { maxKeys: 4 },
)
const root = fc.dictionary(name.filter(ordinary), value, { maxKeys: 4 })
const indent = fc.constantFrom(undefined, 2, '\t')
const newline = fc.constantFrom('\n', '\r\n')

const prefixLength = (one: string, other: string): number => {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

/** A value as JSON has it: without what a text cannot hold. */
const plainOf = (value: unknown): object => Object(JSON.parse(JSON.stringify(value))) as object

describe('an edit of the configuration', () => {
  it('sets the one value, and every other byte stays', () => {
    fc.assert(
      fc.property(root, fc.option(section), indent, newline, (others, schedules, space, end) => {
        const tree = schedules === null ? others : { ...others, schedules, last: 1 }
        const before = JSON.stringify(tree, null, space).replaceAll('\n', end)
        const after = setMember(before, 'schedules', 'settlement', 'off')
        const wanted: unknown = JSON.parse(before)
        deepEqual(JSON.parse(after), {
          ...Object(wanted),
          schedules: {
            ...(schedules === null ? {} : plainOf(schedules)),
            settlement: 'off',
          },
        })
        equal(setMember(after, 'schedules', 'settlement', 'off'), after)
        const from = prefixLength(before, after)
        const old = schedules === null ? undefined : schedules['settlement']
        const lineEnd = `${end}${typeof space === 'number' ? '    ' : '\t\t'}`
        const oldText = old === undefined ? '' : JSON.stringify(old, null, space).replaceAll('\n', lineEnd)
        const tail = before.slice(from + oldText.length)
        ok(after.endsWith(tail), `${before}\n${after}`)
      }),
      { numRuns: runsOf(500) },
    )
  })
})
