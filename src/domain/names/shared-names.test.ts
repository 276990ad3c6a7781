import { deepEqual, equal, ok } from 'node:assert/strict'
import { homonymsMax } from '#src/domain/entities/entities.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { countLookups } from '#test/support/count-lookups.js'
import { worldBlock } from '#test/support/names-world.js'
import { day, worldOf } from '#test/support/world.js'
import { type NameWish, type NameWorld, resolveWishesInSlices, resolveWishInSlices } from './requests.js'
import { resolveName } from './resolve.js'

const manyOf = (count: number, blockOf: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => blockOf(at)).join('\n')

const guards = 3_000
const callers = 2_000
const depth = 300

const world = worldOf({
  'encje/indeks.md': [
    worldBlock('Strażnik', 'Grupa'),
    manyOf(guards, at => worldBlock(`Strażnik (${at})`, 'NPC')),
    manyOf(guards, at => worldBlock(`Wartownik (${at})`, 'NPC')),
    manyOf(depth, at => worldBlock(`Komnata ${at}`, 'Lokacja', `lokacja: Komnata ${at + 1}`)),
    worldBlock(`Komnata ${depth}`, 'Lokacja'),
    manyOf(callers, at =>
      worldBlock(`Osoba ${at}`, 'NPC', `lokacja: Komnata ${at % depth}`, 'alias: Cień (2020:2021)'),
    ),
    worldBlock('Cienista Postać', 'Postać', 'lokacja: Rynek', 'alias: Cień (2022:)'),
    worldBlock('Rynek', 'Lokacja'),
  ].join('\n'),
})

const wishFor = (name: string, wish: Partial<NameWish> = {}): NameWish => ({
  name,
  type: null,
  within: null,
  activeOn: null,
  noFuzzy: false,
  topN: 20,
  maxDistance: 3,
  ...wish,
})

const countPauses = <A>(work: Sliced<A>): { readonly value: A; readonly pauses: number } => {
  let pauses = 0
  for (;;) {
    const step = work.next()
    if (step.done === true) return { value: step.value, pauses }
    pauses += 1
  }
}

const place = (name: string) => resolveName(world.names, name, { upTo: 'alias' }).entity

describe('a name that thousands of blocks share', () => {
  it('is ambiguous after a bounded number of look-ups', () => {
    const { index, count } = countLookups(world.names)
    const found = resolveName(index, 'wartownika', { upTo: 'fuzzy' })
    deepEqual([found.ambiguous, found.candidates.length], [true, homonymsMax + 1])
    ok(count() < 6 * homonymsMax, `${count()} look-ups`)
  })

  it('is looked up a bounded number of times where no owner passes the filters', () => {
    const { index, count } = countLookups(world.names)
    equal(resolveName(index, 'wartownika', { upTo: 'lemma', types: ['Gracz'] }).stage, 'miss')
    ok(count() < 2 * guards, `${count()} look-ups`)
  })

  it('does not hide the one block that has it as heading', () => {
    const { entity, stage } = resolveName(world.names, 'strażnika', { upTo: 'fuzzy' })
    deepEqual([entity?.name, stage], ['Strażnik', 'declension'])
  })

  it('is filtered in several turns, with the answer of one', () => {
    for (const [wish, name] of [
      [{ type: 'Postać' }, 'Cienista Postać'],
      [{ activeOn: day('2023-05-01') }, 'Cienista Postać'],
      [{ within: place('Rynek') }, 'Cienista Postać'],
      [{ activeOn: day('2020-05-01') }, null],
      [{ within: place('Komnata 299') }, null],
    ] as const) {
      const { value, pauses } = countPauses(resolveWishInSlices(world, wishFor('Cień', wish)))
      deepEqual([value.stage, value.entity?.name ?? null, value.ambiguous], ['alias', name, name === null])
      ok(name === null || pauses >= callers / 200, `${pauses} pauses`)
    }
  })

  it('is resolved once for equal queries of a batch', () => {
    const { index, count } = countLookups(world.names)
    const counted: NameWorld = { entities: world.entities, names: index, day: world.day }
    const resolve = (times: number) => {
      const before = count()
      const wishes = Array.from({ length: times }, () => wishFor('wartownika', { within: place('Rynek') }))
      const results = atOnce(resolveWishesInSlices(counted, wishes, () => true))
      return { results, lookups: count() - before }
    }
    const [one, many] = [resolve(1), resolve(50)]
    equal(many.lookups, one.lookups)
    deepEqual(
      many.results,
      Array.from({ length: 50 }, () => one.results[0]),
    )
  })

  it('is no longer resolved when the caller of the batch is gone', () => {
    let asked = 0
    const wishes = Array.from({ length: 40 }, (_, at) => wishFor(`wartownika ${at}`))
    const results = atOnce(resolveWishesInSlices(world, wishes, () => (asked += 1) <= 3))
    equal(results.length, 3)
  })

  it('is resolved again in a batch for a query with other options', () => {
    const wishes = [
      wishFor('Cień'),
      wishFor('Cień', { type: 'Postać' }),
      wishFor('Cień', { within: place('Rynek') }),
      wishFor('Cień', { within: place('Komnata 5') }),
      wishFor('Cień', { activeOn: day('2023-05-01') }),
    ]
    deepEqual(
      atOnce(resolveWishesInSlices(world, wishes, () => true)).map(one => one.resolved),
      [null, 'Cienista Postać', 'Cienista Postać', null, 'Cienista Postać'],
    )
  })
})
