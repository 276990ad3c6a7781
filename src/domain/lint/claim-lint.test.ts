import { deepEqual, equal } from 'node:assert/strict'
import { instantOf } from '#protocol/atoms.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { line, linesText } from '#test/support/ledger.js'
import { type WorldOptions, worldOf } from '#test/support/world.js'
import { buildLintRecord, freshLintAnswer, lintAnswerOfRecord } from './claim-lint.js'

const at = instantOf(0)

const lint = (files: Readonly<Record<string, string>>, options?: WorldOptions) =>
  freshLintAnswer(worldOf({ '.svc/format.json': '{"format": 2}', ...files }, options), at)

const block = (heading: string, type: string, ...rows: ReadonlyArray<string>): string =>
  `### ${heading}\n- @typ: ${type}\n${rows.map(row => `- ${row}\n`).join('')}\n`

const kinds = (files: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  lint(files).findings.map(finding => `${finding.severity} ${finding.kind} ${finding.entity ?? ''}`)

const store = '## Gracz\n### Solmyr\n- @gameid: 1 (2020:)\n'
const main = 'encje/indeks.md'

/** Name, files, what the lint says. */
const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, ReadonlyArray<string>]> = [
  [
    'a heading of one type in two index files, once',
    { [main]: block('Crag', 'NPC'), 'encje/inne.md': block('CRAG', 'NPC') },
    ['error zdublowany-nagłówek Crag'],
  ],
  [
    'no doubled heading where the types differ',
    { [main]: block('Erathia', 'Lokacja'), 'encje/mapy.md': block('Erathia', 'Mapa') },
    [],
  ],
  [
    'two dated rows of a scalar tag that cover today',
    { [main]: block('Crag', 'NPC', '@lokacja: A (2023:)', '@lokacja: B (2024:)') },
    ['error podwójnie-aktywny-wiersz Crag'],
  ],
  [
    'no doubled row where one range is over or the tag takes several',
    {
      [main]: block(
        'Crag',
        'NPC',
        '@lokacja: A (:2023)',
        '@lokacja: B (2024:)',
        '@lokacja: C',
        '@grupa: X (2020:)',
        '@grupa: Y (2020:)',
      ),
    },
    [],
  ],
  ['a dangling reference', { [main]: block('Crag', 'NPC', '@ref: nie/ma.md') }, ['error wiszący-ref Crag']],
  [
    'a reference to a file that holds no such block',
    { [main]: block('Crag', 'NPC', '@ref: opisy/a.md'), 'opisy/a.md': block('Inny', 'NPC') },
    ['error wiszący-ref Crag'],
  ],
  [
    'a chain of references',
    { [main]: block('Crag', 'NPC', '@ref: opisy/a.md'), 'opisy/a.md': '- @ref: opisy/b.md\n' },
    ['error łańcuch-ref Crag'],
  ],
  [
    'two references at once',
    {
      [main]: block('Crag', 'NPC', '@ref: opisy/a.md', '@ref: opisy/b.md'),
      'opisy/a.md': '- @info: a\n',
      'opisy/b.md': '- @info: b\n',
    },
    ['error wielokrotny-ref Crag'],
  ],
  [
    'a reference outside the files it may name',
    { [main]: block('Crag', 'NPC', '@ref: .svc/config.json') },
    ['error odrzucona-ścieżka-ref Crag'],
  ],
  [
    'a reference to a file of neither form',
    { [main]: block('Crag', 'NPC', '@ref: opisy/a.md'), 'opisy/a.md': 'Sama proza.\n' },
    ['error nieczytelny-ref Crag'],
  ],
  [
    'a Gracz in the index and in the store',
    { [main]: block('Solmyr', 'Gracz'), 'kontrybutorzy.md': store },
    ['error rejestr-w-indeksie Solmyr'],
  ],
  [
    'a key stated where the reference is read',
    { [main]: block('Crag', 'NPC', '@ref: opisy/a.md', '@info: tu'), 'opisy/a.md': '- @info: tam\n' },
    ['warning konflikt-ref Crag'],
  ],
  [
    'nothing in an unknown tag, which is not its business',
    { [main]: block('Crag', 'NPC', '@dziwne: x') },
    [],
  ],
]

describe('claim lint', () => {
  for (const [name, files, expected] of cases)
    it(`finds ${name}`, () => {
      deepEqual(kinds(files), expected)
    })

  it('names tag, files and values of a doubled row', () => {
    const [finding] = lint({
      [main]: block('Crag', 'NPC', '@lokacja: A (2023:)', '@lokacja: B (2024:)'),
    }).findings
    deepEqual(finding, {
      kind: 'podwójnie-aktywny-wiersz',
      severity: 'error',
      entity: 'Crag',
      reason: 'Wiersze @lokacja obowiązują jednocześnie: „A”, „B”.',
      tag: 'lokacja',
      files: [main],
      values: ['A', 'B'],
    })
  })

  it('joins the findings of the ledger at error', () => {
    const works = { 'governance/ledger/rada.jsonl': linesText([line(1, '2024-01-01', 'leave', 'Crag')]) }
    const { findings, findingCount, convergeLint } = lint(
      { [main]: block('Crag', 'NPC', '@ref: nie/ma.md') },
      { works },
    )
    deepEqual([findings.length, findingCount], [1, 1])
    deepEqual(
      convergeLint.findings.map(finding => [finding.kind, finding.severity]),
      [
        ['wiszący-ref', 'error'],
        ['GovernanceLeaveWithoutHold', 'error'],
      ],
    )
    deepEqual(convergeLint.stats, { errors: 2, warnings: 0, total: 2 })
  })

  it('counts rows, blocks, references and machine lines of the index files alone', () => {
    const files = {
      [main]: block('Crag', 'NPC', '@grupa: Straż (auto)', '@ref: opisy/a.md'),
      'encje/inne.md': block('Sandro', 'NPC'),
      'kontrybutorzy.md': store,
      'opisy/a.md': '- @info: tam\n',
    }
    deepEqual(lint({ ...files, [main]: block('Crag', 'NPC', '@grupa: Straż (auto)', '@info: x') }).stats, {
      claims: 4,
      blocks: 2,
      splitGroups: 0,
      operator: 3,
      auto: 1,
    })
    equal(lint(files).stats.splitGroups, 1)
  })

  it('counts the rows of a block that its reference hides', () => {
    const rows = ['@ref: opisy/a.md', '@info: zakryte', '@lokacja: A (2023:) (auto)', '@alias: C']
    const { stats, findings } = lint({
      [main]: block('Crag', 'NPC', ...rows),
      'opisy/a.md': '- @info: z pliku\n',
    })
    deepEqual([stats.claims, stats.operator, stats.auto, stats.splitGroups], [5, 4, 1, 1])
    deepEqual(
      findings.map(({ kind }) => kind),
      ['konflikt-ref', 'konflikt-ref'],
    )
  })

  it('is fresh without a commit when run now, and empty without an instant when nothing was recorded', () => {
    const world = worldOf({ [main]: block('Crag', 'NPC', '@ref: nie/ma.md') })
    const fresh = freshLintAnswer(world, at).convergeLint
    deepEqual([fresh.fresh, fresh.at, Object.hasOwn(fresh, 'sha')], [true, '1970-01-01T00:00:00.000Z', false])
    const plain = lintAnswerOfRecord(world.entities, null, { sessions: true })
    deepEqual(plain.convergeLint, {
      at: null,
      sha: null,
      stats: { errors: 0, warnings: 0, total: 0 },
      findings: [],
      fresh: false,
    })
    equal(plain.findingCount, 0)
  })

  it('is told as it was recorded, with what came from elsewhere', () => {
    const world = worldOf({ [main]: block('Crag', 'NPC', '@ref: nie/ma.md') })
    const foreign = {
      kind: 'obca-zmiana-pliku-robota',
      severity: 'warning',
      entity: null,
      reason: 'x',
    } as const
    const recording = atOnce(buildLintRecord(world, [foreign], at, 'a'.repeat(40)))
    const told = lintAnswerOfRecord(worldOf({}).entities, recording, { sessions: true })
    deepEqual(told.convergeLint, recording)
    deepEqual(
      [recording.fresh, recording.stats.warnings, told.findingCount],
      [false, 1, recording.findings.length],
    )
    deepEqual(told.findings.at(-1), foreign)
  })

  it('tells of settled sessions only who may read sessions', () => {
    const world = worldOf({})
    const settled = {
      kind: 'SettledReadingDiffers',
      severity: 'warning',
      entity: '2024-05-03, Most, Brzoza',
      reason: 'x',
    } as const
    const recording = atOnce(buildLintRecord(world, [settled], at, null))
    const seen = [true, false].map(sessions => lintAnswerOfRecord(world.entities, recording, { sessions }))
    deepEqual(
      seen.map(({ findings, convergeLint }) => [findings, convergeLint.findings, convergeLint.stats.total]),
      [
        [[], [settled], 1],
        [[], [], 0],
      ],
    )
  })
})
