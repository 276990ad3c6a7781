import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import { ownerOfRow } from '#src/domain/entities/entities.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { day, worldOf } from '#test/support/world.js'
import { amountsOf, countOut, pursesEverOf, pursesHeldBy, pursesOf, supplyOn } from './purses.js'

const purse = (name: string, money: string, ...rows: ReadonlyArray<string>): string =>
  [`### ${name}`, '- @typ: Przedmiot', `- @generyczne_nazwy: ${money}`, ...rows, ''].join('\n')

const { entities } = worldOf({
  'encje/indeks.md': [
    '### Anna\n- @typ: NPC\n- @alias: Ania\n',
    purse(
      'A',
      'moneta, koron',
      '- @należy_do: Anna',
      '- @ilość: 2 (2026-01:2026-03)',
      '- @ilość: 3 (2026-04:)',
    ),
    purse(
      'B',
      'KORONY ELANCKIE',
      '- @należy_do: Ania (:2026-05)',
      '- @należy_do: Nikt (2026-06:)',
      '- @ilość: 4',
    ),
    purse('C', 'kogi', '- @należy_do: Anna', '- @ilość: -5'),
    purse('D', 'talary', '- @należy_do: Anna', '- @ilość: 7', '- @status: Usunięty (2026-02:)'),
    purse('E', 'Talizman', '- @należy_do: Anna', '- @ilość: 9'),
  ].join('\n'),
})

const anna = entities.byHeading.get(nameKey('Anna'))?.[0]
const wealth = (owner: Parameters<typeof pursesHeldBy>[1] | undefined, on: string) =>
  owner === undefined
    ? []
    : amountsOf(pursesHeldBy(entities, owner, day(on)), day(on)).map(one => [
        one.denomination,
        one.amount,
        one.kogi,
      ])

describe('purses', () => {
  it('are the items that a denomination names, in any form of it', () => {
    deepEqual(
      pursesOf(entities).map(({ item, denomination }) => [item.name, denomination.short]),
      [
        ['A', 'Korony'],
        ['B', 'Korony'],
        ['C', 'Kogi'],
        ['D', 'Talary'],
      ],
    )
  })

  it('of one owner add up by denomination, as of the day', () => {
    deepEqual(wealth(anna, '2026-01-15'), [
      ['Korony Elanckie', 6, 60_000],
      ['Talary Hirońskie', 7, 700],
      ['Kogi Skeltvorskie', -5, -5],
    ])
    deepEqual(wealth(anna, '2026-06-15'), [
      ['Korony Elanckie', 3, 30_000],
      ['Kogi Skeltvorskie', -5, -5],
    ])
    deepEqual(wealth(nameKey('Nikt'), '2026-06-15'), [['Korony Elanckie', 4, 40_000]])
  })

  it('are the supply together, but for those that are Usunięty', () => {
    deepEqual(
      supplyOn(entities, day('2026-06-15')).map(one => [one.denomination, one.amount]),
      [
        ['Korony Elanckie', 7],
        ['Kogi Skeltvorskie', -5],
      ],
    )
  })
})

describe('the purses that a row ever gave to an owner', () => {
  const world = worldOf({
    'encje/a.md': [
      purse('Przed', 'korony', '- @należy_do: Ania', '- @należy_do: Anna (2026:)'),
      '### Anna\n- @typ: NPC\n- @alias: Ania\n',
      '### Anna\n- @typ: Grupa\n',
      purse('Obca', 'korony', '- @należy_do: Nikt'),
    ].join('\n'),
    'encje/b.md': [
      purse('Dalej', 'kogi', '- @należy_do: Nikt (:2025)', '- @należy_do: ANNA (2026:)'),
      purse('Puste', 'kogi', '- @należy_do: '),
      '### Borys\n- @typ: NPC\n- @alias: Ania\n',
      purse('Wspólna', 'talary', '- @należy_do: Borys', '- @należy_do: Ania'),
    ].join('\n'),
  }).entities

  /** Looks at the rows of every purse. */
  const byEachRow = (owner: Entity | string): ReadonlyArray<string> =>
    pursesOf(world).flatMap(({ item }) =>
      item.rows.some(
        row =>
          row.tag === 'należy_do' &&
          row.value !== '' &&
          (ownerOfRow(world, item, row) ?? nameKey(row.value)) === owner,
      )
        ? [item.name]
        : [],
    )

  it('are those of every row that means the owner, in the order of the registry', () => {
    const owners = [...world.all, nameKey('Nikt'), nameKey('Ktoś')]
    const found = owners.map(owner => pursesEverOf(world, owner).map(({ item }) => item.name))
    deepEqual(found, owners.map(byEachRow))
    deepEqual(
      found.filter(names => names.length > 0),
      [['Przed', 'Dalej', 'Wspólna'], ['Wspólna'], ['Obca', 'Dalej']],
    )
  })
})

describe('a sum of Kogi', () => {
  for (const [kogi, parts] of [
    [20_305, [2, 3, 5]],
    [-20_305, [-2, -3, -5]],
    [0, [0, 0, 0]],
    [99, [0, 0, 99]],
    [-100, [0, -1, 0]],
  ] as const)
    it(`${kogi} is counted out as ${parts.join(', ')}`, () => {
      deepEqual(
        countOut(kogi).map(({ amount }) => amount),
        parts,
      )
    })
})
