import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { leastStepsMs } from '#test/support/processor-time.js'
import { worldOf } from '#test/support/world.js'
import { atOnce } from '../slicing/sliced.js'
import { suggestionsInSlices } from './suggestions.js'

const session = (header: string, prose: string, locations: ReadonlyArray<string>, rest = ''): string =>
  `### ${header}\n\n${prose}\n\n- @Lokacje:\n${locations.map(one => `    - ${one}\n`).join('')}${rest}\n`

const index = `### Kupiec Orrin
- @typ: NPC
- @lokacja: Erathja

### Erathia
- @typ: Lokacja

### Cech Piekarzy
- @typ: Grupa

### Mirabella
- @typ: NPC
- @grupa: Cech Piekarzi
`

const world = worldOf({
  'encje/indeks.md': index,
  'sesje.md': [
    session(
      '2026-01-01, Raz, Solmyr',
      'Wtedy kupiec spotkał Mirabelę. Mirabela milczała, a Orrina nie było. Tematy zastrzeżone: Mirabelka.',
      ['Erathia/Rynek', 'Rynek*', 'na zewnątrz', 'Brak'],
      '- @Uczestnicy:\n    - Kupiec Orin\n',
    ),
    session('2026-01-02, Dwa, Solmyr', 'Do domu wróciła Mirabelaa.', ['Rynek', 'Erathia -> Rynk', 'erathia']),
    session('2026-01-03, Trzy, Solmyr', 'Cisza. O Cechu Piekarzy nie mówiono.', [
      'Nighon/Rynek',
      'Port - Erathia',
    ]),
  ].join(''),
  '.svc/location-exclusions.txt': '# nie miejsca\nNa zewnątrz\n',
})

const seeing = { sessions: true }
const whole = { named: false, limit: null, offset: 0 }
const all = { type: undefined, minOccurrences: undefined }
const suggest = (view = seeing, filter: { type?: 'NPC'; minOccurrences?: number } = {}) =>
  atOnce(suggestionsInSlices(world, { ...all, ...filter }, whole, view))

describe('suggestions of names', () => {
  it('are texts of rows, blocks of sessions and prose that only a misspelling explains, with their places', () => {
    const found = suggest().items.map(({ surface, name, witnesses }) => [
      surface,
      name,
      witnesses.map(({ kind, line }) => `${kind} ${line}`).join(),
    ])
    for (const wanted of [
      ['Erathja', 'Erathia', 'row 3'],
      ['Cech Piekarzi', 'Cech Piekarzy', 'row 13'],
      ['Kupiec Orin', 'Kupiec Orrin', 'block 1'],
      ['Mirabelaa', 'Mirabella', 'prose 13'],
    ])
      ok(
        found.some(one => JSON.stringify(one) === JSON.stringify(wanted)),
        `${wanted.join()} not in ${JSON.stringify(found)}`,
      )
  })

  it('are no forms of a name, no first words of a sentence and no restricted topics', () => {
    const surfaces = suggest().items.map(({ surface }) => surface)
    for (const text of ['Orrina', 'Wtedy', 'Cisza', 'Mirabelka', 'O Cechu Piekarzy', 'Cechu Piekarzy'])
      ok(!surfaces.includes(text), text)
  })

  it('are limited by type and by the number of places', () => {
    ok(suggest(seeing, { type: 'NPC' }).items.every(({ type }) => type === 'NPC'))
    const often = suggest(seeing, { minOccurrences: 2 })
    ok(often.items.every(({ occurrences }) => occurrences >= 2))
    ok(often.locations.items.every(({ OccurrenceCount }) => OccurrenceCount >= 2))
  })

  it('come from rows of blocks alone for callers who may not read sessions', () => {
    const { items, locations } = suggest({ sessions: false })
    deepEqual(items.map(({ surface }) => surface).sort(), ['Cech Piekarzi', 'Erathja'])
    deepEqual(locations, { count: 0, total: 0, leftOut: 0, items: [] })
  })
})

describe('the report of named locations', () => {
  const { items } = suggest().locations
  const named = (name: string) => items.find(({ Name }) => Name === name)
  const conflictsOf = (name: string) => named(name)?.Conflicts.map(({ Kind }) => Kind)

  it('counts segments of paths, stops of routes and whole paths, most frequent first', () => {
    deepEqual(
      items.map(({ Name, OccurrenceCount }) => `${Name} ${OccurrenceCount}`),
      ['Erathia 4', 'Rynek 4', 'Erathia/Rynek 1', 'Nighon 1', 'Nighon/Rynek 1', 'Port 1', 'Rynk 1'],
    )
    const market = named('Rynek')
    deepEqual([market?.InferredParents, market?.InferredChildren], [['Erathia', 'Nighon'], []])
    deepEqual(named('Erathia')?.InferredChildren, ['Rynek'])
    deepEqual(
      market?.Witnesses.map(({ line }) => line),
      [1, 13, 22],
    )
  })

  it('leaves out the texts that the committed list excludes, and Brak', () => {
    equal(named('na zewnątrz'), undefined)
    equal(named('Brak'), undefined)
  })

  it('tells what conflicts and what a text probably stands for', () => {
    deepEqual(conflictsOf('Rynek'), [
      'TrailingArtifact',
      'AmbiguousStandalone',
      'InconsistentHierarchy',
      'NearDuplicate',
    ])
    deepEqual(conflictsOf('Erathia'), ['CaseVariant'])
    deepEqual(named('Rynek')?.LikelyResolvesTo, [
      { Name: 'Erathia/Rynek', Reason: 'QualifiedPath', Confidence: 'High' },
      { Name: 'Nighon/Rynek', Reason: 'QualifiedPath', Confidence: 'High' },
      { Name: 'Rynk', Reason: 'EditDistance1', Confidence: 'Medium' },
    ])
    deepEqual(named('Erathia')?.EntityMatch, {
      Name: 'Erathia',
      Type: 'Lokacja',
      Match: 'Exact',
      Stage: 'exact',
      Ambiguous: false,
    })
    equal(named('Port')?.EntityMatch, null)
  })

  it('is made in short steps of a lore with many misspelt texts', () => {
    const lines = Array.from({ length: 400 }, (_, at) => `Miejsce${at.toString(36)} Górne`)
    const large = worldOf({
      'encje/indeks.md': lines.map(name => `### ${name}\n- @typ: Lokacja\n`).join('\n'),
      'sesje.md': Array.from({ length: 4 }, (_, at) =>
        session(
          `2026-01-01, Sesja ${at}, Solmyr`,
          `Idzie przez ${lines.slice(at * 100, at * 100 + 100).join('x i przez ')}.`,
          lines.slice(at * 100, at * 100 + 100).map(line => `${line}z`),
        ),
      ).join(''),
    })
    const stepMs = leastStepsMs(20, () => suggestionsInSlices({ ...large }, all, whole, seeing))
    ok(Math.max(...stepMs) < 40, `${Math.max(...stepMs)} ms`)
  })
})
