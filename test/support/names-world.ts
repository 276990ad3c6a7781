import { worldOf } from './world.js'

/** A block of an index file: its rows without their signs. */
export const blockText = (name: string, type: string, ...rows: ReadonlyArray<string>): string =>
  [`### ${name}`, `- @typ: ${type}`, ...rows.map(row => `- @${row}`), ''].join('\n')

/** A world with homonyms, dated aliases, common nouns and places in places. */
export const makeNamesWorld = () =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
    'encje/indeks.md': [
      blockText(
        'Kupiec Orrin',
        'NPC',
        'lokacja: Rynek',
        'plik: Opisy/Orrin.md',
        'alias: Handlarz (:2023-12)',
      ),
      blockText('Handlarz Bazyl', 'NPC', 'lokacja: Dworzec', 'alias: Handlarz (2024-01:)'),
      blockText('Złoty Smok', 'NPC', 'lokacja: Dworzec/Karczma'),
      blockText('Złoty Smok', 'Lokacja'),
      blockText('Ithan', 'Lokacja'),
      blockText('Rynek', 'Lokacja', 'lokacja: Ithan'),
      blockText('Dworzec', 'Lokacja'),
      blockText('Karczma', 'Lokacja', 'lokacja: Dworzec'),
      blockText('Strażnik Bramy', 'NPC', 'generyczne_nazwy: wartownik, klucznik'),
    ].join('\n'),
  })
