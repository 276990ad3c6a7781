import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { worldOf } from '#test/support/world.js'
import { reconcileMoney } from './reconciliation.js'

const purse = (name: string, owner: string, ...rows: ReadonlyArray<string>): string =>
  [
    `### ${name}`,
    '- @typ: Przedmiot',
    '- @generyczne_nazwy: korony',
    `- @należy_do: ${owner}`,
    ...rows,
    '',
  ].join('\n')

const people = `### Anna
- @typ: NPC

### Borys
- @typ: NPC
- @status: Nieaktywny
`

const found = (index: string, files: Readonly<Record<string, string>> = {}) =>
  reconcileMoney(worldOf({ 'encje/indeks.md': `${people}\n${index}`, ...files }))

const kinds = (...args: Parameters<typeof found>) =>
  found(...args)
    .filter(({ kind }) => kind !== 'Supply')
    .map(({ kind, severity, subject }) => [kind, severity, subject])

const session = (...changes: ReadonlyArray<string>): string =>
  `### 2026-06-01, Łup, N\n\n- @Zmiany:\n${changes.map(one => `    - ${one}\n`).join('')}`

describe('the checks of money', () => {
  it('find balances below zero, whatever the status but Usunięty', () => {
    const index = [
      purse('A', 'Anna', '- @ilość: -1'),
      purse('B', 'Anna', '- @ilość: -1', '- @status: Nieaktywny'),
      purse('C', 'Anna', '- @ilość: -1', '- @status: Usunięty'),
      purse('D', 'Anna', '- @ilość: 0'),
    ].join('\n')
    deepEqual(kinds(index), [
      ['NegativeBalance', 'error', 'A'],
      ['NegativeBalance', 'error', 'B'],
    ])
  })

  it('find balances whose last row began more than three months ago; undated ones never go stale', () => {
    const index = [
      purse('A', 'Anna', '- @ilość: 5 (2026-03-14:)'),
      purse('B', 'Anna', '- @ilość: 5 (2026-03-15:)'),
      purse('C', 'Anna', '- @ilość: 5'),
      purse('D', 'Anna', '- @ilość: 5 (2020:)', '- @status: Nieaktywny'),
    ].join('\n')
    deepEqual(kinds(index), [['StaleBalance', 'warning', 'A']])
  })

  it('find purses that name several denominations, of which the first counts', () => {
    const several = purse('A', 'Anna', '- @ilość: 5').replace('korony', 'moneta, talary, Korony, talar')
    deepEqual(kinds(`${several}\n${purse('B', 'Anna').replace('korony', 'Korony, korony elanckie')}`), [
      ['SeveralDenominations', 'warning', 'A'],
    ])
    deepEqual(
      found(several).flatMap(({ kind, subject, reason }) => (kind === 'Supply' ? [[subject, reason]] : [])),
      [['Talary Hirońskie', 'Talary Hirońskie: w obiegu jest 5.']],
    )
  })

  it('find money of owners who are inactive, deleted or in no file', () => {
    const index = [
      purse('A', 'Borys', '- @ilość: 5'),
      purse('B', 'Nikt', '- @ilość: 5'),
      purse('C', 'Anna', '- @ilość: 5'),
      purse('D', 'Nikt', '- @ilość: 5', '- @status: Nieaktywny'),
    ].join('\n')
    deepEqual(kinds(index), [
      ['OrphanedCurrency', 'warning', 'A'],
      ['OrphanedCurrency', 'warning', 'B'],
    ])
  })

  it('find sessions whose signed changes do not cancel out, by denomination', () => {
    const index = [
      purse('A', 'Anna', '- @ilość: 5'),
      purse('B', 'Anna', '- @ilość: 5'),
      purse('T', 'Anna', '- @ilość: 5').replace('korony', 'talary'),
    ].join('\n')
    const asymmetric = (text: string) =>
      found(index, { 'Sesje.md': text }).filter(({ kind }) => kind === 'AsymmetricTransaction')
    const paired = session('A\n        - @ilość: +25', 'B\n        - @ilość: \u221225')
    deepEqual(asymmetric(paired), [])
    deepEqual(asymmetric(session('A\n        - @ilość: 25', 'A\n        - @ilość: +25 (2026-05:)')), [])
    const loot = session('A\n        - @ilość: +25', 'T\n        - @ilość: -3')
    deepEqual(
      asymmetric(loot).map(({ severity, file, subject, reason }) => [severity, file, subject, reason]),
      [
        [
          'warning',
          'encje/indeks.md',
          '2026-06-01, Łup, N',
          'Zmiany sesji „2026-06-01, Łup, N” dają w nominale „Korony Elanckie” razem +25, a nie 0.',
        ],
        [
          'warning',
          'encje/indeks.md',
          '2026-06-01, Łup, N',
          'Zmiany sesji „2026-06-01, Łup, N” dają w nominale „Talary Hirońskie” razem -3, a nie 0.',
        ],
      ],
    )
  })

  it('tell the supply of each denomination, without what is Usunięty', () => {
    const index = [
      purse('A', 'Anna', '- @ilość: 5'),
      purse('B', 'Borys', '- @ilość: 7', '- @status: Nieaktywny'),
      purse('C', 'Anna', '- @ilość: 9', '- @status: Usunięty'),
    ].join('\n')
    deepEqual(
      found(index)
        .filter(({ kind }) => kind === 'Supply')
        .map(({ severity, file, subject, reason }) => [severity, file, subject, reason]),
      [['info', 'encje/indeks.md', 'Korony Elanckie', 'Korony Elanckie: w obiegu jest 12.']],
    )
    deepEqual(found(''), [])
  })
})
