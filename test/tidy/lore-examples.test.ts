import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { readRegistry } from '#src/domain/adoption/legacy/registry.js'
import { readRoster } from '#src/domain/adoption/legacy/roster.js'
import { registryMark } from '#src/domain/adoption/registry.js'
import { denominationOf } from '#src/domain/currency/denomination.js'
import { parseIndexFile } from '#src/domain/entities/bound-findings.js'
import { type Decimal, readDecimal, zero } from '#src/domain/lore/figures.js'
import { linesOf } from '#src/domain/lore/lines.js'
import { splitRange } from '#src/domain/lore/rows/days.js'
import { readRows } from '#src/domain/lore/rows/rows.js'
import { tagKeys } from '#src/domain/lore/tag-schema.js'
import { parseCharacterFile } from '#src/domain/people/character-file.js'
import { parseContributorStore } from '#src/domain/people/contributor-store.js'
import { noticeOf } from '#src/domain/points/award.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import { sourceFile } from '#test/support/world.js'
import { documents } from './sources.js'

const page = (name: string): string =>
  documents.find(({ path }) => path === `docs/spec/${name}.md`)?.text ?? ''

/** The code blocks of a page: runs of lines indented by four, blank lines between them included. */
const examplesIn = (name: string): ReadonlyArray<string> => {
  const found: Array<ReadonlyArray<string>> = [[]]
  for (const line of page(name).split('\n')) {
    const last = found.at(-1) ?? []
    if (line.startsWith('    ') || (line === '' && last.length > 0))
      found[found.length - 1] = [...last, line.slice(4)]
    else if (last.length > 0) found.push([])
  }
  return found.map(lines => lines.join('\n').trim()).filter(text => text !== '')
}

const example = (name: string, start: string): string =>
  examplesIn(name).find(text => text.startsWith(start)) ?? ''

const kindsOf = (findings: ReadonlyArray<{ readonly kind: string }>): ReadonlyArray<string> =>
  findings.map(({ kind }) => kind)

describe('the examples of the pages on the lore', () => {
  it('are read as blocks without a finding', () => {
    for (const [name, start, type] of [
      ['lore-blocks', '### Kupiec Orrin', 'NPC'],
      ['lore-places', '### Rynek', 'Lokacja'],
      ['lore-money', '### Korony', 'Przedmiot'],
    ] as const) {
      const { entities, findings } = parseIndexFile(sourceFile('encje/a.md', example(name, start)))
      deepEqual(kindsOf(findings), [])
      deepEqual(
        entities.map(one => one.type),
        [type],
      )
    }
  })

  it('show two aliases in bullets', () => {
    const { path } = sourceFile('encje/a.md', '')
    const { rows } = readRows(linesOf(example('lore-blocks', '- @alias:')).lines, path, null)
    deepEqual(
      rows.map(row => row.value),
      ['Orrin Stary', 'Szary'],
    )
  })

  it('show ranges as they are read', () => {
    const shown = [...page('lore-ranges').matchAll(/^\| `([^`]+)` \|/gm)].map(found => found[1] ?? '')
    deepEqual(
      shown.map(text => splitRange(text)).map(({ text, range }) => [text, range.from, range.to]),
      [
        ['Erathia', '2024-01-01', null],
        ['Erathia', '2024-02-01', '2024-02-29'],
        ['Erathia', null, '2023-06-15'],
        ['Erathia', null, null],
        ['Karczma (uwaga: zła)', null, null],
        ['Wieża (2024)', null, null],
      ],
    )
  })

  it('have every tag of the schema', () => {
    const text = `${page('lore-blocks')}${page('lore-people')}`.replaceAll('`_', '`@reputacja_')
    deepEqual(
      tagKeys.filter(tag => !text.includes(`\`@${tag}\``)),
      [],
    )
  })

  it('are read as sessions without a finding', () => {
    const { copies, findings } = parseSessionFile(sourceFile('a.md', example('lore-sessions', '### 2024')))
    deepEqual(kindsOf(findings), [])
    deepEqual(
      copies.map(({ title, narrators, locations, points }) => [title, narrators, locations, points.length]),
      [['Ucieczka z Deyji', ['Solmyr', 'Anka'], ['Deyja -> Erathia'], 1]],
    )
  })

  it('are read as blocks of a session', () => {
    const header = '### 2024-05-03, A, B\n'
    const changes = parseSessionFile(
      sourceFile('a.md', `${header}${example('lore-session-blocks', '- @Zmiany:')}`),
    )
    deepEqual(kindsOf(changes.findings), [])
    equal(changes.copies[0]?.changes[0]?.tags.length, 2)
    const shown = [...page('lore-session-blocks').matchAll(/\| `(- @Transfer: [^`]+)` \|/g)]
    const transfer = parseSessionFile(sourceFile('a.md', `${header}${shown[0]?.[1] ?? ''}`)).copies[0]
      ?.transfers[0]
    deepEqual([transfer?.amount, denominationOf(transfer?.denomination ?? '')?.short], [5, 'Korony'])
    deepEqual(
      ['Koron', 'Talarami Hirońskimi', 'Talizman', 'Kogut'].map(text => denominationOf(text)?.short ?? null),
      ['Korony', 'Talary', null, null],
    )
  })

  it('are read as a character file and as people without a finding', () => {
    const file = parseCharacterFile(
      sourceFile('Postaci/Gracze/Ola.md', example('lore-characters', '**Karta')),
    )
    deepEqual(kindsOf(file.findings), [])
    deepEqual(file.reputation.positive, [
      { location: 'Erathia', detail: null },
      { location: 'Deyja', detail: 'uratowany młyn' },
    ])
    equal(file.describedSessions.length, 1)
    const store = example('lore-people', '## Gracz').replace('<64 hex digits>', 'a'.repeat(64))
    const people = parseContributorStore(sourceFile('kontrybutorzy.md', store))
    deepEqual(kindsOf(people.findings), [])
    deepEqual([people.all.length, people.roles[0]?.chatRoles], [1, ['Rada']])
  })

  it('are read as the old layout', () => {
    const registry = readRegistry([sourceFile('entities.md', example('adoption', '## Organizacje'))])
    deepEqual(kindsOf(registry.findings), [])
    deepEqual(
      registry.entities.map(({ type, rows }) => [type, rows.length]),
      [['Grupa', 2]],
    )
    const { players, findings } = readRoster(sourceFile('Gracze.md', example('adoption', '## Lista')))
    deepEqual([...kindsOf(findings)].sort(), ['PuTruncated', 'PuTruncated', 'PuTruncated', 'WebhookInvalid'])
    const [player] = players
    deepEqual([player?.gameId, player?.characters[0]?.aliases], ['12345', ['Olka', 'Oleńka']])
  })

  it('have the first line of a generated file, and the words of the notice', () => {
    equal(example('lore-places', '<!--').split('\n')[0], registryMark)
    const decimal = (text: string): Decimal => readDecimal(text) ?? zero
    equal(
      noticeOf({
        character: 'Ola',
        player: 'Solmyr',
        granted: decimal('5'),
        sumaAfter: decimal('38.4'),
        nadmiarBefore: decimal('3.45'),
        used: decimal('2.1'),
        nadmiarAfter: decimal('1.35'),
      }),
      example('lore-points', 'Postać'),
    )
  })
})
