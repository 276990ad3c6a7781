import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { Entity } from '#src/domain/entities/entity.js'
import { type Build, buildSnapshot } from '#src/snapshot/build.js'
import { type ParsedFile, parseFile } from '#src/snapshot/parsed-file.js'
import { runsOf } from '#test/support/runs.js'
import { day, hostConfig, sourceFile } from '#test/support/world.js'

const names = ['Anna', 'Borys', 'Celina', 'Korony Anny', 'Sakwa', 'Kupiec', 'Zamek'] as const
const name = fc.constantFrom(...names)
const type = fc.constantFrom('NPC', 'Postać', 'Przedmiot', 'Lokacja', 'Gracz')

const row = fc.oneof(
  fc.constantFrom('- @info: znany', '- @status: Usunięty (2024-03:)', '- @ref: Opisy/a.md', 'Proza.'),
  fc.constantFrom('- @generyczne_nazwy: Korony', '- @ilość: 5', '- @ilość: 7 (2024-02:)'),
  name.map(value => `- @należy_do: ${value}`),
  name.map(value => `- @lokacja: ${value} (2024-02:)`),
  fc.constantFrom('Ania', 'Borys', 'Kupiec').map(value => `- @alias: ${value}`),
)
const block = fc
  .tuple(name, type, fc.array(row, { maxLength: 3 }))
  .map(([heading, typ, rows]) => [`### ${heading}`, `- @typ: ${typ}`, ...rows, ''].join('\n'))

/** Money as sessions move it; of several purses of one owner the first has the effect. */
const purse = fc
  .tuple(
    fc.constantFrom('Korony Anny', 'Sakwa', 'Korony'),
    fc.constantFrom('Anna', 'Borys', 'Ania'),
    fc.nat(9),
  )
  .map(([heading, owner, amount]) =>
    [
      `### ${heading}`,
      '- @typ: Przedmiot',
      '- @generyczne_nazwy: Korony',
      `- @należy_do: ${owner}`,
      `- @ilość: ${amount}`,
      '',
    ].join('\n'),
  )

const change = fc.oneof(
  fc.tuple(name, fc.constantFrom('@lokacja: Zamek', '@ilość: +2', '@alias: Ania', '@należy_do: Borys')),
  fc.tuple(fc.constantFrom('Ania', 'Nikt'), fc.constantFrom('@info: x', '@generyczne_nazwy: Korony')),
)
const owner = fc.constantFrom('Anna', 'Borys', 'Ania')

const session = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.array(change, { maxLength: 2 }),
    fc.array(fc.tuple(owner, owner), { maxLength: 2 }),
  )
  .map(([month, changes, transfers]) =>
    [
      `### 2024-0${month}-01, Próba ${month}, Anna`,
      ...(changes.length === 0 ? [] : ['- @Zmiany:']),
      ...changes.map(([who, what]) => `    - ${who}\n        - ${what}`),
      ...transfers.map(([from, to]) => `- @Transfer: 1 Korony, ${from} -> ${to}`),
      '',
    ].join('\n'),
  )

const closed = [1, 2, 3]
  .map(month => ({ header: `2024-0${month}-01, Próba ${month}, Anna`, op: 'close' }))
  .map(entry => JSON.stringify({ ...entry, at: '2026-01-01T00:00:00Z', by: 'a', source: 'close' }))
  .join('\n')

const step = fc.oneof(
  fc.tuple(
    fc.constantFrom('encje/indeks.md', 'encje/indeks-02.md'),
    fc.array(block, { maxLength: 5 }).map(blocks => blocks.join('\n')),
  ),
  fc.tuple(
    fc.constant('jezyk/odmiany.tsv'),
    fc.constantFrom('Anny\tAnna\n', '!Anny\tAnna\nzły\n', 'Kupcowi\tKupiec\tNPC\nX\tNikt\n', ''),
  ),
  fc.tuple(
    fc.constant('encje/indeks-04.md'),
    fc.array(purse, { maxLength: 4 }).map(blocks => blocks.join('\n')),
  ),
  fc.tuple(
    fc.constantFrom('Sesje.md', 'Wątki/a.md'),
    fc.array(session, { maxLength: 3 }).map(all => all.join('\n')),
  ),
  fc.tuple(fc.constant('Opisy/a.md'), fc.constantFrom('- @info: z pliku\n', '- @alias: Kupiec\n')),
  fc.tuple(fc.constant('kontrybutorzy.md'), fc.constantFrom('', '## Gracz\n### Anna\n- @gameid: 1\n')),
)

/** A small edit of a file as it stands: what a write does. */
const nudges: ReadonlyArray<(text: string) => string> = [
  text => `Wstęp.\n\n${text}`,
  text =>
    text
      .split(/(?=^### )/mu)
      .toReversed()
      .join(''),
  text => text.replace(/(?<=@ilość: )\d/u, digit => String((Number(digit) + 1) % 10)),
  text => text.replace(/(?<=@należy_do: )\S+/u, owner => (owner === 'Anna' ? 'Borys' : 'Anna')),
  text => text.replace(/(?<=@typ: )NPC/u, 'Postać'),
  text => text.replace(/^(- @typ: .+)$/mu, '$1\n- @alias: Ania'),
  text => text.replace(/^### .+$/mu, '### Anna'),
]

const nudge = fc.tuple(
  fc.constantFrom('encje/indeks.md', 'encje/indeks-02.md', 'encje/indeks-04.md', 'Sesje.md'),
  fc.constantFrom(...nudges),
)

/** What no step touches: so many that a step changes a small share, as a commit does. */
const rest = Array.from({ length: 60 }, (_, at) => `### Statysta ${at}\n- @typ: NPC\n`).join('\n')

const people = '### Anna\n- @typ: NPC\n\n### Borys\n- @typ: NPC\n\n### Kupiec\n- @typ: NPC\n'

const purseOf = (item: string, owner: string): string =>
  `### ${item}\n- @typ: Przedmiot\n- @generyczne_nazwy: Korony\n- @należy_do: ${owner}\n- @ilość: 5\n`

const purses = [purseOf('Sakwa', 'Ania'), purseOf('Korony Anny', 'Anna'), purseOf('Korony', 'Borys')].join(
  '\n',
)

const payment = '### 2024-02-01, Próba 2, Anna\n- @Transfer: 1 Korony, Anna -> Borys\n'

type Texts = ReadonlyMap<string, string>

type Step = readonly [path: string, change: string | ((text: string) => string)]

const after = (texts: Texts, [path, change]: Step): Texts => {
  const text = typeof change === 'string' ? change : change(texts.get(path) ?? '')
  return new Map([...new Map(texts).set(path, text)].sort())
}

const parse = (path: string, text: string): ParsedFile => parseFile(sourceFile(path, text))

/** Files as the keeper has them: what a commit left alone is the very same. */
const keeper = (): ((path: string, text: string) => ParsedFile) => {
  const known = new Map<string, ParsedFile>()
  return (path, text) => {
    const file = known.get(`${path}\0${text}`) ?? parse(path, text)
    known.set(`${path}\0${text}`, file)
    return file
  }
}

const buildTexts = (texts: Texts, before: Build | null, parsed = parse): Build =>
  buildSnapshot(
    {
      commit: null,
      id: '',
      treeHeads: new Map(),
      day: day('2026-06-15'),
      config: hostConfig(undefined),
      lore: new Map([...texts].map(([path, text]) => [path, parsed(path, text)])),
      works: { corpus: null, files: [] },
      moderators: null,
      language: null,
      leftOut: new Set(),
      findings: [],
    },
    before,
  )

const summarise = (entities: ReadonlyArray<Entity>) =>
  entities.map(({ file, line, name: one }) => [file, line, one])

const sortOwners = (map: ReadonlyMap<string, ReadonlyArray<Entity>>) =>
  [...map]
    .map(([key, owners]) => [key, summarise(owners)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))

const view = ({ snapshot: { entities, names: index, findings, sessions, language } }: Build) => ({
  language,
  all: entities.all,
  byType: [...entities.byType].map(([key, owners]) => [key, summarise(owners)]),
  exact: sortOwners(index.exact),
  alias: sortOwners(index.alias),
  generic: sortOwners(index.generic),
  entityFindings: entities.findings,
  findings,
  sessions: sessions.all.map(one => [one.header, one.path]),
})

describe('a build upon the one before', () => {
  it('holds what a build anew holds, after any commits', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(step, { weight: 2, arbitrary: nudge }), { maxLength: 16 }), steps => {
        let texts: Texts = new Map([
          ['.svc/close/ledger.jsonl', closed],
          ['encje/indeks-02.md', people],
          ['encje/indeks-03.md', rest],
          ['encje/indeks-04.md', purses],
          ['encje/indeks.md', '### Kupiec\n- @typ: NPC\n'],
          ['Sesje.md', payment],
        ])
        const parsed = keeper()
        let before: Build | null = buildTexts(texts, null, parsed)
        for (const one of steps) {
          texts = after(texts, one)
          before = buildTexts(texts, before, parsed)
          deepEqual(view(before), view(buildTexts(texts, null)))
        }
      }),
      { numRuns: runsOf(200) },
    )
  })
})
