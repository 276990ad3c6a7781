import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sessionFindings } from '#src/domain/sessions/integrity.js'
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
  worldOf({
    'encje/indeks.md': index,
    'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @drzwi: Wieża\n- @barwa\n- @barwa: ruda (2024-05:2024-01)\n',
    'Sesje.md': sessions,
    'Kopia.md': copy,
    'jezyk/odmiany.tsv': 'Anny\tAnka\nAnny\n',
    'Otwarta.md': '### 2024-06-01, A, Solmyr\n```\n',
    '.svc/close/ledger.jsonl': `{}\n${JSON.stringify({ header: changed, op: 'close', at: '2026-01-01T00:00:00Z', by: 'a', source: 'close' })}\n`,
    '.svc/pu/batches.jsonl': '{}\n',
    '.svc/players/ledger.jsonl': '{}\n',
    '.svc/roles.json': '{"roles": {"Rada": ["x.y"]}}',
    '.svc/sessions/hashes.jsonl': `{}\n${acceptLine(changed)}\n${acceptLine('2020-01-01, Inna, Solmyr')}\n`,
  })

const english = /\b(?:the|is|are|of|not|and|or|read|write|line|file|below|session|tag)\b/iu

describe('everything that the readers noticed', () => {
  const snapshot = world()
  const findings = [...allFindings(snapshot), ...sessionFindings(snapshot)]

  it('is told in Polish: no English word, no straight quote', () => {
    const texts = findings.flatMap(({ reason, suggestion }) => [reason, suggestion ?? ''])
    deepEqual(
      texts.filter(text => english.test(text) || text.includes('"')),
      [],
    )
  })

  it('comes from each reader', () => {
    const kinds = new Set(findings.map(({ kind }) => kind))
    const expected = [
      ...['AmbiguousChange', 'UnresolvedChange', 'RefusedChange', 'RefusedTransfer', 'MalformedTransfer'],
      ...['MalformedPoints', 'DuplicatePoints', 'MalformedChange', 'MalformedIntel', 'MalformedLog'],
      ...['BadHeader', 'BadRange', 'NarratorConjunction', 'IndentedBlock', 'UnknownBlock', 'UnclosedFence'],
      ...['DivergentPoints', 'DivergentCopies', 'SessionPlaceUnknown', 'CloseLedgerLine', 'BatchUnreadable'],
      ...['UnknownCapability', 'UnknownTag', 'ForeignTag', 'TagWithoutColon', 'SuspectRange'],
      ...['LanguageLine', 'UnknownHeading', 'PlayersLedgerLine'],
      ...[
        'UnresolvedCharacter',
        'UnresolvedIntel',
        'UnknownNarrator',
        'SessionHashLine',
        'SessionDrift',
        'StaleSessionHash',
      ],
    ]
    deepEqual(
      expected.filter(kind => !kinds.has(kind)),
      [],
    )
  })

  it('that doctor prints has the sessions whose text is not the accepted one', () => {
    const kinds = new Set(allFindings(snapshot).map(({ kind }) => kind))
    deepEqual(
      ['SessionDrift', 'StaleSessionHash', 'SessionHashLine'].filter(kind => !kinds.has(kind)),
      [],
    )
  })

  it('counts in the form that the number takes', () => {
    equal(
      findings.find(({ kind }) => kind === 'SessionPlaceUnknown')?.reason,
      '2 wpisy bloku Lokacje nie wskazują dokładnie jednej Lokacji: Erathia, Nighon.',
    )
  })
})
