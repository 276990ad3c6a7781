import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import { buildSnapshot, type Inputs } from '#src/snapshot/build.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { line, linesText } from './ledger.js'
import { archivedFiles } from './transcripts.js'
import { proposedText, rowText, setsText, tuningStore } from './tuning.js'
import { inputsOf } from './world.js'

export const commitOf = (text: string): CommitId => {
  const id = CommitId.decode(text)
  if (isLeft(id)) throw new Error(`not a commit id: ${text}`)
  return id.right
}

/** The commit of the world, an older one of its history, and an unrelated one. */
export const servedCommit = commitOf('a'.repeat(40))
export const olderCommit = commitOf('b'.repeat(40))
export const strangeCommit = commitOf('c'.repeat(40))

/** The chat account that Żaneta is linked to. */
export const contractChatId = '700100200300400500'
const bindings = [
  { chatId: contractChatId, gameId: '41002', since: '2026-01-01T00:00:00Z', by: 'x' },
  /** The narrator Brzoza. */
  { chatId: '700100200300400511', gameId: '41001', since: '2026-01-01T00:00:00Z', by: 'x' },
]

const store = `## Gracz
### Brzoza
- @gameid: 41001 (2023-06:)
- @rola: Narrator (2024-01:)
- @chat: sesje/brzoza
- @alias: Brzózka
### Żaneta
- @gameid: 41002 (2024-01:)
- @chat: BRAK
- @rola: Czarodziej
## Role
### Narrator
- @chat_rola: Narratorzy
`

const index = `### Kupiec Bogdan
- @typ: NPC
- @alias: Bogdan (2024-01:)
- @należy_do: Wit Kłos
- @lokacja: Port Zamorze (:2024-05)
- @lokacja: Zamorze/Karczma Pod Dębem (2024-06:)
- @grupa: Cech Kupców (2024-06:)
- @plik: Opisy/Bogdan.md
- @info: Handluje solą.
- @dziwny: tak

### Cech Kupców
- @typ: Grupa

### Zamorze
- @typ: Lokacja
- @region: Pogranicze
- @outerior: tak

### Port Zamorze
- @typ: Lokacja
- @lokacja: Zamorze
- @drzwi: Karczma Pod Dębem

### Karczma Pod Dębem
- @typ: Lokacja
- @lokacja: Zamorze
- @region: Pogranicze
- @outerior: nie

### Wit Kłos
- @typ: Postać
- @należy_do: Brzoza
- @lokacja: Zamorze
- @grupa: Cech Kupców
- @pu_startowe: 20
- @pu_suma: 22,5

### Iskra
- @typ: Postać
- @należy_do: Żaneta
- @pu_startowe: 20

### Plan portu
- @typ: Mapa
- @lokacja: Port Zamorze

### Miecz Wita
- @typ: Przedmiot
- @należy_do: Wit Kłos
- @ilość: 2

### Talary Cechu
- @typ: Przedmiot
- @generyczne_nazwy: Talary Hirońskie
- @należy_do: Cech Kupców
- @ilość: 40 (2026-04:)

### Talary Wita
- @typ: Przedmiot
- @generyczne_nazwy: Talary Hirońskie
- @należy_do: Wit Kłos
- @ilość: 5 (2026-04:)
`

const sheet = `**Karta Postaci:** https://karty.example/wit

**Tematy zastrzeżone:**
Pająki

**Stan:**
Zdrowy.

**Dodatkowe informacje:**
- Ma bliznę.
- Zna port.
`

export const bridge = '2026-05-10, Most na Zamorzu, Brzoza'
export const tower = '2026-05-20, Wieża/Latarnia, Brzoza'
/** A session whose close was deferred and is merged. */
export const gate = '2024-03-02, Brama, Brzoza'

const sessionText = (header: string, prose: string, rows: string): string =>
  `### ${header}\n\n${prose}\n\n${rows}\n`

const places = '- @Lokacje:\n    - Zamorze\n    - Port Zamorze\n'

const sessions = [
  sessionText(
    bridge,
    'Kupiec Bogdan przeszedł przez most.',
    `${places}- @Logi:\n    - https://logi.example/1\n- @PU:\n    - Wit Kłos: 1.5\n    - Iskra: 0.5\n`,
  ),
  sessionText(tower, 'Wit Kłos wszedł na wieżę.', `${places}- @PU:\n    - Wit Kłos: 0.25\n`),
].join('')

const otherCopy = sessionText(
  bridge,
  'Inny opis mostu.',
  `${places}- @PU:\n    - Wit Kłos: 2\n    - Iskra: 0.5\n- @Intel:\n    - Grupa/Cech Kupców: Statek wraca.\n`,
)

const deferredClose = {
  header: gate,
  op: 'close',
  at: '2024-03-03T08:00:00.000Z',
  by: 'Brzoza',
  source: 'close',
  deferred: true,
  transfers: [],
  intel: [],
}

const batch = {
  id: '2026-05',
  month: '2026-05',
  at: '2026-06-02T08:00:00Z',
  source: 'batch',
  sessions: [tower],
  awards: [
    {
      character: 'Wit Kłos',
      granted: 1.25,
      sumaBefore: 21.25,
      sumaAfter: 22.5,
      nadmiarBefore: 0,
      nadmiarAfter: 0,
    },
  ],
}

/** The works tree of the contract world. */
export const contractWorks = {
  'governance/ledger/namiestnik.jsonl': linesText([
    line(1, '2024-01-10', 'appoint', 'Brzoza', { value: 'pełny', confidence: 'exact' }),
    line(2, '2024-05-01', 'appoint', 'Żaneta'),
  ]),
}

const players = [
  { gameId: '41001', nick: 'Brzozek', charId: '501', since: '2023-06-01' },
  { gameId: '41001', nick: 'Brzoza', charId: '502', since: '2024-02-10T18:30:00+01:00' },
  { gameId: '41002', nick: 'Żanetka', charId: '601', since: '2024-01-05' },
]

const moves = [
  { id: 'm1', destination: 'Wit Kłos', reason: 'Za most' },
  { id: 'm2', destination: 'Iskra', reason: 'Za wieżę' },
].map(({ id, destination, reason }) => ({
  ...{ id, at: '2026-05-12T10:00:00Z', day: '2026-05-12', by: '41001', reason },
  transfers: [{ amount: 3, denomination: 'talary', source: 'Cech Kupców', destination }],
}))

const permissions = { ranga: 'narrator', magia: 'podstawowa', zmieniono: '2026-05-01T10:00:00.000Z' }

/** The transcript of the session on the bridge. */
const bridgeLog = archivedFiles('1', 'https://logi.example/1', [
  'Witajcie.',
  '=== Zamorze ===',
  'Lokalny|Wit Kłos|Kupiec Bogdan czeka za mostem.',
  'Lokalny|Bogdan|Zapraszam, Iskro.',
  'Lokalny|Bogdan|Statek wraca.',
  'Globalny|Iskra|Idę.',
  '=== Port Zamorze ===',
  'Lokalny|Iskra|Jestem w porcie.',
  'Lokalny|Wędrowiec z Nikąd|Szukam Wita Kłosa.',
])

/** A transcript that no session cites. */
const strayLog = archivedFiles('stary', 'https://logi.example/stary', [
  'Lokalny|Wędrowiec z Nikąd|Pada od rana.',
])

/** A row of the sample store of the contract world, which quotes the third line of the transcript of the bridge. */
const sample = (slug: string, change: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    id: `lineage/entity-span/${slug}`,
    class: 'entity-span',
    grade: 'proposed',
    label: 'Grupa',
    fields: { referent: 'Cech Kupców', scope: bridge, evidence_form: 'Kupiec' },
    locator: {
      ...{ document: 'log/1', source: bridge, line: 2, start: 0, end: 6, text: 'Kupiec' },
      hash: createHash('sha256').update('Kupiec Bogdan czeka za mostem.').digest('hex'),
    },
    provenance: { project: 'lineage' },
    ...change,
  })

const acceptance = { kind: 'ruling', by: 'Żaneta', at: '2026-06-01T10:00:00.000Z', outcome: 'affirm' }

/** The ids of the samples of the contract world: one is open, one quotes nothing, one is ruled, and the passage of one is gone. */
export const contractSamples = {
  open: 'lineage/entity-span/0123456789abcdef',
  plain: 'lineage/entity-span/plain',
  ruled: 'lineage/entity-span/ruled',
  stale: 'lineage/entity-span/stale',
} as const

const rowsText = (rows: ReadonlyArray<string>): string => rows.map(row => `${row}\n`).join('')

/** The sample store of the contract world. */
export const contractSampleFiles = {
  'samples/lineage/entity-span.jsonl': rowsText([
    sample('0123456789abcdef', {}),
    sample('plain', { locator: undefined }),
    sample('ruled', { grade: 'confirmed', verdict: 'affirmed', accepted_by: acceptance }),
    sample('stale', {
      locator: {
        document: `session/${bridge}`,
        source: bridge,
        hash: '',
        line: 0,
        start: 0,
        end: 3,
        text: 'Nie',
      },
    }),
  ]),
  'samples/lineage/speaker-binding.jsonl': rowsText([
    JSON.stringify({
      id: 'lineage/speaker-binding/1',
      class: 'speaker-binding',
      grade: 'proposed',
      label: 'character',
      fields: { referent: 'Kupiec Bogdan', scope: bridge, surface: 'Bogdan' },
      provenance: { project: 'lineage' },
    }),
  ]),
}

/** The lore of the contract world. */
export const contractFiles = {
  '.svc/format.json': '{"format": 2}',
  '.svc/config.json':
    '{"integrations": {"logs": {"hosts": ["logi.example"]}}, "corpora": {"adnotacje": "adnotacje"}}',
  '.svc/bindings.json': JSON.stringify({ bindings }),
  '.svc/permissions.json': JSON.stringify({ permissions: { 41001: permissions } }),
  '.svc/staged/szkic.md': '<!-- file: sesje/2026.md -->\n\n### 2026-06-10, Zasadzka, Brzoza\n',
  '.svc/pu/batches.jsonl': `${JSON.stringify(batch)}\n`,
  '.svc/money/moves.jsonl': `${moves.map(row => JSON.stringify(row)).join('\n')}\n`,
  '.svc/players/ledger.jsonl': `${players.map(row => JSON.stringify(row)).join('\n')}\n`,
  'Opisy/Bogdan.md': '# Bogdan\nOpis kupca.\n',
  'Postaci/Gracze/Wit Kłos.md': sheet,
  'encje/indeks.md': index,
  'kontrybutorzy.md': store,
  'sesje/2026.md': sessions,
  'sesje/2024.md': sessionText(gate, 'Straż zamknęła bramę.', ''),
  '.svc/close/ledger.jsonl': `${JSON.stringify(deferredClose)}\n`,
  'sesje/kopia.md': otherCopy,
  ...bridgeLog,
  ...strayLog,
}

const plan = JSON.stringify({ calls: [{ method: 'GET', path: '/entities/Wit' }], why: 'Pyta o Wita.' })

/** The fine-tuning samples of the contract world. */
export const contractTuningFiles = {
  'sets.json': setsText(['session-summary', 'api-agent']),
  'session-summary.jsonl': ['most', 'brama', 'port', 'wieża']
    .map(slug => `${rowText({ slug, question: `Zapis: ${slug}. ${'Wit idzie dalej. '.repeat(30)}` })}\n`)
    .join(''),
  'api-agent.jsonl':
    `${proposedText({ slug: 'wit', set: 'api-agent', answer: plan, more: { fields: { kind: 'single' } } })}\n` +
    `${proposedText({ slug: 'nikt', set: 'api-agent', answer: '{"calls": [], "why": "Nie ma go."}' })}\n`,
}

/** The inputs of the contract world, with these files in place of its own. */
export const contractInputs = (files: Readonly<Record<string, string>> = {}): Inputs => ({
  ...inputsOf({ ...contractFiles, ...files }, { works: contractWorks, samples: contractSampleFiles }),
  commit: servedCommit,
  tuning: tuningStore(contractTuningFiles, { commit: servedCommit }),
})

/** A small world in which every row of the closed table has data to answer with, on 15 June 2026. */
export const contractWorld = (): Snapshot => buildSnapshot(contractInputs(), null).snapshot
