import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { recordMapText } from '#src/domain/lore/changes.js'
import { runsOf } from '#test/support/runs.js'
import { mergeFile } from '../../../../test/support/at-once.js'

const path = '.svc/permissions.json'

type Rows = Readonly<Record<string, object>>

const textOfRows = (rows: Rows, head: object = {}): string =>
  recordMapText({ ...head }, 'permissions', new Map(Object.entries(rows)))

const mergeRows = (base: string | null, ours: string, theirs: string) => {
  const one = mergeFile(path, { base, ours, theirs }, 'theirs')
  deepEqual(one, mergeFile(path, { base, ours: theirs, theirs: ours }, 'ours'))
  return one
}

const row = (magia: string) => ({ magia, zmieniono: '2026-06-15T12:00:00.000Z' })

describe('the merge of the permissions', () => {
  const base = { 100: row('a'), 200: row('b') }

  it('has the rows that either side added or changed, and lacks those that one removed', () => {
    const ours = { 100: row('x'), 200: row('b'), 300: row('c') }
    const theirs = { 100: row('a'), 50: row('d') }
    deepEqual(mergeRows(textOfRows(base), textOfRows(ours), textOfRows(theirs)), {
      text: textOfRows({ 100: row('x'), 300: row('c'), 50: row('d') }),
      conflicts: [],
    })
    deepEqual(mergeRows(null, textOfRows({ 100: row('a') }), textOfRows({ 200: row('b') })), {
      text: textOfRows(base),
      conflicts: [],
    })
  })

  it('reports a row that both sides changed, and the published one stays', () => {
    const [ours, theirs] = [textOfRows({ ...base, 100: row('x') }), textOfRows({ ...base, 100: row('y') })]
    deepEqual(mergeRows(textOfRows(base), ours, theirs), {
      text: theirs,
      conflicts: [{ block: null, row: '100', cause: 'changed' }],
    })
  })

  it('keeps fields beside the rows, and a row named as a member of every object', () => {
    const ours = textOfRows({ ...base, constructor: row('c') }, { note: 'nasze' })
    deepEqual(
      mergeRows(textOfRows(base), ours, textOfRows({ ...base, 300: row('d') })).text,
      textOfRows(
        {
          ...base,
          300: row('d'),
          constructor: row('c'),
        },
        { note: 'nasze' },
      ),
    )
  })

  it('parks a file that is no map of records as a whole', () => {
    for (const odd of [
      '{',
      '[]',
      '{"permissions": []}',
      '{"permissions": {"100": 1}}',
      '{"permissions": {"__proto__": {}}}',
    ])
      deepEqual(mergeRows(textOfRows(base), textOfRows({ ...base, 300: row('c') }), odd), {
        text: odd,
        conflicts: [{ block: null, row: null, cause: 'changed' }],
      })
  })

  it('loses no row that only one side touched', () => {
    const id = fc.constantFrom('1', '20', '3', 'x')
    const rows = fc.dictionary(id, fc.constantFrom('a', 'b').map(row))
    fc.assert(
      fc.property(rows, rows, rows, (before, ours, theirs) => {
        const merged = mergeRows(textOfRows(before), textOfRows(ours), textOfRows(theirs))
        const read: unknown = JSON.parse(merged.text ?? '')
        const valueIn = (all: Rows, name: string) => JSON.stringify(all[name])
        const wanted = ['1', '20', '3', 'x'].flatMap(name => {
          const [old, mine, other] = [before, ours, theirs].map(all => valueIn(all, name))
          const kept = mine === old ? other : other === old || mine === undefined ? mine : other
          const value =
            mine === undefined || other === undefined
              ? old === undefined
                ? (mine ?? other)
                : undefined
              : kept
          return value === undefined ? [] : [[name, JSON.parse(value) as unknown]]
        })
        const rows: unknown = Object.fromEntries(wanted)
        deepEqual(read, { permissions: rows })
      }),
      { numRuns: runsOf(300) },
    )
  })
})
