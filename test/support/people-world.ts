import type { Snapshot } from '#src/snapshot/snapshot.js'
import { worldOf } from './world.js'

const store = `## Gracz
### Solmyr
- @gameid: 12345 (2023-06:)
- @gameid: 11111 (:2023-05)
- @rola: Narrator (2024-01:)
- @rola: Radny (2022:2022)
- @status: Aktywny
- @chat: sesje/solmyr-kanał
- @klucz_api: sha256:${'a'.repeat(64)}
- @tematy: gore, tortury
- @alias: Sol
### Żaneta
- @gameid: 22222 (2024-01:)
- @rola: Czarodziej
### Odmowny
- @gameid: 33333
- @chat: BRAK
### Emeryt
- @gameid: 44444 (:2020-12)
### Bezimienny
- @status: Aktywny
### Wyciekły
- @gameid: 55555
- @chat: BRAK
- @klucz_api: apik_jawny-klucz
## Role
### Radny
- @chat_rola: Rada
`

const index = `### Xeron
- @typ: Postać
- @należy_do: solmyr
- @alias: Xeron Demonlord
- @grupa: Straż (2024-01:)
- @lokacja: Nighon
- @status: Aktywny
- @pu_startowe: 20
- @pu_suma: 31,25
- @pu_nadmiar: 0.5
- @stan: Ranny (2024-03:2024-06)
- @info: Znany z uczciwych transakcji.
### Zmarły
- @typ: Postać
- @należy_do: Solmyr
- @status: Usunięty (2024-01:)
- @pu_startowe: 20
- @pu_zdobyte: 10
### Iskra
- @typ: Postać
- @należy_do: Żaneta
- @pu_startowe: 20
### Nighon
- @typ: Lokacja
`

const sheet = `**Karta Postaci:** https://karty.example/xeron

**Tematy zastrzeżone:**
Pająki

**Stan:**
Zdrowy.

**Przedmioty specjalne:**
- Miecz

**Reputacja:**
- Pozytywna: Eeofol (obrona)
- Neutralna:
- Negatywna:

**Dodatkowe informacje:**
- Ma bliznę.
- Zna smoki.

**Opisane sesje:**

### 2026-05-10, Most, Anna
Opis.
`

const session = (header: string, points: ReadonlyArray<string>): string =>
  `### ${header}\n\nOpis sesji.\n\n- @PU:\n${points.map(one => `    - ${one}\n`).join('')}\n`

const sessions = [
  session('2026-05-10, Most, Solmyr', ['Xeron: 1.5', 'Iskra: 0.5']),
  session('2026-05-20, Wieża, Solmyr', ['Xeron Demonlord: 0.25']),
  session('2025-11-02, Stara sesja, Solmyr', ['Iskra: 0.3']),
].join('')

const award = (character: string, granted: number): object => ({
  character,
  granted,
  sumaBefore: null,
  sumaAfter: null,
  nadmiarBefore: 0,
  nadmiarAfter: 0,
})

const batches = [
  {
    id: 'legacy-1',
    month: null,
    at: '2025-12-03T10:00:00+01:00',
    source: 'legacy',
    sessions: ['2025-11-02, Stara sesja, Solmyr'],
    awards: [],
  },
  {
    id: '2026-05',
    month: '2026-05',
    at: '2026-06-02T08:00:00Z',
    source: 'batch',
    sessions: ['2026-05-10, Most, Solmyr', '2026-05-20, Wieża, Solmyr'],
    awards: [award('Xeron', 2.75), award('Iskra', 1.5)],
  },
]

/** People, characters, sessions and PU of a small community, on 15 June 2026. */
export const peopleWorld = (): Snapshot =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    '.svc/pu/batches.jsonl': batches.map(batch => `${JSON.stringify(batch)}\n`).join(''),
    'Postaci/Gracze/Xeron.md': sheet,
    'encje/indeks.md': index,
    'kontrybutorzy.md': store,
    'sesje/2026.md': sessions,
  })
