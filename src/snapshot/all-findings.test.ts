import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { type FindingsRow, findingsRows } from '#src/domain/identity/rights/readable-lines.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { integrityOf } from '#src/domain/lore/integrity.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { jsonField, jsonFields } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'
import { allFindings } from './all-findings.js'

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

const world = () =>
  worldOf(
    {
      'encje/indeks.md': index,
      'kontrybutorzy.md':
        '## Gracz\n### Solmyr\n- @drzwi: Wieża\n- @barwa\n- @barwa: ruda (2024-05:2024-01)\n',
      'Sesje.md': sessions,
      'Kopia.md': copy,
      'Postaci/Gracze/Anna.md': '**Opisane sesje:**\n\n### 2024-13-40, Zła\n',
      'jezyk/odmiany.tsv': 'Anny\tAnka\nAnny\n',
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
      ...['MalformedPoints', 'DuplicatePoints', 'MalformedChange', 'MalformedIntel', 'MalformedLog'],
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
