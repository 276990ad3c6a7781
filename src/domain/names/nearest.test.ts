import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { nameKey } from '#protocol/atoms.js'
import { countLookups } from '#test/support/count-lookups.js'
import { runsOf } from '#test/support/runs.js'
import { worldOf } from '#test/support/world.js'
import { countUnshared, letterMask, spellingDistance } from './near-spellings.js'
import { nearestBlocks, nearestNames } from './nearest.js'

/** The distance as the definition has it. */
const plain = (one: string, other: string): number => {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at]
    for (let to = 1; to <= other.length; to += 1)
      row.push(
        Math.min(
          (rows[at - 1]?.[to] ?? 0) + 1,
          (row[to - 1] ?? 0) + 1,
          (rows[at - 1]?.[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1),
        ),
      )
    rows.push(row)
  }
  return rows[one.length]?.[other.length] ?? 0
}

const word = fc
  .array(fc.constantFrom('a', 'b', 'c', 'ż', 'ł', 'w', ' '), { maxLength: 9 })
  .map(all => all.join(''))
const name = fc
  .array(fc.constantFrom('a', 'b', 'c', 'ż', 'ł', 'w'), { minLength: 1, maxLength: 7 })
  .map(all => `${all.join('').charAt(0).toUpperCase()}${all.slice(1).join('')}x`)

describe('the nearest names', () => {
  it('are told by a distance that is that of the definition, or past the bound', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 9 }), (one, other, max) => {
        const far = plain(one, other)
        equal(spellingDistance(one, other, max), Math.min(far, max + 1))
        ok(countUnshared(letterMask(one), letterMask(other)) <= far)
      }),
      { numRuns: runsOf(2000) },
    )
  })

  it('are those of a plain search, the nearest first', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1, maxLength: 12, selector: nameKey }),
        name,
        (all, asked) => {
          const { names } = worldOf({
            'encje/indeks.md': all.map(one => `### ${one}\n- @typ: Postać\n`).join('\n'),
          })
          const max = Math.max(2, Math.floor(asked.length / 3))
          const expected = all
            .map(one => ({ one, far: plain(nameKey(asked), nameKey(one)) }))
            .filter(({ far }) => far <= max)
            .sort((left, right) => left.far - right.far || (left.one < right.one ? -1 : 1))
            .slice(0, 3)
            .map(({ one }) => one)
          deepEqual(nearestNames(names, asked, 'Postać'), expected)
        },
      ),
      { numRuns: runsOf(200) },
    )
  })

  it('are of the type asked for, by heading and alias, and count a first word as near', () => {
    const { names } = worldOf({
      'encje/indeks.md':
        '### Wit Kłos\n- @typ: Postać\n- @alias: Kłosek\n\n### Wit\n- @typ: NPC\n\n### Wita\n- @typ: Postać\n',
    })
    deepEqual(nearestNames(names, 'Wit', 'Postać'), ['Wit Kłos', 'Wita'])
    deepEqual(nearestNames(names, 'kłosk', 'Postać'), ['Wit Kłos'])
    deepEqual(nearestNames(names, 'Zupełnie inny', 'Postać'), [])
    deepEqual(nearestNames(names, 'x'.repeat(101), 'Postać'), [])
    deepEqual(nearestNames(names, 'Wit', null), ['Wit', 'Wit Kłos', 'Wita'])
  })

  it('are looked for with bounded work, however many blocks are alike', () => {
    const blocks = Array.from(
      { length: 8_000 },
      (_, at) => `### Straż ${at.toString(36).padStart(4, 'ż')}\n- @typ: NPC\n`,
    )
    const { names } = worldOf({ 'encje/indeks.md': blocks.join('\n') })
    for (const asked of ['straż', 'straż żyżz', 'straz żżżżż', 'ztraż żżż']) {
      const { index, count } = countLookups(names)
      equal(nearestNames(index, asked, null).length, 3, asked)
      ok(count() < 8_000, `${asked}: ${count()} look-ups`)
    }
  })

  it('are beginnings of the name alone where there are no forms, which a look-up does not build', () => {
    const { entities } = worldOf({ 'encje/indeks.md': '### Wit\n- @typ: NPC\n\n### Wita\n- @typ: NPC\n' })
    deepEqual(nearestBlocks(entities, 'Wiat', null), ['Wit', 'Wita'])
    const notBuilt = { ...entities }
    deepEqual(nearestBlocks(notBuilt, 'Wit Kłos', null), ['Wit'])
    deepEqual(nearestBlocks(notBuilt, 'Wiat', null), [])
  })
})
