import { deepEqual, equal } from 'node:assert/strict'
import { locationOf, locationsMatching } from '#src/domain/places/projection.js'
import { graphOf, traversalOf } from '#src/domain/places/traversal.js'
import { worldOf } from '#test/support/world.js'
import { placesOn } from './places.js'

const index = `### Enroth
- @typ: Lokacja
- @outerior: tak
- @region: Wybrzeże

### Erathia
- @typ: Lokacja
- @alias: Stolica
- @lokacja: Enroth
- @drzwi: Steadwick (2020:)
- @drzwi: Ruiny (:2019)

### Steadwick
- @typ: Lokacja
- @lokacja: Enroth
- @region: wybrzeże

### Karczma (Erathia)
- @typ: Lokacja
- @lokacja: Enroth/Erathia
- @outerior: nie

### Karczma (Steadwick)
- @typ: Lokacja
- @lokacja: Erathia (:2023)
- @lokacja: Steadwick (2024:)

### Ratusz
- @typ: Lokacja
- @lokacja: Erathia
- @status: Usunięty (2025:)

### Wyspa
- @typ: Lokacja
- @lokacja: Ocean
- @drzwi: Nigdzie

### Erathia
- @typ: Mapa
- @lokacja: Erathia

### Wybrzeże
- @typ: Region
`

const world = (sessions = '') =>
  worldOf({ '.svc/format.json': '{"format": 2}', 'encje/indeks.md': index, 'sesje/2024.md': sessions })

const places = (day = '2026-06-15') => {
  const { entities } = world()
  return placesOn(entities, worldOf({}, { day }).day)
}

const fetchPlace = (name: string, day?: string) => {
  const all = places(day)
  const place = all.all.find(each => each.name === name)
  if (place === undefined) throw new Error(`no place ${name}`)
  return locationOf(all, place)
}

const anything = { parent: null, region: null, outerior: null }
const names = (
  filter: Partial<typeof anything> | { parent: string } | { region: string } | { outerior: boolean },
) => locationsMatching(places(), { ...anything, ...filter }).map(row => row.Name)

describe('location projection', () => {
  it('tells a place with its parent, doors, names and children', () => {
    deepEqual(fetchPlace('Erathia'), {
      Name: 'Erathia',
      Type: 'Lokacja',
      Status: 'Aktywny',
      Location: 'Enroth',
      Path: 'Lokacja/Enroth/Erathia',
      Doors: ['Steadwick'],
      Region: null,
      Outerior: null,
      Aliases: ['Stolica'],
      AlsoTypes: ['Mapa'],
      Children: ['Karczma (Erathia)'],
    })
  })

  it('reads the rows as they stood on the day', () => {
    equal(fetchPlace('Karczma (Steadwick)', '2023-12-31').Location, 'Erathia')
    equal(fetchPlace('Karczma (Steadwick)', '2024-01-01').Location, 'Steadwick')
    deepEqual(fetchPlace('Erathia', '2024-12-31').Children, ['Karczma (Erathia)', 'Ratusz'])
  })

  it('serves a parent that no block bears as written', () => {
    equal(fetchPlace('Wyspa').Location, 'Ocean')
    deepEqual(fetchPlace('Wyspa').Doors, ['Nigdzie'])
  })

  it('filters by parent under any of its names', () => {
    deepEqual(names({ parent: 'stolica' }), ['Karczma (Erathia)', 'Ratusz'])
    deepEqual(names({ parent: 'Ocean' }), ['Wyspa'])
    deepEqual(names({ parent: 'Nigdzie' }), [])
  })

  it('filters by region and by what lies outdoors', () => {
    deepEqual(names({ region: 'Wybrzeże' }), ['Enroth', 'Steadwick'])
    deepEqual(names({ outerior: true }), ['Enroth'])
    deepEqual(names({ outerior: false }), ['Karczma (Erathia)'])
  })
})

describe('location graph', () => {
  it('has an edge for each row that names a place, and none to what is deleted or unknown', () => {
    deepEqual(graphOf(places()), {
      NodeCount: 6,
      EdgeCount: 5,
      Edges: [
        { Source: 'Erathia', Target: 'Enroth', Type: 'Containment' },
        { Source: 'Erathia', Target: 'Steadwick', Type: 'Door' },
        { Source: 'Steadwick', Target: 'Enroth', Type: 'Containment' },
        { Source: 'Karczma (Erathia)', Target: 'Erathia', Type: 'Containment' },
        { Source: 'Karczma (Steadwick)', Target: 'Steadwick', Type: 'Containment' },
      ],
    })
  })

  it('keeps places that lie in each other, and never in themselves', () => {
    const { entities, day } = worldOf({
      'encje/indeks.md':
        '### A\n- @typ: Lokacja\n- @lokacja: B\n\n### B\n- @typ: Lokacja\n- @lokacja: A\n\n### C\n- @typ: Lokacja\n- @lokacja: C\n',
    })
    deepEqual(
      graphOf(placesOn(entities, day)).Edges.map(edge => `${edge.Source} > ${edge.Target}`),
      ['A > B', 'B > A'],
    )
  })
})

const session = (day: number, ...stops: ReadonlyArray<string>): string =>
  `### 2024-05-0${day}, Wyprawa, Crag\n\n- @Lokacje:\n${stops.map(stop => `    - ${stop}\n`).join('')}- @PU:\n    - Sandro: 0.3\n\n`

const traversal = (sessions: string) => {
  const { entities, sessions: told, day } = world(sessions)
  return traversalOf(placesOn(entities, day), told)
}

describe('traversal graph', () => {
  it('counts the moves between consecutive places of each session', () => {
    const { graph, findings } = traversal(
      session(1, 'Enroth/Erathia', 'Steadwick -> Karczma (Steadwick)', 'Wyspa') +
        session(2, 'Stolica', 'Steadwick', 'Steadwick', 'Erathia'),
    )
    const edge = (Source: string, Target: string, Type: string, Weight: number) => ({
      Source,
      Target,
      Type,
      Weight,
      Origins: ['session'],
    })
    deepEqual(graph, {
      EdgeCount: 4,
      Edges: [
        edge('Erathia', 'Steadwick', 'Containment', 2),
        edge('Karczma (Steadwick)', 'Wyspa', 'Teleport', 1),
        edge('Steadwick', 'Erathia', 'Containment', 1),
        edge('Steadwick', 'Karczma (Steadwick)', 'Containment', 1),
      ],
    })
    deepEqual(findings, [])
  })

  it('passes over entries that name no place, and counts them', () => {
    const { graph, findings } = traversal(session(1, 'Erathia', 'na zewnątrz', 'Wybrzeże', 'Wyspa'))
    deepEqual(
      graph.Edges.map(each => [each.Source, each.Target]),
      [['Erathia', 'Wyspa']],
    )
    deepEqual(
      findings.map(finding => [finding.kind, finding.file, finding.line]),
      [['SessionPlaceUnknown', 'sesje/2024.md', 1]],
    )
  })
})
