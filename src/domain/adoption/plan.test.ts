import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { instantOf } from '#protocol/atoms.js'
import { unknownHeadings } from '#src/domain/language/unknown-headings.js'
import { adoptionDay, planOf } from '#test/support/legacy/adoption.js'
import { filesOf, type WorldTexts } from '#test/support/legacy/legacy-world.js'
import { applyAdoption } from '#test/support/legacy/lost-words.js'
import { day, worldOf } from '#test/support/world.js'
import { planAdoption } from '../../../test/support/at-once.js'

const planInstant = instantOf(Date.parse(`${adoptionDay}T10:00:00Z`))

const roster = `## Lista

### Jawor
- ID Gry: 7
- Postaci:
    - **[Lipa](dane/postaci/Lipa.md)**
        - Zna las.
`

const relocated: WorldTexts = {
  '.robot-data.psd1': "PlayersFile = 'dane/gracze.md'\nCharactersDir = 'dane/postaci'\nResDir = 'dane/res'\n",
  'dane/gracze.md': roster,
  'dane/postaci/Lipa.md': '**Stan:**\nRanna.\n\n**Opisane sesje:**\n\n### 2024-01-01, Raz, Jawor\n',
  'dane/res/pu-sessions.md': '- 2024-02-01 10:00 (UTC+01:00):\n    - ### 2024-01-01, Raz, Jawor\n',
}

const textAt = (texts: WorldTexts, path: string) =>
  planOf(texts).changes.find(change => change.path === path)?.after

describe('the plan of an adoption', () => {
  it('finds what the manifest moved, and moves character files to where they are read', () => {
    const { changes, report } = planOf(relocated)
    deepEqual(report.Sources, ['dane/gracze.md', 'dane/res/pu-sessions.md'])
    equal(changes.find(change => change.path === 'dane/postaci/Lipa.md')?.after, null)
    equal(
      textAt(relocated, 'Postaci/Gracze/Lipa.md'),
      '**Stan:**\nRanna.\n\n**Dodatkowe informacje:**\n- Zna las.\n\n**Opisane sesje:**\n\n### 2024-01-01, Raz, Jawor\n',
    )
    deepEqual(planOf(applyAdoption(relocated, changes)).changes, [])
  })

  it('is applied where it changes a file, and not where everything is adopted already', () => {
    const applied = (texts: WorldTexts) => {
      const { report } = planAdoption(filesOf(texts), {
        now: planInstant,
        today: day(adoptionDay),
        dryRun: false,
        labels: { game: null },
        past: new Map(),
      })
      return [report.Applied, report.SessionRegistry.Applied, report.Files?.length === 0]
    }
    const legacy = {
      ...relocated,
      'sesje.md': '### 2024-01-02, Dwa, Jawor\n\n- Lokalizacje:\n    - Kotlina\n',
    }
    const world = { ...legacy, 'entities.md': '## Lokacja\n\n* Kotlina\n' }
    deepEqual(applied(world), [true, true, false])
    deepEqual(applied(applyAdoption(world, planOf(world).changes)), [false, false, true])
  })

  it('keeps the language data of `jezyk/`, which the adopted lore goes on to use', () => {
    const words = {
      'jezyk/odmiany.tsv': 'Lipie\tLipa\tPostać\n',
      'jezyk/tytuly.txt': '# tytuły\nMistrz\n',
      'jezyk/lematy.tsv': 'lipą\tlipa\n',
    }
    const legacy = { ...relocated, ...words }
    const { changes, report } = planOf(legacy)
    deepEqual(
      changes.filter(({ path }) => path.startsWith('jezyk/')),
      [],
    )
    deepEqual(
      report.Sources?.filter(path => path.startsWith('jezyk/')),
      [],
    )
    const adopted = applyAdoption(legacy, changes)
    deepEqual({ ...adopted, ...words }, adopted)
    const { language, entities } = worldOf(adopted)
    deepEqual([language.data.titles, language.findings], [['Mistrz'], []])
    deepEqual(unknownHeadings(language, entities), [])
  })

  it('reports a player whose name the audit gives to the daemon itself', () => {
    const { report } = planOf({ ...relocated, 'dane/gracze.md': roster.replace('Jawor', 'Machine') })
    deepEqual(
      report.Findings.filter(({ kind }) => kind === 'ReservedName').map(one => [one.severity, one.subject]),
      [['error', 'Machine']],
    )
  })

  it('does not write again what a person removed or closed after the first adoption', () => {
    const first = applyAdoption(relocated, planOf(relocated).changes)
    const path = 'Postaci/Gracze/Lipa.md'
    const edited = {
      ...first,
      [path]: (first[path] ?? '').replace('- Zna las.\n', '- Brak.\n'),
      'encje/indeks.md': (first['encje/indeks.md'] ?? '').replace(
        '### Lipa\n',
        '### Lipa Nowa\n- @alias: Lipa\n',
      ),
      'nowa.md': '### 2025-01-01, Nowa, Jawor\n\nByło.\n',
    }
    deepEqual(planOf(edited).changes, [])
  })

  it('lists the nearest names of an unknown player and of an unknown place', () => {
    const { report } = planOf({
      'Gracze.md': '# Gracze\n\n## Lista\n\n### Wierzba\n\n- ID Krainy: 4101\n',
      'entities.md': [
        '## Postać\n\n* Lipa\n    - @należy_do: Wiezba\n',
        '## Lokacja\n\n* Kotlina\n    - @zawiera: Karczna\n\n* Karczma\n',
      ].join('\n'),
    })
    deepEqual(
      report.Findings.filter(({ kind }) => kind === 'UnknownPlayer' || kind === 'ContainsUnknown').map(
        ({ kind, suggestion }) => [kind, suggestion?.match(/The nearest names are (.*)\.$/)?.[1]],
      ),
      [
        ['ContainsUnknown', 'Karczma'],
        ['UnknownPlayer', 'Wierzba'],
      ],
    )
  })

  it('closes only sessions older than the day of adoption', () => {
    const texts = {
      'sesje.md': `### 2026-06-14, Wczoraj, N\n\nA.\n\n### ${adoptionDay}, Dziś, N\n\nB.\n\n### 2026-06-16, Jutro, N\n\nC.\n`,
    }
    const lines = (textAt(texts, '.svc/close/ledger.jsonl') ?? '').trim().split('\n')
    equal(lines.length, 1)
    ok(lines[0]?.includes('Wczoraj'))
  })

  it('keeps a roles table that stands', () => {
    equal(textAt({ '.svc/roles.json': '{"roles": {}}\n' }, '.svc/roles.json'), undefined)
  })

  it('copies the list of texts that are no places, without webhooks, only in the run that adopts', () => {
    const path = '.svc/location-exclusions.txt'
    const hook = 'https://chat.example/api/webhooks/1/klucz'
    const texts = { ...relocated, 'dane/res/location-exclusions.txt': `# przejrzane\nna zewnątrz\n${hook}\n` }
    equal(textAt(texts, path), '# przejrzane\nna zewnątrz\n[webhook]\n')
    equal(textAt({ ...texts, [path]: 'w drodze\n' }, path), undefined)
    equal(textAt({ ...texts, '.svc/format.json': '{"format": 2}\n' }, path), undefined)
    equal(textAt(relocated, path), undefined)
  })

  it('reports no place that the committed list excludes, also after the old list is gone', () => {
    const session = '### 2024-01-02, Dwa, Jawor\n\n- Lokalizacje:\n    - w drodze\n'
    const unresolved = (texts: WorldTexts) =>
      planOf({ ...relocated, 'sesje.md': session, ...texts })
        .report.Findings.filter(({ kind }) => kind === 'UnresolvedPlace')
        .map(({ subject }) => subject)
    deepEqual(unresolved({}), ['w drodze'])
    deepEqual(unresolved({ '.svc/location-exclusions.txt': 'W drodze\n' }), [])
  })

  it('refuses bytes that are not UTF-8 in a file it would read', () => {
    const files = new Map(
      [...filesOf({ 'entities.md': '## NPC\n* Ja\ufffdor\n', 'a.md': 'x' })].map(([path, file]) => [
        path,
        { ...file, undecodable: path.startsWith('entities') },
      ]),
    )
    const plan = planAdoption(files, {
      now: planInstant,
      today: day(adoptionDay),
      dryRun: false,
      labels: { game: null },
      past: new Map(),
    })
    deepEqual(plan.changes, [])
    deepEqual(plan.refused, ['entities.md: the file is not UTF-8. Convert it and adopt again.'])
  })

  it('takes only the configured word for the game id', () => {
    const files = filesOf({ 'entities.md': '## Gracz\n* Jawor\n    - @krainaid: 5\n    - @inneid: 6\n' })
    const plan = planAdoption(files, {
      now: planInstant,
      today: day(adoptionDay),
      dryRun: true,
      labels: { game: 'Kraina' },
      past: new Map(),
    })
    const store = plan.changes.find(change => change.path === 'kontrybutorzy.md')
    equal(store?.after, '## Gracz\n\n### Jawor\n- @gameid: 5\n- @inneid: 6\n')
  })
})
