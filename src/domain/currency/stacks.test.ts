import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Day } from '#protocol/atoms.js'
import { parseIndexFile } from '#src/domain/entities/bound-findings.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { activeOn } from '#src/domain/lore/rows/days.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { parseContributorStore } from '#src/domain/people/contributor-store.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { entitiesOf } from '#test/support/at-once.js'
import { block, many, numbers } from '#test/support/hostile/lore-text.js'
import { day, sourceFile } from '#test/support/world.js'
import { denominationsIn } from './purses.js'
import { type ItemRows, stacksOf } from './stacks.js'

const dayAt = (at: number): Day => day(`2026-01-${String(at + 1).padStart(2, '0')}`)
const owners = ['ala', 'ola', 'ula']
const denominations = ['Korony Elanckie', 'Talary Hirońskie']
const itemCount = 8

const rowOf = (tag: string, value: string, from: number): Row => ({
  tag,
  value,
  range: { from: dayAt(from), to: null },
  auto: false,
  line: 1,
  endLine: 1,
  source: { _tag: 'Session', header: 'S' },
})

/** Rows by item and the rules of FORMATS 7 read one by one. */
const naive = (all: ReadonlyArray<Entity>) => {
  const rows = new Map<Entity, Array<Row>>(all.map(item => [item, [...item.rows]]))
  const rowsOf = (item: Entity, tag: string): ReadonlyArray<Row> =>
    (rows.get(item) ?? [])
      .filter(row => row.tag === tag)
      .sort((one, other) => ((one.range.from ?? '') < (other.range.from ?? '') ? -1 : 1))
  const valueOn = (item: Entity, tag: string, at: Day): string | null =>
    rowsOf(item, tag).findLast(row => activeOn(row.range, at))?.value ?? null
  const read: ItemRows = {
    rowsOf,
    ownerOf: row => row.value.toLowerCase(),
    ownerNamed: name => name.toLowerCase(),
    ownerOn: (item, at) => valueOn(item, 'należy_do', at)?.toLowerCase() ?? null,
    goneOn: (item, at) => valueOn(item, 'status', at) === 'Usunięty',
  }
  const holders = (denomination: string, owner: string, at: Day): ReadonlyArray<Entity> =>
    all.filter(
      item =>
        // The rows in the order in which they came: the first denomination stays.
        denominationsIn({ rows: rows.get(item) ?? [] })[0]?.name === denomination &&
        !read.goneOn(item, at) &&
        read.ownerOn(item, at) === owner,
    )
  return { read, holders, add: (item: Entity, row: Row) => void rows.get(item)?.push(row) }
}

const pick = <A>(all: ReadonlyArray<A>, at: number): A => {
  const one = all[at % all.length]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

const worldOfItems = () => {
  const file = sourceFile(
    'encje/indeks.md',
    many(itemCount, at =>
      block(
        'Przedmiot',
        `Sakwa ${at}`,
        ...(at % 2 === 0 ? [`generyczne_nazwy: ${at % 4 === 0 ? 'Korony' : 'Korony, Talary'}`] : []),
        `należy_do: ${pick(owners, at)} (:2026-01-05)`,
        ...(at % 3 === 0 ? ['status: Usunięty (2026-01-02:2026-01-08)'] : []),
      ),
    ),
  )
  return entitiesOf([parseIndexFile(file)], { people: parseContributorStore(null), fileAt: () => null })
}

const changeOf = (kind: number, value: number, from: number): Row => {
  if (kind === 0)
    return rowOf('generyczne_nazwy', pick(['Korony', 'Talary', 'moneta, Talary, Korony'], value), from)
  return kind === 1
    ? rowOf('status', pick(['Usunięty', 'Aktywny'], value), from)
    : rowOf('należy_do', pick(owners, value), from)
}

describe('stacks of money', () => {
  it('finds a stack where the rows, read one by one, give the owner one', () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const entities = worldOfItems()
      const model = naive(entities.all)
      const stacks = stacksOf(entities.byType.get('Przedmiot') ?? [], model.read)
      atOnce(stacks.prepare())
      const steps = numbers(seed, 160, 1000)
      for (let at = 0; at < 28; at += 1) {
        const [item, kind, value, from] = steps.slice(at * 4, at * 4 + 4)
        const changed = pick(entities.all, item ?? 0)
        const row = changeOf((kind ?? 0) % 4, value ?? 0, (from ?? 0) % 28)
        model.add(changed, row)
        stacks.noteRow(changed, row)
        for (const denomination of denominations)
          for (const owner of owners) {
            const held = model.holders(denomination, owner, dayAt(at))
            const found = stacks.find(denomination, owner, dayAt(at))
            equal(found === null ? held.length === 0 : held.includes(found), true)
          }
      }
    }
  })

  it('finds the first of the registry, and none while all are deleted', () => {
    const entities = worldOfItems()
    const stacks = stacksOf(entities.byType.get('Przedmiot') ?? [], naive(entities.all).read)
    atOnce(stacks.prepare())
    const found = [0, 3].map(at => stacks.find('Korony Elanckie', 'ala', dayAt(at))?.name ?? null)
    deepEqual(found, ['Sakwa 0', null])
  })
})
