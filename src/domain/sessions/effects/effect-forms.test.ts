import { deepEqual, equal } from 'node:assert/strict'
import { nameKey } from '#protocol/atoms.js'
import { statusOn } from '#src/domain/entities/entity.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { sessionFindings } from '#src/domain/sessions/integrity.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { isFields } from '#test/support/matching.js'
import { day, worldOf } from '#test/support/world.js'
import { closingGroundOf, recordMeanings } from '../../../../test/support/at-once.js'
import { intelTargetOf, recipientsOf } from '../intel-recipients.js'
import { playersIn } from '../reading/narrators.js'

const index = `### Kupiec Orrin
- @typ: NPC

### Anna
- @typ: Postać
- @należy_do: Solmyr

### Borys
- @typ: NPC

### Kupcy
- @typ: Grupa

### Jan
- @typ: NPC

### Jana
- @typ: NPC

### Janek
- @typ: NPC

### Janko
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
- @ilość: 2

### Sakwa obcego
- @typ: Przedmiot
- @generyczne_nazwy: korony
- @należy_do: Borysem
- @ilość: 1
`

const ledgerOf = (sessions: string): string =>
  [...sessions.matchAll(/^### (.*)$/gmu)]
    .map(([, header]) =>
      JSON.stringify({
        header,
        op: 'close',
        at: '2026-01-01T00:00:00Z',
        by: 'a',
        source: 'close',
        transfers: 0,
        intel: 0,
      }),
    )
    .join('\n')

const filesOf = (sessions: string, ledger: string): Readonly<Record<string, string>> => ({
  'encje/indeks.md': index,
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
  'Sesje.md': sessions,
  '.svc/close/ledger.jsonl': ledger,
})

const worldWith = (sessions: string): Snapshot => worldOf(filesOf(sessions, ledgerOf(sessions)))

const valuesOf = ({ entities }: Snapshot, name: string, tag: string): ReadonlyArray<string> =>
  (entities.byHeading.get(nameKey(name))?.[0]?.rows ?? [])
    .filter(row => row.tag === tag)
    .map(row => row.value)

const notes = (snapshot: Snapshot) =>
  snapshot.findings.map(({ kind, severity, line, reason }) => [kind, severity, line, reason])

const change = (name: string): string =>
  `### 2024-05-03, T, Solmyr\n\n- @Zmiany:\n    - ${name}\n        - @stan: Ranny\n        - @status: Nieaktywny\n`

describe('an effect by an inflected form', () => {
  it('changes the block, and is a finding', () => {
    const snapshot = worldWith(change('Kupca Orrina'))
    const [orrin] = snapshot.entities.byHeading.get(nameKey('Kupiec Orrin')) ?? []
    equal(orrin === undefined ? null : statusOn(orrin, day('2024-05-04')), 'Nieaktywny')
    deepEqual(notes(snapshot), [
      [
        'InflectedChange',
        'info',
        4,
        'Nazwę „Kupca Orrina” odczytano jako odmienioną formę: NPC „Kupiec Orrin”.',
      ],
    ])
    equal(sessionFindings(snapshot).filter(({ kind }) => kind === 'InflectedChange').length, 1)
  })
  it('is the block of the written name where there is one', () => {
    const snapshot = worldWith(change('Jana'))
    deepEqual(valuesOf(snapshot, 'Jana', 'status'), ['Nieaktywny'])
    deepEqual(valuesOf(snapshot, 'Jan', 'status'), [])
    deepEqual(notes(snapshot), [])
  })
  it('is nothing where the form belongs to several blocks', () => {
    deepEqual(
      notes(worldWith(change('Janka'))).map(([kind, severity]) => [kind, severity]),
      [['AmbiguousChange', 'warning']],
    )
  })
  it('is nothing for a misspelling, or a name behind a title', () => {
    for (const name of ['Kupiec Orin', 'Mistrz Borys'])
      deepEqual(
        worldWith(change(name)).findings.map(({ kind }) => kind),
        ['UnresolvedChange'],
        name,
      )
  })
  it('pays and takes money, with a finding for each side', () => {
    const snapshot = worldWith('### 2024-05-03, T, Solmyr\n\n- @Transfer: 3 korony, Anny -> Borysowi\n')
    deepEqual(valuesOf(snapshot, 'Korony Anny', 'ilość'), ['10', '7'])
    deepEqual(valuesOf(snapshot, 'Sakwa Borysa', 'ilość'), ['2', '5'])
    deepEqual(
      notes(snapshot).map(([kind, severity, line]) => [kind, severity, line]),
      [
        ['InflectedTransfer', 'info', 3],
        ['InflectedTransfer', 'info', 3],
      ],
    )
  })
  it('pays the owner whose row has the name as written first', () => {
    const snapshot = worldWith('### 2024-05-03, T, Solmyr\n\n- @Transfer: 3 korony, Anna -> Borysem\n')
    deepEqual(valuesOf(snapshot, 'Sakwa obcego', 'ilość'), ['1', '4'])
    deepEqual(notes(snapshot), [])
  })
  it('is no finding where the close recorded its meaning, since its text may not change', () => {
    const sessions = `${change('Kupca Orrina')}- @Transfer: 3 korony, Anny -> Borysowi\n`
    const files = filesOf(sessions, '')
    const tree = new Map([...worldOf(files).files].map(([path, file]) => [path, file]))
    const meaning = recordMeanings(
      closingGroundOf(tree),
      new Set(worldOf(files).sessions.all.map(ledgerKeyOf)),
    )
    const [recorded] = meaning.values()
    deepEqual(recorded?.blocks, [
      { name: 'Kupca Orrina', heading: 'Kupiec Orrin', type: 'NPC' },
      { name: 'Anny', heading: 'Anna', type: 'Postać' },
      { name: 'Borysowi', heading: 'Borys', type: 'NPC' },
    ])
    const line: unknown = JSON.parse(ledgerOf(sessions))
    const row = { ...(isFields(line) ? line : {}), meaning: recorded }
    const snapshot = worldOf(filesOf(sessions, JSON.stringify(row)))
    deepEqual(notes(snapshot), [])
    deepEqual(valuesOf(snapshot, 'Korony Anny', 'ilość'), ['10', '7'])
    deepEqual(valuesOf(snapshot, 'Kupiec Orrin', 'status'), ['Nieaktywny'])
  })
})

describe('an effect by a form that several names make', () => {
  const headings = [
    'Cicha',
    'Cichy',
    'Kowalska',
    'Wilczy',
    'Król Lasu',
    'Las',
    'Romana',
    'Kowal',
    'Kowale',
    'Adriana',
  ]
  const changedBy = (name: string, only: ReadonlyArray<string> = headings) => {
    const snapshot = worldOf({
      ...filesOf(change(name), ledgerOf(change(name))),
      'encje/indeks.md': only.map(one => `### ${one}\n- @typ: NPC\n`).join('\n'),
    })
    const changed = only.filter(one => valuesOf(snapshot, one, 'status').length > 0)
    return [changed.join(), snapshot.findings.map(({ kind }) => kind).join()]
  }
  it('changes the block of its gender, number and name', () => {
    for (const [name, heading] of [
      ['Cichej', 'Cicha'],
      ['Cichego', 'Cichy'],
      ['Lasu', 'Las'],
      ['Króla Lasu', 'Król Lasu'],
      ['Kowala', 'Kowal'],
      ['Kowalom', 'Kowale'],
      ['Romany', 'Romana'],
    ] as const)
      deepEqual(changedBy(name), [heading, 'InflectedChange'], name)
  })
  it('changes nothing where two readings stay', () => {
    deepEqual(changedBy('Cichych'), ['', 'AmbiguousChange'])
  })
  it('changes nobody of the other gender, also where nobody else has the form', () => {
    for (const name of ['Kowalski', 'Wilcza', 'Wilczej', 'Adrian'])
      deepEqual(changedBy(name), ['', 'UnresolvedChange'], name)
    deepEqual(changedBy('Cichej', ['Cichy']), ['', 'UnresolvedChange'])
    deepEqual(changedBy('Cichy', ['Cicha']), ['', 'UnresolvedChange'])
  })
  it('tells Intel to that block alone', () => {
    const { entities, names } = worldOf({
      'encje/indeks.md': headings.map(one => `### ${one}\n- @typ: NPC\n`).join('\n'),
    })
    const told = (target: string) =>
      recipientsOf(entities, names, intelTargetOf(target), day('2024-05-03')).map(one => one.name)
    deepEqual(['Cichej', 'Lasu', 'Cichych', 'Kowalski', 'Cichego, Kowalom'].map(told), [
      ['Cicha'],
      ['Las'],
      [],
      [],
      ['Cichy', 'Kowale'],
    ])
  })
  it('means the number that there is', () => {
    deepEqual(changedBy('Kowala', ['Kowale']), ['Kowale', 'InflectedChange'])
  })
})

describe('names beside effects', () => {
  const world = worldOf(
    filesOf(
      [
        '### 2024-05-03, T, Solmyr',
        '',
        '- @PU:',
        '    - Anny: 1',
        '- @Uczestnicy: Annie, Borysem',
        '- @Intel:',
        '    - Grupa/Kupców: wieść',
        '    - Borysowi: druga',
        '    - Borrys: trzecia',
        '',
      ].join('\n'),
      '',
    ),
  )
  it('give PU to written names alone, and count participants in any form', () => {
    const players = world.sessions.all.flatMap(session => playersIn(session, world.names))
    deepEqual(
      players.map(({ name, type }) => [name, type]),
      [
        ['Anny', null],
        ['Anna', 'Postać'],
        ['Borys', 'NPC'],
      ],
    )
  })
  it('reach the recipients of Intel in any form but a misspelling, with a finding', () => {
    deepEqual(
      sessionFindings(world)
        .filter(({ kind }) => kind.endsWith('Intel'))
        .map(({ kind, severity, line }) => [kind, severity, line]),
      [
        ['InflectedIntel', 'info', 7],
        ['InflectedIntel', 'info', 8],
        ['UnresolvedIntel', 'warning', 9],
      ],
    )
  })
})
