import type { Howto } from './howto.js'

const codec = `
/** A region, with the number of places in it. */
export const RegionRow = t.type({ Name: t.string, Places: t.number }, 'RegionRow')
export type RegionRow = t.TypeOf<typeof RegionRow>
`

const row = `  'regions.list': read({
    path: '/regions',
    summary: 'The regions that places lie in, with the number of places.',
    capability: 'entity.read',
    query: windowQuery,
    answers: { 200: listOf(RegionRow, 'Regions') },
    refusals: [],
    source: 'A 4.8',
    example: { query: { limit: '5', offset: '0' } },
  }),
`

const rule = `import type { RegionRow } from '#protocol/lore/places.js'
import type { Places } from '#src/domain/entities/places.js'
import { locationsMatching } from './projection.js'

/** The regions that places lie in, in the order of their first place. */
export const regionsOf = (places: Places): ReadonlyArray<RegionRow> => {
  const counts = new Map<string, number>()
  for (const { Region } of locationsMatching(places, { parent: null, region: null, outerior: null }))
    if (Region !== null) counts.set(Region, (counts.get(Region) ?? 0) + 1)
  return [...counts].map(([Name, Places]) => ({ Name, Places }))
}
`

const test = `import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { placesOn } from '#src/domain/entities/places.js'
import { worldOf } from '#test/support/world.js'
import { regionsOf } from './regions.js'

const place = (name: string, region: string): string => \`### \${name}\\n- @typ: Lokacja\\n- @region: \${region}\\n\\n\`

describe('regions', () => {
  it('count their places', () => {
    const index = place('Erathia', 'Enroth') + place('Port', 'Antagarich') + place('Steadwick', 'Enroth')
    const { entities, day } = worldOf({ 'encje/indeks.md': index })
    deepEqual(regionsOf(placesOn(entities, day)), [
      { Name: 'Enroth', Places: 2 },
      { Name: 'Antagarich', Places: 1 },
    ])
  })
})
`

/** A read of an area that has routes already: the regions that places lie in. */
export const addARoute: Howto = {
  page: 'add-a-route',
  edits: [
    {
      of: [{ step: 2 }],
      path: 'protocol/lore/places.ts',
      after:
        "    answers: { 200: TraversalGraph },\n    refusals: [],\n    source: 'A 4.8',\n    example: {},\n  }),\n",
      text: row,
    },
    {
      of: [{ step: 3 }],
      path: 'protocol/lore/places.ts',
      after: 'export type TraversalGraph = t.TypeOf<typeof TraversalGraph>\n',
      text: codec,
    },
    {
      of: [{ step: 3 }],
      path: 'protocol/lore/places.ts',
      after: "  TraversalGraph: { EdgeCount: 'Number of `Edges`.', Edges: 'Moves between places.' },\n",
      text: "  RegionRow: { Name: 'Name of the region.', Places: 'Number of places in it.' },\n",
    },
    { of: [{ step: 5 }], path: 'src/domain/places/regions.ts', isNew: true, text: rule },
    { of: [{ step: 5 }], path: 'src/domain/places/regions.test.ts', isNew: true, text: test },
    {
      of: [{ step: 6 }],
      path: 'src/http/handlers/places.ts',
      after: "  'maps.traversal.get': ({ snapshot }) => right({ body: traversal(snapshot).graph }),\n",
      text: "  'regions.list': ({ snapshot, query }) =>\n    right({ body: applyWindow(regionsOf(placesOf(snapshot)), windowOf(query)) }),\n",
    },
    {
      of: [{ step: 6 }],
      path: 'src/http/handlers/places.ts',
      after:
        "import { locationOf, locationsMatching, speakerProposals } from '#src/domain/places/projection.js'\n",
      text: "import { regionsOf } from '#src/domain/places/regions.js'\n",
    },
    {
      of: [{ step: 7 }],
      path: 'test/contract/samples.ts',
      after: "  'maps.traversal.get': { says: 'Port Zamorze' },\n",
      text: "  'regions.list': { says: 'Pogranicze' },\n",
    },
  ],
  scripts: [
    { of: [{ step: 9 }], script: 'examples' },
    { of: [{ step: 9 }], script: 'docs' },
  ],
  idle: [
    { step: 1, reason: 'the area is there' },
    { step: 4, reason: 'the handler refuses nothing' },
    { step: 8, reason: 'the row has no refusal of its own; the contract asks the rest' },
  ],
  slowTests: [{ path: 'test/contract/readers.test.ts' }],
  filesMax: 5,
}
