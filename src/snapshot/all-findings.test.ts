import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { requirePath } from '#protocol/atoms.js'
import { lintKinds } from '#protocol/lore/places.js'
import { type FindingsRow, findingsRows } from '#src/domain/identity/readable.js'
import { blocksElsewhere } from '#src/domain/lint/residue.js'
import { type Finding, integrityOf } from '#src/domain/lore/finding.js'
import { overlayKinds } from '#src/domain/sessions/effects/overlay.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { jsonField, jsonFields } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'
import { isTest, sources } from '#test/tidy/sources.js'
import { allFindings, findingsPageInSlices } from './all-findings.js'
import type { Snapshot } from './snapshot.js'

const index = `### Rion
- @typ: NPC

### Rion
- @typ: Lokacja

### Anna
- @typ: Postać
- @ilość: dużo
- @barwa: ruda

### Solmyr
- @typ: Gracz
`

const changed = '2024-05-03, Zmiany, Solmyr'

const sessions = `### ${changed}
  - @Uczestnicy: Anna
- @Lokacje: Erathia, Nighon
- @Logi:
    - bez adresu
- @PU: 0,5
    - Anna
    - Obca: 0.3
    - Obca: 0.4
    - obca: 0,3
- @PU:
    - Obca: 0.3
- @Zmiany:
    - Rion
        - @status: Aktywny
    - Nikt
        - @status: Aktywny
    - Solmyr
        - @status: Aktywny
    - Anna
        - @ilość: dużo
        - @info: x (2024-05:2024-01)
        - @pu_suma: 3
    - Pusta
- @Transfer: 3 korony, Anna -> Nikt
- @Transfer: trzy korony
- @Transfer: 3 muszle, Anna -> Rion
- @Transfer: 3 korony, Anna -> Solmyr
- @Intel:
    - bez adresata
    - Grupa/Nikt: Brama stoi.
- @Nieznany: blok

### 2024-05-04/01, Odwrócona, Anna i Borys

### 2024-13-04, Zła, Solmyr
- PU:
    - Anna: 0.2

### Bez daty
- PU:
    - Anna: 0.2
`

const copy = `### ${changed}
- @PU:
    - Obca: 2
`

const acceptLine = (header: string): string =>
  JSON.stringify({ header, sha256: '0'.repeat(64), at: '2026-01-01T00:00:00Z', by: 'a' })

const moreIndex = `- @alias: Nic

### Smok
- @typ: Smok
- @status: Wesoły
- @chat: https://chat.example/api/webhooks/1/x
- @info: a
  - @alias: B
– @status: Usunięty
- @alias: C - @status: Usunięty
- @alias: D [2024:]

### links
- @typ: NPC
- @plik: kontrybutorzy.md
- @lokacja: Nikąd
- @ref: brak.md
- @ref: ../obcy.md

### Кarl
- @typ: NPC

### Anka
- @typ: Postać
- @stan: a (2024:)
- @stan: b (2024:)

### Аnka
- @typ: Lokacja
- @lokacja: Krąg

### Krąg
- @typ: Lokacja
- @outerior: może
- @lokacja: Аnka
#### Głębiej
- @info: x

### Krąg
- @typ: Lokacja
Uwaga.
    ### Dalej
- @ref: opis.md (2024:)
- @ref: opis.md (2025:)

### Łańcuch
- @typ: NPC
- @ref: łańcuch.md

### Pusty
- @typ: NPC
- @ref: pusty.md

### Spór
- @typ: NPC
- @info: własne
- @ref: opis.md

### O’Braz
- @info: x

###Ciasny
- @typ: NPC
<!-- - @info: x -->
koniec -->

###
- @typ: NPC

<!--
`

const store = `## Gracz
### Solmyr
- @drzwi: Wieża
- @barwa
- @barwa: ruda (2024-05:2024-01)
- @rola: Król
- @klucz_api: jawny
- @chat: https://chat.example/api/webhooks/1/x
### Solmyr
- @gameid: 1
- @gameid: 2
- @status: Wesoły
### machine
- @gameid: 3
### Anna
- @gameid: 4
- @rola: Rada
## Role
### Rada
- @info: x
### Rada
## Inne
### Obcy
`

const moreSessions = `
### 2024-07-01, Różne, Solmyr

- @PU:
    - Anna: 0.3
    – Borys: 0.4
- @Uczestnicy:
    - Anna
        - Borys
- @Zmiany:
    - Anny
        - @info: x
- @Transfer: 3 korony, Anny -> Riona
- @Transfer: 3 korony, Rion -> Rion
**@Logi:**

### Wzór
- @typ: NPC

~~~
`

const character = `**Karta Postaci:** brak adresu

**Stan:** a

**Stan:** b

## Reputacja

**Reputacja:**
- gdzieś

**Dodatkowe informacje:** x

**Obca:** x

**Opisane sesje:**

### 2024-13-40, Zła
`

const world = () =>
  worldOf(
    {
      'encje/indeks.md': index + moreIndex,
      'encje/indeks-02.md': '- @typ: NPC\n### Anka\n- @typ: Postać\n',
      'kontrybutorzy.md': store,
      'opis.md': '- @info: x\n',
      'łańcuch.md': '- @ref: opis.md\n',
      'pusty.md': 'Nic.\n',
      'Więcej.md': moreSessions,
      'Rozdarty.md': '### 2024-08-01, A, Solmyr\n<<<<<<< HEAD\n',
      'hasło.md': 'https://ola:tajne@example.org/\n',
      'Postaci/Gracze/Obca.md': '**Stan:** x\n',
      'Sesje.md': sessions,
      'Kopia.md': copy,
      'Postaci/Gracze/Anna.md': character,
      'jezyk/odmiany.tsv': 'Anny\tNieznana\nAnny\n',
      'Otwarta.md': '### 2024-06-01, A, Obcy\n```\n',
      '.svc/close/ledger.jsonl': `{}\n${JSON.stringify({ header: changed, op: 'close', at: '2026-01-01T00:00:00Z', by: 'a', source: 'close' })}\n`,
      '.svc/pu/batches.jsonl': '{}\n',
      '.svc/players/ledger.jsonl': '{}\n',
      '.svc/roles.json': '{"roles": {"Rada": ["x.y"]}}',
      '.svc/bindings.json': '[]',
      '.svc/grants.json': '[]',
      '.svc/fleet-keys.json': '[]',
      '.svc/permissions.json': '[]',
      '.svc/fleet.json': '[]',
      '.svc/config.json': '{"schedules": {"settlement": "nikt"}}',
      '.svc/sessions/hashes.jsonl': `{}\n${acceptLine(changed)}\n${acceptLine('2020-01-01, Inna, Solmyr')}\n`,
    },
    { works: { 'governance/ledger/rada.jsonl': '{}\n' }, moderators: '## Gracz\n### Tarnum\n' },
  )

const english = /\b(?:the|is|are|of|not|and|or|read|write|line|file|below|session|tag)\b/iu

/** Every object of a list `findings` below a value. */
const findingsBelow = (value: unknown, seen = new Set<unknown>()): ReadonlyArray<Finding> => {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  const below = value instanceof Map ? [...value.values()] : Object.values(value)
  const own: ReadonlyArray<Finding> =
    'findings' in value && Array.isArray(value.findings) ? value.findings : []
  return [...own, ...below.flatMap(one => findingsBelow(one, seen))]
}

const kindsOf = (found: ReadonlyArray<Finding>): ReadonlySet<string> => new Set(found.map(({ kind }) => kind))

describe('all findings', () => {
  const snapshot = world()
  const findings = allFindings(snapshot)

  it('have no English word and no straight quote, but for those of JSON files', () => {
    const texts = findings
      .filter(({ file }) => !file.endsWith('.json'))
      .flatMap(({ reason, suggestion }) => [reason, suggestion ?? ''])
    deepEqual(
      texts.filter(text => english.test(text) || text.includes('"')),
      [],
    )
  })

  it('come from each reader', () => {
    const kinds = kindsOf(findings)
    const expected = [
      ...['AmbiguousChange', 'UnresolvedChange', 'RefusedChange', 'RefusedTransfer', 'MalformedTransfer'],
      ...['MalformedPoints', 'DuplicatePoints', 'DifferingPoints', 'RepeatedBlock'],
      ...['MalformedChange', 'MalformedIntel', 'MalformedLog'],
      ...['BadHeader', 'BadRange', 'NarratorConjunction', 'IndentedBlock', 'UnknownBlock', 'UnclosedFence'],
      ...['DivergentPoints', 'DivergentCopies', 'SessionPlaceUnknown', 'CloseLedgerLine', 'BatchUnreadable'],
      ...['UnknownCapability', 'UnknownTag', 'ForeignTag', 'TagWithoutColon', 'SuspectRange'],
      ...['LanguageLine', 'UnknownHeading', 'PlayersLedgerLine', 'DescribedWithoutDay'],
      ...['UnresolvedCharacter', 'UnresolvedIntel', 'UnknownNarrator', 'SessionHashLine', 'SessionDrift'],
      ...[
        'StaleSessionHash',
        'GrantsUnreadable',
        'FleetUnreadable',
        'PermissionsUnreadable',
        'ConfigInvalid',
      ],
      ...['SchemaTooOld', 'GovernanceLineUnreadable', 'rejestr-w-indeksie'],
    ]
    deepEqual(
      expected.filter(kind => !kinds.has(kind)),
      [],
    )
  })

  it('have each finding that the snapshot has anywhere, once', () => {
    const ledger = new Set<unknown>(snapshot.ledger.findings)
    const found = [...new Set(findingsBelow(snapshot))].filter(one => !ledger.has(one))
    ok(found.length > 20)
    const counts = new Map<Finding, number>()
    for (const one of findings) counts.set(one, (counts.get(one) ?? 0) + 1)
    deepEqual(
      found.filter(one => counts.get(one) !== 1),
      [],
    )
    equal(counts.size, findings.length)
  })

  it('count in the form that the number takes', () => {
    equal(
      findings.find(({ kind }) => kind === 'SessionPlaceUnknown')?.reason,
      '2 wpisy bloku Lokacje nie wskazują dokładnie jednej Lokacji: Erathia, Nighon.',
    )
  })
})

describe('the rows that list findings', () => {
  const snapshot = world()
  const callers = {
    sessions: callerWith(['session.read']),
    entities: callerWith(['entity.read']),
    contributors: callerWith(['player.read']),
    batches: callerWith(['session.read', 'pu.read']),
    rights: callerWith(['player.read', 'capability.admin']),
    describer: callerWith(['entity.read', 'session.read']),
  }
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot, callers })
  })
  after(() => front.close())

  const list = async (row: FindingsRow, token?: keyof typeof callers): Promise<ReadonlyArray<unknown>> => {
    const reply = await front.client.ask(`/${row}/integrity`, token === undefined ? {} : { token })
    equal(reply.status, 200)
    const items: unknown = jsonField(reply.json, 'items')
    return Array.isArray(items) ? items.map((one: unknown) => one) : []
  }
  const kindsFor = async (row: FindingsRow, token?: keyof typeof callers): Promise<ReadonlySet<unknown>> =>
    new Set(jsonFields(await list(row, token), 'Kind'))

  it('have each finding of doctor in exactly one of the three', async () => {
    const rows: Array<unknown> = []
    for (const row of ['entities', 'sessions', 'contributors'] as const) rows.push(...(await list(row)))
    const sorted = (all: ReadonlyArray<unknown>) => all.map(one => JSON.stringify(one)).sort()
    deepEqual(sorted(rows), sorted(allFindings(snapshot).map(integrityOf)))
  })

  it('have findings by their file', async () => {
    const [entities, sessions, contributors] = [
      await kindsFor('entities'),
      await kindsFor('sessions'),
      await kindsFor('contributors'),
    ]
    const where: Readonly<Record<string, ReadonlySet<unknown>>> = {
      TypeMissing: entities,
      UnknownHeading: entities,
      DescribedWithoutDay: entities,
      SchemaTooOld: entities,
      FleetUnreadable: entities,
      GovernanceLineUnreadable: entities,
      SessionPlaceUnknown: sessions,
      UnresolvedChange: sessions,
      BatchUnreadable: sessions,
      CloseLedgerLine: sessions,
      PlayersLedgerLine: contributors,
      MissingGameId: contributors,
      RolesUnreadable: contributors,
      GrantsUnreadable: contributors,
    }
    const all = [entities, sessions, contributors]
    for (const [kind, row] of Object.entries(where))
      if (kindsOf(allFindings(snapshot)).has(kind))
        deepEqual([kind, all.filter(one => one.has(kind))], [kind, [row]])
  })

  it('show no finding of a file that the caller may not read', async () => {
    equal((await kindsFor('sessions', 'sessions')).has('BatchUnreadable'), false)
    equal((await kindsFor('sessions', 'batches')).has('BatchUnreadable'), true)
    equal((await kindsFor('sessions', 'sessions')).has('CloseLedgerLine'), true)
    equal((await kindsFor('contributors', 'contributors')).has('GrantsUnreadable'), false)
    equal((await kindsFor('contributors', 'rights')).has('GrantsUnreadable'), true)
    equal((await kindsFor('contributors', 'contributors')).has('MissingGameId'), true)
    equal((await kindsFor('entities', 'entities')).has('FleetUnreadable'), false)
    equal((await kindsFor('entities', 'entities')).has('UnknownHeading'), true)
    equal((await kindsFor('entities', 'entities')).has('DescribedWithoutDay'), false)
    equal((await kindsFor('entities', 'describer')).has('DescribedWithoutDay'), true)
  })

  it('show the roster of moderators only to holders of every capability', async () => {
    const files = async (token?: keyof typeof callers) =>
      new Set(jsonFields(await list('contributors', token), 'File'))
    equal((await files()).has('corpora.mc/kontrybutorzy.md'), true)
    equal((await files('rights')).has('corpora.mc/kontrybutorzy.md'), false)
  })

  it('are refused to callers of the other rows', async () => {
    for (const row of Object.keys(findingsRows))
      for (const token of ['entities', 'sessions', 'contributors'] as const)
        equal((await front.client.ask(`/${row}/integrity`, { token })).status, row === token ? 200 : 403)
  })
})

/** Kinds that this world has not, with a file of each: what is too large or too long, or what a start reports. */
const elsewhere: Readonly<Record<string, string>> = {
  AddressChanged: '.svc/config.json',
  AmbiguousReference: 'encje/indeks.md',
  AmbiguousTransfer: 'Sesje.md',
  AsymmetricTransaction: 'encje/indeks.md',
  AmbiguousHeader: 'Sesje.md',
  AwardRepeated: '.svc/pu/batches.jsonl',
  AwardUnknown: '.svc/pu/batches.jsonl',
  BatchDate: '.svc/pu/batches.jsonl',
  BatchRepeated: '.svc/pu/batches.jsonl',
  BindingTwice: '.svc/bindings.json',
  BlockTooLong: 'encje/indeks.md',
  ChatUnreadable: 'kontrybutorzy.md',
  CloseRepeated: '.svc/close/ledger.jsonl',
  ClosedSessionChanged: 'Sesje.md',
  CorpusRefused: '.svc/config.json',
  CorpusUnlisted: '.svc/config.json',
  CutRow: 'encje/indeks.md',
  DuplicateApiKey: 'kontrybutorzy.md',
  DuplicateCharacterFile: 'Postaci/Gracze/Anna.md',
  DuplicateGameId: 'kontrybutorzy.md',
  FileAboveBudget: 'Sesje.md',
  FileIsLfsPointer: 'encje/indeks.md',
  FileNotUtf8: 'encje/indeks.md',
  FileSkipped: 'encje/indeks.md',
  FileTooLarge: 'Sesje.md',
  FileUnreadable: 'Postaci/Gracze/Anna.md',
  GameIdUnreadable: 'kontrybutorzy.md',
  GovernanceCalendarUnreadable: 'governance/ledger/rada.jsonl',
  GovernanceDoubleAppoint: 'governance/ledger/rada.jsonl',
  GovernanceEvidenceMissing: 'governance/ledger/rada.jsonl',
  GovernanceFileUndecodable: 'governance/ledger/rada.jsonl',
  GovernanceLeaveWithoutHold: 'governance/ledger/rada.jsonl',
  GovernanceOpUnknown: 'governance/ledger/rada.jsonl',
  GovernanceRefUnknown: 'governance/ledger/rada.jsonl',
  GovernanceReturnWithoutLeave: 'governance/ledger/rada.jsonl',
  GovernanceSeqRepeated: 'governance/ledger/rada.jsonl',
  GovernanceSilentSuccession: 'governance/ledger/rada.jsonl',
  GovernanceSubjectMissing: 'governance/ledger/rada.jsonl',
  GovernanceUntilUnreadable: 'governance/ledger/rada.jsonl',
  GovernanceWordUnknown: 'governance/ledger/rada.jsonl',
  InflectedChange: 'Sesje.md',
  InflectedTransfer: 'Sesje.md',
  MoveRepeated: '.svc/money/moves.jsonl',
  MoveUnreadable: '.svc/money/moves.jsonl',
  LedgerUnread: '.svc/close/ledger.jsonl',
  LanguageAboveBound: 'jezyk/odmiany.tsv',
  NamesAboveBudget: 'encje/indeks.md',
  NegativeBalance: 'encje/indeks.md',
  NoCommit: 'repository',
  OrphanedCurrency: 'encje/indeks.md',
  OwnCharactersAboveBound: 'kontrybutorzy.md',
  OwnLoreAboveBound: 'kontrybutorzy.md',
  ReminderUnreadable: '.svc/close/reminders.jsonl',
  PlayersLedgerAboveBound: '.svc/players/ledger.jsonl',
  RolesUnreadable: '.svc/roles.json',
  RowBelowText: 'kontrybutorzy.md',
  SampleClassesInvalid: 'samples/classes.json',
  SampleIdRepeated: 'samples/lineage/entity-span.jsonl',
  SampleNotOfClass: 'samples/lineage/entity-span.jsonl',
  SampleUnreadable: 'samples/lineage/entity-span.jsonl',
  SessionSettledTwice: '.svc/pu/batches.jsonl',
  SettledSessionUnknown: '.svc/pu/batches.jsonl',
  SeveralDenominations: 'encje/indeks.md',
  StaleBalance: 'encje/indeks.md',
  Supply: 'encje/indeks.md',
  UnsureNarrator: 'Sesje.md',
}

/** Kinds that only a running host knows: the lint of its converge has them, and doctor reads it. */
const ofHost = [
  'FleetGone',
  'TownNotListed',
  'TermNotRaised',
  'obca-zmiana-pliku-robota',
  'przepisana-historia',
]

const readers = [
  /^src\/domain\/(?!adoption\/)/u,
  /^src\/snapshot\//u,
  /^src\/node\/tree\//u,
  /^actors\/corpus-keeper\//u,
]
const kindPatterns = [
  /\bkind: '([A-Z][A-Za-z0-9]+)'/gu,
  /'?([A-Z][A-Za-z0-9]+)'?: \[\s*'(?:error|warning|info)'/gu,
  /'([A-Z][A-Za-z0-9]+)',\s+'(?:error|warning|info)'/gu,
  /\b(?:\w*[fF]inding|report|noticed?|wholeFile|warning|plain)\(\s*(?:[\w.]+,\s*)*'([A-Z][A-Za-z0-9]+)'/gu,
]

/** Every kind that the code of the readers names. */
const writtenKinds = (): ReadonlySet<string> => {
  const kinds = new Set<string>([...overlayKinds, ...Object.keys(lintKinds), blocksElsewhere])
  for (const { path, text } of sources)
    if (readers.some(one => one.test(path)) && !isTest(path))
      for (const pattern of kindPatterns)
        for (const { 1: kind = '' } of text.matchAll(pattern)) kinds.add(kind)
  // A kind of edge in the graph of places.
  kinds.delete('Door')
  return kinds
}

describe('every kind of finding', () => {
  const injected = Object.entries(elsewhere).map(([kind, path]): Finding => {
    const rest = { severity: 'error', line: null, subject: null, reason: kind, suggestion: null } as const
    return { kind, file: requirePath(path), ...rest }
  })
  const served = world()
  const whole: Snapshot = { ...served, findings: [...served.findings, ...injected] }
  const { view } = callerWith(['admin.all'])
  const listed = (['entities', 'sessions', 'contributors'] as const).map(row =>
    atOnce(findingsPageInSlices(row, whole, view, { limit: null, offset: 0, named: false })),
  )

  it('is made by this world, or named with its file', () => {
    const made = kindsOf(allFindings(whole))
    const missing = [...writtenKinds()].filter(kind => !made.has(kind) && !ofHost.includes(kind))
    deepEqual(missing.sort(), [])
    const own = kindsOf(allFindings(served))
    deepEqual(
      Object.keys(elsewhere).filter(kind => own.has(kind)),
      [],
    )
  })

  it('is in doctor, and each finding in exactly one row', () => {
    const texts = listed.flatMap(({ items }) => items.map(one => JSON.stringify(one)))
    const all = allFindings(whole).map(one => JSON.stringify(integrityOf(one)))
    deepEqual(texts.sort(), all.sort())
    for (const { kind, file } of injected)
      equal(
        listed.filter(({ items }) => items.some(one => one.Kind === kind && one.File === file)).length,
        1,
        kind,
      )
  })
})
