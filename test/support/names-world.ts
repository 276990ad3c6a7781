import { worldOf } from './world.js'

/** A block of an index file: its rows without their signs. */
export const worldBlock = (name: string, type: string, ...rows: ReadonlyArray<string>): string =>
  [`### ${name}`, `- @typ: ${type}`, ...rows.map(row => `- @${row}`), ''].join('\n')

/** A world with homonyms, dated aliases, common nouns and places in places. */
export const makeNamesWorld = () =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
    'encje/indeks.md': [
      worldBlock(
        'Kupiec Orrin',
        'NPC',
        'lokacja: Rynek',
        'plik: Opisy/Orrin.md',
        'alias: Handlarz (:2023-12)',
      ),
      worldBlock('Handlarz Bazyl', 'NPC', 'lokacja: Dworzec', 'alias: Handlarz (2024-01:)'),
      worldBlock('Złoty Smok', 'NPC', 'lokacja: Dworzec/Karczma'),
      worldBlock('Złoty Smok', 'Lokacja'),
      worldBlock('Ithan', 'Lokacja'),
      worldBlock('Rynek', 'Lokacja', 'lokacja: Ithan'),
      worldBlock('Dworzec', 'Lokacja'),
      worldBlock('Karczma', 'Lokacja', 'lokacja: Dworzec'),
      worldBlock('Strażnik Bramy', 'NPC', 'generyczne_nazwy: wartownik, klucznik'),
    ].join('\n'),
  })
