import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { collectInSlices } from '#src/domain/entities/reading.js'
import { lookAlikeFindings } from '#src/domain/lint/integrity-of.js'
import {
  findLookAlikes,
  isPlainName,
  looksLike,
  mixedWordIn,
  namesOfEntity,
  plainReadings,
  skeletonsOf,
} from '#src/domain/names/look-alike.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { runsOf } from '#test/support/runs.js'
import { worldOf } from '#test/support/world.js'

const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
const polish = Array.from('ĄąĆćĘęŁłŃńÓóŚśŹźŻż')
const plainName = fc.string({ unit: fc.constantFrom(...ascii, ...polish), minLength: 1, maxLength: 12 })

/** Names of few letters and of what looks like them, so that many of them look alike. */
const alike = [
  'I',
  'l',
  '1',
  'ı',
  'і',
  'Ӏ',
  'Ｉ',
  'i\u0307',
  'o',
  'О',
  'ο',
  '0',
  'm',
  'rn',
  'М',
  'ł',
  'Ł',
  'B',
  'β',
  'В',
  '𝐛',
]
const oddName = fc.array(fc.constantFrom(...alike), { minLength: 1, maxLength: 4 }).map(all => all.join(''))
const anyName = fc.oneof(plainName, oddName, fc.string({ unit: 'grapheme', maxLength: 8 }))

/** The letters A to Z in another shape, from the code of its `A` and its `a` on. */
const shapes = [
  ['fullwidth', 0xff21, 0xff41],
  ['mathematical bold', 0x1d400, 0x1d41a],
  ['mathematical sans-serif', 0x1d5a0, 0x1d5ba],
] as const
const shaped = (text: string, [, capital, small]: (typeof shapes)[number]): string =>
  text.replace(/[a-z]/giu, char => {
    const code = char.charCodeAt(0)
    return String.fromCodePoint(code < 97 ? capital + code - 65 : small + code - 97)
  })

const blocksOf = (names: ReadonlyArray<readonly [heading: string, alias: string]>) =>
  names.map(([heading, alias]) => `### A${heading}\n- @typ: NPC\n- @alias: A${alias}\n`).join('\n')
const entitiesOf = (names: ReadonlyArray<readonly [heading: string, alias: string]>): Entities =>
  worldOf({ 'encje/indeks.md': blocksOf(names) }).entities

/** The blocks that look alike by comparing every pair of names. */
const comparedAll = ({ all }: Entities, name: string, than: Entity | null): ReadonlySet<Entity> =>
  new Set(all.filter(one => one !== than && namesOfEntity(one).some(other => looksLike(name, other.name))))

describe('names that look alike', () => {
  it('look alike both ways, and no name looks like itself', () => {
    fc.assert(
      fc.property(anyName, anyName, (one, other) => {
        equal(looksLike(one, other), looksLike(other, one))
        equal(looksLike(one, one), false)
      }),
      { numRuns: runsOf(2_000) },
    )
  })

  it('are never two names of printable ASCII and Polish letters, and such a name mixes no scripts', () => {
    fc.assert(
      fc.property(plainName, plainName, (one, other) => {
        equal(looksLike(one, other), false)
        deepEqual([isPlainName(one.normalize('NFD')), mixedWordIn(one), plainReadings(one)], [true, null, []])
      }),
      { numRuns: runsOf(2_000) },
    )
  })

  it('are a name and its letters in another shape, in any case', () => {
    fc.assert(
      fc.property(plainName, fc.constantFrom(...shapes), fc.nat(2), (name, shape, letters) => {
        const cased = [name, name.toUpperCase(), name.toLowerCase()][letters] ?? name
        const other = shaped(cased, shape)
        if (other === cased) return
        equal(looksLike(other, name), true, other)
        deepEqual([...skeletonsOf(other)], [...skeletonsOf(name)])
      }),
      { numRuns: runsOf(2_000) },
    )
  })

  it('are found among the blocks as by comparing all of them, also after commits', () => {
    // So many blocks stay that a commit changes the maps of spellings, and does not make them again.
    const staying = worldOf({
      'encje/a.md': Array.from(
        { length: 80 },
        (_, at) => `### A${alike[at % 21]}${at % 4}\n- @typ: NPC\n`,
      ).join(''),
    }).entities.groups
    const names = fc.array(fc.tuple(oddName, oddName), { maxLength: 8 })
    let found = 0
    fc.assert(
      fc.property(
        fc.array(names, { minLength: 1, maxLength: 4 }),
        fc.array(oddName, { maxLength: 4 }),
        (steps, asked) => {
          let entities = atOnce(collectInSlices(staying, []))
          for (const step of steps) {
            entities = atOnce(collectInSlices([...staying, ...entitiesOf(step).groups], [], entities))
            const subjects: ReadonlyArray<readonly [name: string, than: Entity | null]> = [
              ...asked.map(name => [`A${name}`, null] as const),
              ...entities.all.slice(75).map(one => [one.name, one] as const),
            ]
            for (const [name, than] of subjects) {
              const all = comparedAll(entities, name, than)
              deepEqual(new Set(findLookAlikes(entities, name, than)), all, name)
              found += all.size
            }
          }
        },
      ),
      { numRuns: runsOf(100) },
    )
    ok(found > 100, `${found} look-alikes`)
  })

  it('are no finding in lore of plain names', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(plainName, plainName), { maxLength: 12 }), names => {
        deepEqual(lookAlikeFindings(entitiesOf(names)), [])
      }),
      { numRuns: runsOf(100) },
    )
  })
})
