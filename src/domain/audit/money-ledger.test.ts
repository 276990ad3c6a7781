import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type Entity } from '#src/domain/entities/entity.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { day, worldOf } from '#test/support/world.js'
import { isPartyKnown, type LedgerFilter, moneyLedger } from './money-ledger.js'

const purse = (name: string, money: string, owner: string, ...quantities: ReadonlyArray<string>): string =>
  [
    `### ${name}\n- @typ: Przedmiot\n- @generyczne_nazwy: ${money}\n- @należy_do: ${owner}`,
    ...quantities.map(one => `- @ilość: ${one}`),
    '',
  ].join('\n')

const index = [
  '### Skarbiec\n- @typ: Grupa\n',
  '### Anna\n- @typ: NPC\n',
  '### Borys\n- @typ: NPC\n',
  purse('Korony Skarbca', 'korony', 'Skarbiec', '300 (2024-01:)'),
  purse('Korony Anny', 'korony', 'Anna', '10 (2024-01:)'),
  purse('Schowek Anny', 'korony', 'Anna', '7 (2024-01:)', '8 (2024-05:)'),
  purse('Talary Anny', 'talary', 'Anna', '3'),
  purse('Korony Borysa', 'korony', 'Borys', '0'),
].join('\n')

const target = '2024-05-03, Targ, Solmyr'
const late = '2024-07-03, Karczma, Nikt'
const sessions = `### ${target}

- @Zmiany:
    - Korony Anny
        - @ilość: +25
- @Transfer: 4 koron, Anna -> Borys
- @Transfer: 1 talar, Anna -> Borys

### ${late}

- @Transfer: 2 korony, Borys -> Anna
- @Transfer: 2 kogutów, Borys -> Anna
`

const close = JSON.stringify({
  header: target,
  op: 'close',
  at: '2026-01-01T00:00:00Z',
  by: 'a',
  source: 'close',
})

const move = (id: string, on: string, amount: number, source: string, destination: string): string =>
  JSON.stringify({
    ...{ id, at: `${on}T10:00:00Z`, day: on, by: '41001', reason: 'Wypłata' },
    transfers: [{ amount, denomination: 'koron', source, destination }],
  })

const snapshot: Snapshot = worldOf({
  'encje/indeks.md': index,
  'Sesje.md': sessions,
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
  '.svc/close/ledger.jsonl': close,
  '.svc/money/moves.jsonl': [
    move('a', '2024-02-01', 20, 'Skarbiec', 'Anna'),
    move('b', '2024-05-03', 5, 'Skarbiec', 'Borys'),
  ].join('\n'),
})

const everything = { named: false, limit: null, offset: 0 }

const read = (
  filter: LedgerFilter = {},
  only: ReadonlyArray<Entity> | null = null,
  window: Parameters<typeof moneyLedger>[3] = everything,
) => atOnce(moneyLedger(snapshot, only, filter, window))

const brief = (filter: LedgerFilter) =>
  read(filter).items.map(one => [one.date, one.direction, one.amount, one.state, one.balance])

describe('the ledger of money', () => {
  it('has the Transfers of sessions and moves by date, each with its state', () => {
    deepEqual(
      read().items.map(one => [
        one.date,
        one.move?.id ?? one.title,
        one.amount,
        one.denomination,
        one.kogi,
        one.state,
      ]),
      [
        ['2024-02-01', 'a', 20, 'Korony Elanckie', 200_000, 'applied'],
        ['2024-05-03', 'Targ', 4, 'Korony Elanckie', 40_000, 'applied'],
        ['2024-05-03', 'Targ', 1, 'Talary Hirońskie', 100, 'pending'],
        ['2024-05-03', 'b', 5, 'Korony Elanckie', 50_000, 'applied'],
        ['2024-07-03', 'Karczma', 2, 'Korony Elanckie', 20_000, 'pending'],
        ['2024-07-03', 'Karczma', 2, 'kogutów', null, 'refused'],
      ],
    )
  })

  it('knows blocks in any form, and names of Transfers that no block has', () => {
    const known = ['Anna', 'Anny', 'Borys', 'Solmyr', 'Skarbiec', 'Nikt', 'Anka'].map(name => [
      name,
      isPartyKnown(snapshot, name),
    ])
    deepEqual(known, [
      ['Anna', true],
      ['Anny', true],
      ['Borys', true],
      ['Solmyr', true],
      ['Skarbiec', true],
      ['Nikt', false],
      ['Anka', false],
    ])
  })

  it('says why one does not count, who told the session, and what a move was for', () => {
    const { items } = read()
    deepEqual(
      items.map(one => one.why),
      [
        null,
        null,
        '„Borys” nie ma tego dnia sakiewki w nominale „Talary Hirońskie”.',
        null,
        'Sesja nie jest zamknięta.',
        '„kogutów” nie jest nominałem pieniędzy.',
      ],
    )
    deepEqual(items[0]?.move, { id: 'a', at: '2024-02-01T10:00:00Z', by: '41001', reason: 'Wypłata' })
    deepEqual([items[1]?.header, items[1]?.narrator, items[1]?.direction], [target, 'Solmyr', null])
  })

  it('of an entity has direction and balance over all its purses, from the opening one', () => {
    const filter = { entity: 'Anny' }
    deepEqual(brief(filter), [
      ['2024-02-01', 'in', 20, 'applied', 37],
      ['2024-05-03', 'out', 4, 'applied', 59],
      ['2024-05-03', 'out', 1, 'pending', null],
      ['2024-07-03', 'in', 2, 'pending', null],
      ['2024-07-03', 'in', 2, 'refused', null],
    ])
    const { balances, wealth } = read(filter)
    deepEqual(balances, [
      { denomination: 'Korony Elanckie', opening: 17, closing: 59 },
      { denomination: 'Talary Hirońskie', opening: 3, closing: 3 },
    ])
    deepEqual(wealth, {
      kogi: 590_300,
      amounts: [
        { denomination: 'Korony Elanckie', amount: 59, kogi: 590_000 },
        { denomination: 'Talary Hirońskie', amount: 3, kogi: 300 },
      ],
      counted: [
        { denomination: 'Korony Elanckie', amount: 59 },
        { denomination: 'Talary Hirońskie', amount: 3 },
        { denomination: 'Kogi Skeltvorskie', amount: 0 },
      ],
    })
  })

  it('gives the same balances in a window as in the whole', () => {
    const whole = read({ entity: 'Borys' })
    for (let at = 0; at < whole.items.length; at += 1) {
      const page = read({ entity: 'Borys' }, null, { named: true, limit: 1, offset: at })
      deepEqual(
        [page.items, page.total, page.balances],
        [[whole.items[at]], whole.items.length, whole.balances],
      )
    }
    deepEqual(
      whole.items.map(one => one.balance),
      [4, null, 9, null, null],
    )
  })

  it('is filtered by denomination in any form and by days; the opening is then that of the first row', () => {
    deepEqual(
      read({ denomination: 'TALARÓW' }).items.map(one => one.amount),
      [1],
    )
    deepEqual(read({ denomination: 'talizman' }).items, [])
    deepEqual(read({ denomination: 'kogutów' }).items.length, 1)
    deepEqual(
      read({ from: day('2024-05-03'), to: day('2024-05-03') }).items.map(one => one.amount),
      [4, 1, 5],
    )
    deepEqual(read({ entity: 'Anna', from: day('2024-05-01'), denomination: 'korony' }).balances, [
      { denomination: 'Korony Elanckie', opening: 63, closing: 59 },
    ])
    deepEqual(read({ entity: 'Anna', to: day('2024-01-15'), denomination: 'korony' }).balances, [
      { denomination: 'Korony Elanckie', opening: 17, closing: 17 },
    ])
  })

  it('has the supply, which is what all owners have', () => {
    deepEqual(read().supply, [
      { denomination: 'Korony Elanckie', amount: 343, kogi: 3_430_000 },
      { denomination: 'Talary Hirońskie', amount: 3, kogi: 300 },
    ])
    deepEqual(
      read({ denomination: 'talar' }).supply?.map(one => one.amount),
      [3],
    )
  })

  it('shows to one who sees their own their Transfers alone, without the supply', () => {
    const borys = snapshot.entities.all.filter(one => one.name === 'Borys')
    const { items, supply } = read({}, borys)
    deepEqual(
      items.map(one => one.amount),
      [4, 1, 5, 2, 2],
    )
    equal(supply, null)
    deepEqual(read({}, []).items, [])
  })

  it('of a name that nothing has is empty', () => {
    const { items, balances, wealth } = read({ entity: 'Nikt Taki' })
    deepEqual([items, balances, wealth?.kogi], [[], [], 0])
  })
})
