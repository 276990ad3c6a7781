import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { leastStepsMs, processorTimeMs, slowness } from '#test/support/processor-time.js'
import { runsOf } from '#test/support/runs.js'
import { day, worldOf } from '#test/support/world.js'
import { comparedCharsMax, makeNearSpellings, spellingDistance } from './near-spellings.js'
import { nearestNames, nearestNamesInSlices } from './nearest.js'
import { resolveWishInSlices } from './requests.js'
import { resolveName } from './resolve.js'
import type { NameIndex } from './spelling-table.js'
import { fuzzyLimit } from './stages.js'

const filesOf = (names: ReadonlyArray<string>) => ({
  'encje/indeks.md': names.map(name => `### ${name}\n- @typ: NPC\n`).join('\n'),
})

/** Names of few different letters, so that many are alike; a text like one of them. */
const letters = fc.constantFrom('a', 'b', 'ż', ' ')
const text = fc
  .array(letters, { minLength: 1, maxLength: 24 })
  .map(all => `w${all.join('').replace(/ +/gu, ' ')}x`)
const edit = fc.record({ at: fc.nat(24), drop: fc.nat(1), put: fc.constantFrom('', 'a', 'b', 'q') })
const edited = (from: string, edits: ReadonlyArray<{ at: number; drop: number; put: string }>): string =>
  edits.reduce((now, { at, drop, put }) => now.slice(0, at) + put + now.slice(at + drop), from)
const likeOneOf = (all: fc.Arbitrary<ReadonlyArray<string>>) =>
  fc
    .tuple(all, fc.nat(), fc.array(edit, { maxLength: 4 }))
    .map(([names, at, edits]) => ({ names, asked: edited(names[at % names.length] ?? '', edits) }))

/** The one near block, by a comparison with every name. */
const plainNearest = (names: ReadonlyArray<string>, asked: NameKey): string | null => {
  const limit = fuzzyLimit(asked.length)
  const near = names
    .map(name => ({ name, distance: spellingDistance(asked, nameKey(name), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance)
  const [best, second] = near
  return best === undefined || (second !== undefined && second.distance <= best.distance + 1)
    ? null
    : best.name
}

describe('the spellings near a text', () => {
  it('are those that a comparison with each of them finds, each once', () => {
    fc.assert(
      fc.property(
        likeOneOf(fc.uniqueArray(text, { minLength: 1, maxLength: 30, selector: nameKey })),
        fc.integer({ min: 0, max: 3 }),
        ({ names, asked }, max) => {
          const spellings = makeNearSpellings()
          for (const name of names) spellings.add(nameKey(name))
          const found = [...spellings.near(asked, max)].filter(one => typeof one !== 'number')
          const expected = names
            .map(name => ({ key: nameKey(name), distance: spellingDistance(asked, nameKey(name), max) }))
            .filter(({ distance }) => distance <= max)
          const inOrder = (all: ReadonlyArray<{ key: NameKey; distance: number }>) =>
            [...all].sort((one, other) => (one.key < other.key ? -1 : 1))
          deepEqual(inOrder(found), inOrder(expected))
        },
      ),
      { numRuns: runsOf(3000) },
    )
  })

  it('name a block only with a margin, as a comparison with every name does', () => {
    fc.assert(
      fc.property(
        likeOneOf(fc.uniqueArray(text, { minLength: 1, maxLength: 12, selector: nameKey })),
        ({ names: written, asked }) => {
          const { names } = worldOf(filesOf(written))
          if (resolveName(names, asked, { upTo: 'lemma' }).stage !== 'miss') return
          const { entity } = resolveName(names, asked, { upTo: 'fuzzy' })
          equal(entity?.name ?? null, plainNearest(written, nameKey(asked)))
        },
      ),
      { numRuns: runsOf(400) },
    )
  })

  it('are none of a text that is longer than any that is compared, and no spelling is', () => {
    const spellings = makeNearSpellings()
    const long = nameKey('ż'.repeat(comparedCharsMax))
    spellings.add(long)
    spellings.add(nameKey(`${long}ż`))
    const near = (asked: string) => [...spellings.near(asked, 1)].filter(one => typeof one !== 'number')
    deepEqual(near(long), [{ key: long, distance: 0 }])
    deepEqual(near(`${long}ż`), [])
  })
})

const manyNames = 30_000
const numbered = (start: string) =>
  Array.from({ length: manyNames }, (_, at) => `${start} ${String(at).padStart(5, '0')}`)
const longStart = 'Straż Miejska Portowa Dolnego Miasta Nad Rzeką Którą Nazwano Imieniem Króla Starego'

/** Names that are alike, and texts near several of them, near one, and near none. */
const alikes: ReadonlyArray<
  readonly [kind: string, names: ReadonlyArray<string>, asked: ReadonlyArray<string>]
> = [
  [
    'that end in a number',
    numbered('Straż Miejska Portowa'),
    ['Straż Miejska Portowa 0z0x1', 'Straż Miejska Portowa zzzzz', 'Sraż Mejska Prtowa 00017'],
  ],
  ['of 90 characters', numbered(longStart), [`${longStart} z0z0x`, `${longStart} zzzzz`]],
  [
    'of one letter',
    Array.from({ length: manyNames }, (_, at) => `A${'a'.repeat(20 + (at % 70))} ${at.toString(36)}`),
    [`A${'a'.repeat(60)}`, `A${'a'.repeat(44)}zzzz`],
  ],
  [
    'of five characters',
    Array.from({ length: manyNames }, (_, at) => `W${at.toString(36).padStart(4, 'a')}`),
    ['Wazzz', 'Wb-xz'],
  ],
]

/** The processor time of the work and of its longest turn, in ms: at most these for one name. */
const bars = { wholeMs: 50, turnMs: 15 }

const wishFor = (name: string, type: EntityType | null) => ({
  name,
  type,
  within: null,
  activeOn: null,
  noFuzzy: false,
  topN: 20,
  maxDistance: 3,
})

/** Work on one name, by the way of asking. */
const worksOn = (world: ReturnType<typeof worldOf>, name: string) => {
  const ground = { entities: world.entities, names: world.names, day: day('2026-01-01') }
  return {
    'resolves it': () => resolveWishInSlices(ground, wishFor(name, null)),
    'resolves it by a type that no block has': () => resolveWishInSlices(ground, wishFor(name, 'Postać')),
    'suggests names': () => nearestNamesInSlices(world.names, name, null),
  }
}

describe('a name among 30,000 names that are alike', () => {
  for (const [kind, written, asked] of alikes)
    it(`is found in 50 ms of processor time, in turns: names ${kind}`, () => {
      const world = worldOf(filesOf([...new Set(written)]))
      nearestNames(world.names, 'warm-up', null)
      for (const name of asked)
        for (const [what, work] of Object.entries(worksOn(world, name))) {
          const slow = slowness()
          const wholeMs = Math.min(
            ...Array.from({ length: 5 }, () => {
              const from = processorTimeMs()
              atOnce<unknown>(work())
              return processorTimeMs() - from
            }),
          )
          ok(
            wholeMs < bars.wholeMs * slow,
            `${name} ${what}: ${wholeMs} ms, the machine ${slow} times slower`,
          )
          const turns = leastStepsMs(bars.turnMs * slow, work)
          ok(Math.max(...turns) < bars.turnMs * slow, `${name} ${what}: a turn of ${Math.max(...turns)} ms`)
        }
    })

  it('has as near names those of the nearest, whatever else is alike', () => {
    const { names }: { readonly names: NameIndex } = worldOf(filesOf(numbered('Straż Miejska Portowa')))
    deepEqual(nearestNames(names, 'Straż Miejska Portowa 0001', null), [
      'Straż Miejska Portowa 00001',
      'Straż Miejska Portowa 00010',
      'Straż Miejska Portowa 00011',
    ])
  })
})
