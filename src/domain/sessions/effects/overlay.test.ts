import { deepEqual, equal, ok } from 'node:assert/strict'
import { nameKey } from '#protocol/atoms.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { worldOf } from '#test/support/world.js'

const index = `### Rion
- @typ: NPC
- @lokacja: Deyja
- @lokacja: Nighon (2024-08:)

### Sobowtór
- @typ: NPC

### Sobowtór
- @typ: Lokacja

### Anna
- @typ: Postać
- @należy_do: Solmyr

### Borys
- @typ: NPC

### Korony Anny
- @typ: Przedmiot
- @generyczne_nazwy: Korony Elanckie
- @należy_do: Anna
- @ilość: 10 (2024-01:)

### Sakwa Borysa
- @typ: Przedmiot
- @generyczne_nazwy: korony
- @należy_do: Borys
- @ilość: -2

### Talizman
- @typ: Przedmiot
- @generyczne_nazwy: Talizman
- @należy_do: Borys
`

const line = (header: string, op = 'close'): string =>
  JSON.stringify({ header, op, at: '2026-01-01T00:00:00Z', by: 'a', source: 'close', transfers: 0, intel: 0 })

const world = (sessions: string, ledger: ReadonlyArray<string> | null = null): Snapshot =>
  worldOf({
    'encje/indeks.md': index,
    'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
    'Sesje.md': sessions,
    '.svc/close/ledger.jsonl': (
      ledger ?? [...sessions.matchAll(/^### (.*)$/gmu)].map(found => line(found[1] ?? ''))
    ).join('\n'),
  })

const rows = (
  { entities }: Snapshot,
  name: string,
  tag: string,
): ReadonlyArray<readonly [string, string | null]> =>
  (entities.byHeading.get(nameKey(name))?.[0]?.rows ?? [])
    .filter(row => row.tag === tag)
    .map(row => [row.value, row.range.from])

const kinds = (snapshot: Snapshot) => snapshot.findings.map(finding => [finding.kind, finding.line])

const move = '### 2024-05-03, T, Solmyr\n\n- @Zmiany:\n    - Rion\n        - @lokacja: Erathia\n'

describe('what closed sessions state', () => {
  it('is added by date, undated rows first, dated by the session where it has no range', () => {
    deepEqual(rows(world(move), 'Rion', 'lokacja'), [
      ['Deyja', null],
      ['Erathia', '2024-05-03'],
      ['Nighon', '2024-08-01'],
    ])
  })

  it('says which session states it', () => {
    const [rion] = world(move).entities.byHeading.get(nameKey('Rion')) ?? []
    deepEqual(
      rion?.rows.filter(row => row.source._tag === 'Session').map(row => [row.source, row.line]),
      [[{ _tag: 'Session', header: '2024-05-03, T, Solmyr' }, 5]],
    )
  })

  it('counts only when the close ledger has the session, under whatever blanks', () => {
    const header = '2024-05-03, T, Solmyr'
    equal(rows(world(move, []), 'Rion', 'lokacja').length, 2)
    equal(rows(world(move, [line(header, 'distribute')]), 'Rion', 'lokacja').length, 2)
    equal(rows(world(move, [line(`### ${header.replace(' ', '  ')}`)]), 'Rion', 'lokacja').length, 3)
  })

  it('notes a ledger line that it cannot read', () => {
    deepEqual(
      world(move, ['{', line('x')]).closeLedger.findings.map(finding => [finding.kind, finding.line]),
      [['CloseLedgerLine', 1]],
    )
  })

  it('has no effect on nobody, on several, on a Gracz, nor on what only a batch writes', () => {
    const text = `### 2024-05-03, T, S

- @Zmiany:
    - Nikt
        - @status: Aktywny
    - Sobowtór
        - @status: Aktywny
    - Solmyr
        - @status: Aktywny
    - Anna
        - @pu_suma: 100
        - @stan: Ranna (2024-13:)
    - Korony Anny
        - @ilość: dużo
`
    const snapshot = world(text)
    deepEqual(kinds(snapshot), [
      ['UnresolvedChange', 4],
      ['AmbiguousChange', 6],
      ['RefusedChange', 8],
      ['RefusedChange', 11],
      ['RefusedChange', 12],
      ['RefusedChange', 14],
    ])
    const untouched = worldOf({ 'encje/indeks.md': index }).entities.all.map(entity => entity.rows.length)
    deepEqual(
      snapshot.entities.all.filter(entity => entity.type !== 'Gracz').map(entity => entity.rows.length),
      untouched,
    )
  })

  it('adds signed quantities to what was active, and takes others as they are', () => {
    const change = (value: string): string => `- @Zmiany:\n    - Korony Anny\n        - @ilość: ${value}\n`
    const text = `### 2024-05-03, A, S\n\n${change('+5')}\n### 2024-06-03, B, S\n\n${change('-20')}\n### 2024-07-03, C, S\n\n${change('7')}\n### 2023-07-03, D, S\n\n${change('+1')}`
    deepEqual(rows(world(text), 'Korony Anny', 'ilość'), [
      ['1', '2023-07-03'],
      ['10', '2024-01-01'],
      ['15', '2024-05-03'],
      ['-5', '2024-06-03'],
      ['7', '2024-07-03'],
    ])
  })

  it('reads quantities as every other number, and refuses what is none', () => {
    const changes = ['+1 000', '\u22123 (dla Borysa)', '-2 za nocleg', '5,5', '1e2', '+ 3', '9'.repeat(16)]
    const text = changes
      .map(
        (value, at) =>
          `### 2024-0${at + 1}-03, A, S\n\n- @Zmiany:\n    - Korony Anny\n        - @ilość: ${value}\n`,
      )
      .join('\n')
    const full = `### 2024-09-03, B, S\n\n- @Zmiany:\n    - Sakwa Borysa\n        - @ilość: ${'9'.repeat(15)}\n- @Transfer: 1 000 koron, Anna -> Borys\n`
    const points =
      '### 2024-10-03, C, S\n\n- @Zmiany:\n    - Anna\n        - @pu_startowe: 1e3\n        - @pu_startowe: 20,5 (z odbioru)\n'
    const snapshot = world([text, full, points].join('\n'))
    deepEqual(rows(snapshot, 'Korony Anny', 'ilość').slice(1), [
      ['1010', '2024-01-03'],
      ['1007', '2024-02-03'],
      ['1005', '2024-03-03'],
    ])
    deepEqual(rows(snapshot, 'Sakwa Borysa', 'ilość').at(-1), ['9'.repeat(15), '2024-09-03'])
    deepEqual(rows(snapshot, 'Anna', 'pu_startowe'), [['20,5 (z odbioru)', '2024-10-03']])
    deepEqual(
      snapshot.findings
        .filter(({ kind }) => kind.startsWith('Refused'))
        .map(({ kind, subject }) => [kind, subject?.slice(0, 10)]),
      [
        ...[4, 5, 6, 7].map(month => ['RefusedChange', `2024-0${month}-03`]),
        ['RefusedTransfer', '2024-09-03'],
        ['RefusedChange', '2024-10-03'],
      ],
    )
  })

  it('finds an entity by an alias that an earlier session gave', () => {
    const text = `### 2024-05-03, A, S\n\n- @Zmiany:\n    - Rion\n        - @alias: Arcymag\n\n### 2024-06-03, B, S\n\n- @Zmiany:\n    - Arcymag\n        - @status: Nieaktywny\n`
    deepEqual(rows(world(text), 'Rion', 'status'), [['Nieaktywny', '2024-06-03']])
  })

  it('moves money on both sides, the sign of a balance kept', () => {
    const snapshot = world('### 2024-05-03, A, S\n\n- @Transfer: 4 korony, Anna -> Borys\n')
    deepEqual(rows(snapshot, 'Korony Anny', 'ilość').at(-1), ['6', '2024-05-03'])
    deepEqual(rows(snapshot, 'Sakwa Borysa', 'ilość').at(-1), ['2', '2024-05-03'])
  })

  it('moves neither side where one is missing, deleted, unknown, the same, or the money is none', () => {
    const text = `### 2024-05-03, A, S

- @Transfer: 4 talary, Anna -> Borys
- @Transfer: 4 korony, Anna -> Rion
- @Transfer: 4 korony, Nikt -> Anna
- @Transfer: 4 korony, Sobowtór -> Anna
- @Transfer: 4 korony, Anna -> Anna
- @Transfer: 4 talizmany, Anna -> Borys
- @Zmiany:
    - Sakwa Borysa
        - @status: Usunięty
- @Transfer: 4 korony, Anna -> Borys
`
    const snapshot = world(text)
    deepEqual(
      snapshot.findings.map(finding => finding.kind),
      [
        'PendingTransfer',
        'PendingTransfer',
        'UnresolvedTransfer',
        'AmbiguousTransfer',
        'RefusedTransfer',
        'RefusedTransfer',
        'PendingTransfer',
      ],
    )
    deepEqual(rows(snapshot, 'Korony Anny', 'ilość'), [['10', '2024-01-01']])
  })

  it('judges both sides where the source has no purse', () => {
    const snapshot = world(`### 2024-05-03, A, S

- @Transfer: 4 talary, Anna -> Nikt
- @Transfer: 4 talary, Anna -> Sobowtór
- @Transfer: 4 talary, Anna -> Anna
- @Transfer: 4 talary, Anna -> Borys
`)
    deepEqual(kinds(snapshot), [
      ['UnresolvedTransfer', 3],
      ['AmbiguousTransfer', 4],
      ['RefusedTransfer', 5],
      ['PendingTransfer', 6],
    ])
    deepEqual(
      snapshot.payments.map(({ state }) => state),
      ['pending', 'refused', 'refused', 'pending'],
    )
  })

  it('follows a purse to its owner of the day', () => {
    const text = `### 2024-04-03, A, S\n\n- @Zmiany:\n    - Sakwa Borysa\n        - @należy_do: Rion\n\n### 2024-05-03, B, S\n\n- @Transfer: 4 korony, Anna -> Rion\n- @Transfer: 4 korony, Anna -> Borys\n`
    const snapshot = world(text)
    deepEqual(rows(snapshot, 'Sakwa Borysa', 'ilość').at(-1), ['2', '2024-05-03'])
    deepEqual(kinds(snapshot), [['PendingTransfer', 10]])
  })

  it('leaves every other entity the same object', () => {
    const { entities } = world(move)
    ok(entities.byHeading.get(nameKey('Borys'))?.[0] === entities.all.find(entity => entity.name === 'Borys'))
    equal(entities.all.filter(entity => entity.rows.some(row => row.source._tag === 'Session')).length, 1)
  })
})
