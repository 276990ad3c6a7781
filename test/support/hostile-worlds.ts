/** Lore that a person with push rights may commit to make an answer grow, in size `n`. */
export interface HostileWorld {
  readonly what: string
  readonly files: (n: number) => Readonly<Record<string, string>>
  /** The name in the path or query. */
  readonly name: string
  readonly header?: string
}

const many = (n: number, of: (at: number) => string): string =>
  Array.from({ length: n }, (_, at) => of(at)).join('')

const block =
  (type: string) =>
  (heading: string, ...rows: ReadonlyArray<string>): string =>
    `### ${heading}\n- @typ: ${type}\n${rows.map(row => `- @${row}\n`).join('')}\n`
const [place, npc, character] = [block('Lokacja'), block('NPC'), block('Postać')]

const session = (date: string, title: string, ...lists: ReadonlyArray<readonly [string, string]>): string =>
  `### ${date}, ${title}, Brzoza\n\nProza.\n\n${lists.map(([name, items]) => `- @${name}:\n${items}`).join('')}\n`
const items = (n: number, of: (at: number) => string): string => many(n, at => `    - ${of(at)}\n`)

const dayAt = (at: number): string =>
  new Date(Date.UTC(2024, 0, 1) + (at % 800) * 86_400_000).toISOString().slice(0, 10)

const base = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Brzoza\n- @gameid: 41001\n- @rola: Narrator\n',
}
const world = (index: string, sessions = ''): Readonly<Record<string, string>> => ({
  ...base,
  'encje/indeks.md': index,
  'sesje/a.md': sessions,
})

const only = '2026-05-10, S, Brzoza'
const owned = 'należy_do: Brzoza'

const absurd = [1e300, -1e300, 1e-300, 1e99, 5e-324, Number.MAX_SAFE_INTEGER] as const
const award = (at: number) => ({
  character: `PC${at}`,
  granted: absurd[at % absurd.length],
  sumaBefore: 1e300,
  sumaAfter: -1e300,
  nadmiarBefore: 0,
  nadmiarAfter: 1e99,
})
const batch = (at: number, n: number) => ({
  id: `b${at}`,
  month: '2026-05',
  at: '2026-06-02T08:00:00Z',
  source: 'batch',
  sessions: [only],
  awards: Array.from({ length: n }, (_, one) => award(one)),
})

export const hostileWorlds: ReadonlyArray<HostileWorld> = [
  {
    what: 'a chain of places, of groups and of owners',
    name: 'M0',
    files: n =>
      world(
        many(n, at => place(`M${at}`, `lokacja: M${at + 1}`)) +
          many(n, at => npc(`G${at}`, `grupa: G${at + 1}`, `należy_do: G${at + 1}`)),
      ),
  },
  {
    what: 'a circle of places, of groups and of owners',
    name: 'M0',
    files: n =>
      world(
        many(n, at => place(`M${at}`, `lokacja: M${(at + 1) % n}`, `drzwi: M${(at + 7) % n}`)) +
          many(n, at => npc(`G${at}`, `grupa: G${(at + 1) % n}`, `należy_do: G${(at + 1) % n}`)),
      ),
  },
  {
    what: 'places that share a leaf, named by paths, on many days',
    name: 'P0',
    files: n =>
      world(
        many(n, at => place(`Karczma (P${at})`, `lokacja: P${at}`)) +
          many(n, at => place(`P${at}`, `lokacja: Q${at % 7}/Karczma`, `drzwi: Z${at}/Karczma`)) +
          many(n, at => npc(`G${at}`, `lokacja: Z${at}/Karczma`)),
        many(n, at => session(dayAt(at), `S${at}`, ['Lokacje', items(2, one => `Z${at + one}/Karczma`)])),
      ),
  },
  {
    what: 'blocks of one heading',
    name: 'Ola',
    files: n =>
      world(
        many(n, () => npc('Ola', 'alias: Olka', 'grupa: Ola', 'należy_do: Ola', 'lokacja: Ola')) +
          many(n, () => place('Ola', 'drzwi: Ola', 'lokacja: Ola', 'region: Ola')),
        many(n, at =>
          session(dayAt(at), `S${at}`, ['PU', items(2, () => 'Ola: 1')], ['Lokacje', items(1, () => 'Ola')]),
        ),
      ),
  },
  {
    what: 'aliases to one name',
    name: 'Wspólna',
    header: only,
    files: n =>
      world(
        many(n, at =>
          npc(`N${at}`, 'alias: Wspólna', 'grupa: Wspólna', 'należy_do: Wspólna', 'lokacja: Wspólne'),
        ) +
          many(n, at => place(`L${at}`, 'alias: Wspólne', 'lokacja: Wspólne', 'drzwi: Wspólne')) +
          many(n, at => character(`PC${at}`, 'alias: Wspólna', owned)),
        session(
          '2026-05-10',
          'S',
          ['PU', items(n, () => 'Wspólna: 1')],
          ['Lokacje', items(n, () => 'Wspólne')],
        ),
      ),
  },
  {
    what: 'one prefix of all names',
    name: 'Aleksandra Wielka z Rodu 1',
    header: only,
    files: n =>
      world(
        many(n, at => npc(`Aleksandra Wielka z Rodu ${at}`, 'grupa: Aleksandra Wielka')) +
          many(n, at => character(`Aleksandra Mała ${at}`, owned)),
        session('2026-05-10', 'S', ['PU', items(n, at => `Aleksandra Mała x${at}: 1`)]),
      ),
  },
  {
    what: 'a session of everybody',
    name: 'PC1',
    header: only,
    files: n =>
      world(
        many(n, at => character(`PC${at}`, owned)),
        session(
          '2026-05-10',
          'S',
          ['Uczestnicy', items(n, at => `PC${at}`)],
          ['PU', items(n, at => `PC${at}: 0.3`)],
          ['Lokacje', items(n, at => `L${at}`)],
          ['Logi', items(n, at => `https://logi.example/${at}`)],
          ['Intel', items(n, at => `Grupa/G${at}: Tekst ${at}`)],
          ['Zmiany', items(n, at => `PC${at}\n        - @stan: x${at}`)],
        ),
      ),
  },
  {
    what: 'sessions of 60 each who are in no other',
    name: 'O0.0',
    files: n =>
      world(
        '',
        many(Math.ceil(n / 4), at =>
          session(dayAt(at), `S${at}`, ['Uczestnicy', items(60, one => `O${at}.${one}`)]),
        ),
      ),
  },
  {
    what: 'copies of one session',
    name: 'Ola',
    header: only,
    files: n =>
      world(
        character('Ola', owned),
        many(n, at =>
          session(
            '2026-05-10',
            'S',
            ['PU', items(1, () => `Ola: ${at}`)],
            ['Lokacje', items(1, () => `L${at}`)],
          ),
        ),
      ),
  },
  {
    what: 'sessions of one character',
    name: 'Ola',
    header: '2024-01-01, S0, Brzoza',
    files: n =>
      world(
        character('Ola', owned) + place('L1'),
        many(n, at =>
          session(
            dayAt(at),
            `S${at}`,
            ['PU', items(1, () => 'Ola: 0.3')],
            ['Lokacje', items(1, () => 'L1')],
            ['Intel', items(1, () => 'Ola: Coś')],
            ['Zmiany', items(1, () => `Ola\n        - @info: i${at}`)],
          ),
        ),
      ),
  },
  {
    what: 'a block of many rows',
    name: 'Ola',
    header: only,
    files: n =>
      world(
        character(
          'Ola',
          owned,
          ...Array.from({ length: n }, (_, at) => [
            `info: wpis ${at}`,
            `status: Aktywny (20${10 + (at % 15)}-01:)`,
            `alias: Oleńka ${at}`,
            `grupa: Gr${at}`,
            `lokacja: L${at} (20${10 + (at % 15)}-02:)`,
          ]).flat(),
        ) + place('Ola', ...Array.from({ length: n }, (_, at) => `drzwi: L${at}`)),
        session('2026-05-10', 'S', ['PU', items(1, () => 'Ola: 1')]),
      ),
  },
  {
    what: 'awards and PU of absurd size',
    name: 'PC1',
    header: only,
    files: n => ({
      ...world(
        many(n, at => character(`PC${at}`, owned, 'pu_startowe: 20')),
        session('2026-05-10', 'S', ['PU', items(n, at => `PC${at}: ${'9'.repeat(1 + (at % 300))}e99999`)]),
      ),
      '.svc/pu/batches.jsonl': many(4, at => `${JSON.stringify(batch(at, n))}\n`),
    }),
  },
  {
    what: 'one heading and one value, of a great length',
    name: 'Ola',
    header: only,
    files: n => {
      const long = 'ą b/'.repeat(n * 20)
      return world(
        npc('Ola', `info: ${long}`, `alias: ${long}x`, `grupa: ${long}`, `lokacja: ${long}`) + npc(long),
        session('2026-05-10', 'S', ['PU', items(1, () => `${long}: 1`)], ['Lokacje', items(1, () => long)]),
      )
    },
  },
  {
    what: 'people with a character each',
    name: 'Osoba 1',
    files: n => ({
      ...world(
        many(n, at => character(`PC${at}`, `należy_do: Osoba ${at}`)),
        many(n, at => session(dayAt(at), `S${at}`, ['PU', items(1, () => `PC${at}: 0.3`)])),
      ),
      'kontrybutorzy.md': `## Gracz\n${many(n, at => `### Osoba ${at}\n- @gameid: ${at}\n- @rola: Narrator\n- @alias: Al ${at}\n`)}`,
    }),
  },
]
