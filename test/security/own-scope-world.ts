import type { Snapshot } from '#src/snapshot/snapshot.js'
import { worldOf } from '#test/support/world.js'

const batch = {
  id: '2026-05',
  month: '2026-05',
  at: '2026-06-02T08:00:00Z',
  source: 'batch',
  sessions: ['2026-05-20, Wieża, Narr'],
  awards: ['Żbik', 'Wilk'].map((character, at) => ({
    character,
    granted: at + 1,
    sumaBefore: 20,
    sumaAfter: 21 + at,
    nadmiarBefore: 0,
    nadmiarAfter: 0,
  })),
}

const purse = (name: string, owner: string): string =>
  `### ${name}\n- @typ: Przedmiot\n- @generyczne_nazwy: korony\n- @należy_do: ${owner}\n- @ilość: 9\n`

const moves = ['Żbik', 'Wilk'].map((destination, at) => ({
  ...{ id: `m${at}`, at: '2026-05-20T10:00:00Z', day: '2026-05-20', by: '1', reason: 'Nagroda' },
  transfers: [{ amount: 2, denomination: 'koron', source: 'Skarbiec', destination }],
}))

const sheet = (topic: string, scar: string): string =>
  `**Tematy zastrzeżone:**\n${topic}\n\n**Dodatkowe informacje:**\n- ${scar}\n`

/** Łucja with her Żbik, known by other names too; Odo with his Wilk asks, and nothing of hers is his. */
export const twoPlayersFiles = {
  '.svc/format.json': '{"format": 2}',
  '.svc/pu/batches.jsonl': `${JSON.stringify(batch)}\n`,
  '.svc/money/moves.jsonl': moves.map(one => `${JSON.stringify(one)}\n`).join(''),
  'Postaci/Gracze/Żbik.md': sheet('Pająki', 'Ma bliznę.'),
  'Postaci/Gracze/Wilk.md': sheet('Węże', 'Zna port.'),
  'kontrybutorzy.md':
    '## Gracz\n### Łucja\n- @gameid: 71001\n- @alias: Lusia\n\n### Odo\n- @gameid: 71002\n- @alias: Odek\n',
  'encje/indeks.md': [
    '### Żbik\n- @typ: Postać\n- @należy_do: Łucja\n- @alias: Rysiek\n- @pu_startowe: 20\n- @pu_suma: 21\n',
    '### Wilk\n- @typ: Postać\n- @należy_do: Odo\n- @alias: Szary\n- @pu_startowe: 20\n- @pu_suma: 22\n',
    '### Port\n- @typ: Lokacja\n',
    '### Skarbiec\n- @typ: Grupa\n',
    purse('Korony Skarbca', 'Skarbiec'),
    purse('Korony Żbika', 'Żbik'),
    purse('Korony Wilka', 'Wilk'),
  ].join('\n'),
  'sesje/2026.md': '### 2026-05-20, Wieża, Narr\n\nTekst.\n\n- @PU:\n    - Żbik: 1\n    - Wilk: 2\n',
}

export const twoPlayers = (): Snapshot => worldOf(twoPlayersFiles)

/** Words that tell of Łucja or of what is hers. */
export const hers: ReadonlyArray<string> = ['Żbik', 'Łucj', '71001', 'Pająki', 'Ma bliznę']
