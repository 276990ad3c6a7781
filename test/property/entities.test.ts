import assert from 'node:assert/strict'
import fc from 'fast-check'
import { isRight } from 'fp-ts/lib/Either.js'
import { dayOf } from '#protocol/atoms.js'
import { EntityFetch } from '#protocol/lore/entities.js'
import { canonicalPath, cycleFindings } from '#src/domain/entities/canonical-path.js'
import { placeNamed } from '#src/domain/entities/places.js'
import { fetchInSlices } from '#src/domain/entities/references.js'
import { activeOn, always, splitRange } from '#src/domain/lore/rows/days.js'
import { scalarOn, sortByPrecedence } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { entityList } from '#test/support/at-once.js'
import { day, worldOf } from '#test/support/world.js'

const today = day('2026-06-15')
const aDay = fc
  .tuple(
    fc.integer({ min: 2019, max: 2027 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, date]) =>
    day(`${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`),
  )
const range = fc.record({ from: fc.option(aDay), to: fc.option(aDay) })
const row: fc.Arbitrary<Row> = fc.record({
  tag: fc.constantFrom('lokacja', 'status'),
  value: fc.string({ minLength: 1, maxLength: 5 }),
  range,
  auto: fc.boolean(),
  line: fc.nat(100),
  endLine: fc.nat(100),
  source: fc.constant({ _tag: 'Session', header: 'h' } as const),
})

const name = fc.constantFrom('A', 'B', 'C', 'D', 'B (A)', 'B (C)', 'A/B', 'C/B', 'ż', 'links')
const tag = fc.constantFrom(
  'lokacja',
  'drzwi',
  'alias',
  'grupa',
  'należy_do',
  'status',
  'ilość',
  'pu_suma',
  'ref',
  'x',
)
const type = fc.constantFrom('Lokacja', 'Lokacja', 'NPC', 'Mapa', 'Gracz', 'Postać', 'Smok')
const suffix = fc.constantFrom(
  '',
  ' (2024:)',
  ' (:2020-02)',
  ' (2024-13:)',
  ' (auto)',
  '\n  dalej',
  '\n    - niżej',
)
const block = fc
  .tuple(name, type, fc.array(fc.tuple(tag, name, suffix), { maxLength: 5 }))
  .map(([heading, kind, rows]) =>
    [
      `### ${heading}`,
      `- @typ: ${kind}`,
      ...rows.map(([key, value, end]) => `- @${key}: ${value}${end}`),
    ].join('\n'),
  )
const index = fc.array(block, { maxLength: 12 }).map(blocks => blocks.join('\n\n'))

describe('laws of rows on a day', () => {
  it('the deciding order keeps every row, sorts each tag by FROM and is stable', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), rows => {
        const ordered = sortByPrecedence(rows)
        assert.deepEqual(new Set(ordered), new Set(rows))
        for (const key of ['lokacja', 'status']) {
          const own = ordered.filter(one => one.tag === key)
          own.slice(1).forEach((one, at) => {
            const before = own[at]
            assert.ok(before !== undefined && (before.range.from ?? '') <= (one.range.from ?? ''))
            if (before.range.from === one.range.from) assert.ok(rows.indexOf(before) < rows.indexOf(one))
          })
        }
      }),
    )
  })
  it('a scalar is the active row with the latest FROM', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), aDay, (rows, on) => {
        const active = rows.filter(one => one.tag === 'lokacja' && activeOn(one.range, on))
        const latest = active.reduce(
          (last, one) => ((one.range.from ?? '') >= last ? (one.range.from ?? '') : last),
          '',
        )
        const wanted = active.filter(one => (one.range.from ?? '') === latest).at(-1)?.value ?? null
        assert.equal(scalarOn(sortByPrecedence(rows), 'lokacja', on), wanted)
      }),
    )
  })
  it('a range written after any text is read back, and the text with it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.option(aDay), fc.option(aDay), (text, from, to) => {
        fc.pre(from === null || to === null || from <= to)
        const found = splitRange(`${text} (${from ?? ''}:${to ?? ''})`)
        if (from === null && to === null) assert.deepEqual(found.range, always)
        else assert.deepEqual([found.text, found.range, found.suspect], [text.trim(), { from, to }, false])
      }),
    )
  })
  it('no suffix makes splitting throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const { from, to } = splitRange(`x (${text})`).range
        assert.ok((from === null || dayOf(from) === from) && (to === null || dayOf(to) === to))
      }),
    )
  })
})

describe('laws of entities', () => {
  it('every projection and every list is what its codec says', () => {
    fc.assert(
      fc.property(index, text => {
        const { entities } = worldOf({ 'encje/indeks.md': text })
        for (const entity of entities.all) {
          const json: unknown = JSON.parse(
            atOnce(fetchInSlices(entity, [], today, today, () => null)).toString(),
          )
          assert.ok(isRight(EntityFetch.decode(json)))
        }
        const window = { named: true, limit: 3, offset: 1 }
        const list: unknown = JSON.parse(
          entityList(entities.all, window, today, today, () => null).toString(),
        )
        assert.ok(typeof list === 'object' && list !== null && 'count' in list)
        assert.equal(list.count, Math.max(0, Math.min(3, entities.all.length - 1)))
      }),
    )
  })
  it('a Mapa that lies in itself is no cycle of places', () => {
    const { entities } = worldOf({
      'encje/indeks.md': '### A\n- @typ: Lokacja\n- @lokacja: B\n\n### B\n- @typ: Mapa\n- @lokacja: B\n',
    })
    assert.deepEqual(cycleFindings(entities, today), [])
  })
  it('every place has a path without repeats, whatever stands in @lokacja', () => {
    fc.assert(
      fc.property(index, text => {
        const { entities } = worldOf({ 'encje/indeks.md': text })
        const cyclic = entities.all.filter(entity => {
          const { ancestors, cycle } = canonicalPath(entities, entity, today)
          const blocks = ancestors.flatMap(one => one.entity ?? [])
          assert.equal(new Set(blocks).size, blocks.length)
          assert.ok(!blocks.includes(entity))
          return cycle
        })
        assert.equal(cycleFindings(entities, today).length > 0, cyclic.length > 0)
        for (const value of ['A', 'A/B', 'C/B', '/', '']) {
          const place = placeNamed(entities, value, today)
          assert.ok(place === null || place.type !== 'NPC')
        }
      }),
    )
  })
  it('every heading resolves exactly, to itself or as ambiguous among its homonyms', () => {
    fc.assert(
      fc.property(index, text => {
        const { entities, names } = worldOf({ 'encje/indeks.md': text })
        for (const entity of entities.all) {
          const found = resolveName(names, entity.name.toUpperCase(), { upTo: 'alias' })
          assert.equal(found.stage, 'exact')
          assert.ok(found.candidates.includes(entity))
          assert.equal(found.entity === null, found.ambiguous)
        }
      }),
    )
  })
})
