import type { Howto } from './howto.js'

const codec = `
/** The region that a place is moved to. */
export const RegionChange = t.type({ region: t.string }, 'RegionChange')
export type RegionChange = t.TypeOf<typeof RegionChange>

const outcome = { region: t.string, changed: t.boolean } as const

const RegionChanged = t.type({ moved: t.string, ...outcome }, 'RegionChanged')
export type RegionChanged = t.TypeOf<typeof RegionChanged>

export const RegionAnswer = t.union(
  [RegionChanged, previewOf({ wouldMove: t.string, ...outcome }, 'RegionPreview')],
  'RegionAnswer',
)
`

const descriptionParts = `\nconst moved = { region: 'Region of the place from this month on.' } as const\n`

const descriptions = `  RegionChange: { region: 'Name of the region.' },
  RegionChanged: { moved: 'Heading of the place.', ...moved },
  RegionPreview: { wouldMove: 'Heading of the place that would be moved.', ...moved },
`

const row = `  'locations.region.set': write({
    ...ofPlaces,
    method: 'PUT',
    path: '/locations/{name}/region',
    summary: 'Moves a Lokacja to a region.',
    body: RegionChange,
    answers: { 200: RegionAnswer },
    refusals: ['LocationNotFound', 'AmbiguousName', 'ValueRefused'],
    example: { path: { name: 'Port Zamorze' }, body: { region: 'Pogranicze' } },
  }),
`

const rule = `
/** Gives a place its region from this month on. */
export const setRegion = (
  snapshot: Snapshot,
  name: string,
  { region }: RegionChange,
): Either<RefusalOf<'LocationNotFound' | 'AmbiguousName' | 'ValueRefused'>, ChangeSet<RegionChanged>> => {
  const place = locationTarget(snapshot, name)
  if (isLeft(place)) return place
  const patched = patchEntityOfType(snapshot, place.right, { tag: '@region', value: region })
  if (isLeft(patched))
    return left(refuse('ValueRefused', patched.left.detail, { field: 'region', candidates: [] }))
  const outcome = { region, changed: patched.right.answer.changed }
  return right({
    ...patched.right,
    subject: \`places: region of \${place.right.name}\`,
    answer: { moved: place.right.name, ...outcome },
    preview: { wouldMove: place.right.name, ...outcome },
  })
}
`

const ruleTest = `import { deepEqual, ok } from 'node:assert/strict'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { worldOf } from '#test/support/world.js'
import { setRegion } from './places.js'

describe('the region of a place', () => {
  it('is set once', () => {
    const snapshot = worldOf({ 'encje/indeks.md': '### Port\\n- @typ: Lokacja\\n- @region: Enroth\\n' })
    const [other, same] = ['Antagarich', 'Enroth'].map(region => setRegion(snapshot, 'Port', { region }))
    ok(other !== undefined && isRight(other) && same !== undefined && isRight(same))
    deepEqual([other.right.edits.length, other.right.answer.changed], [1, true])
    deepEqual([same.right.edits.length, same.right.answer.changed], [0, false])
  })
})
`

const rowTest = `
  it('moves a place to a region', async () => {
    const reply = await ask('PUT /locations/Gród/region', { region: 'Enroth' })
    deepEqual([reply.status, reply.json], [200, { moved: 'Gród', region: 'Enroth', changed: true }])
    const place = await front.client.ask(encodeURI('/locations/Gród'))
    equal(Reflect.get(Object(place.json), 'Region'), 'Enroth')
    const refused = [
      await ask('PUT /locations/Nigdzie/region', { region: 'Enroth' }),
      await ask('PUT /locations/Przystań/region', { region: 'Enroth' }),
      await ask('PUT /locations/Gród/region', { region: '' }),
    ]
    deepEqual(
      refused.map(({ json }): unknown => Reflect.get(Object(json), 'error')),
      ['LocationNotFound', 'AmbiguousName', 'ValueRefused'],
    )
  })
`

const propertyTest = `import { ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { setRegion } from '#src/writing/places.js'
import { findEditedFiles, indexBlocksOf, onlyTagChanged } from '#test/support/edit-law.js'
import { worldOf } from '#test/support/world.js'

const rows = fc.array(
  fc.constantFrom('- @region: Enroth (2023-01:)', '- @REGION:  Dawny  ', '- @lokacja: A', 'proza  ', ''),
  { maxLength: 6 },
)

describe('writes of a region', () => {
  it('touch only the rows of the region', () => {
    let changed = 0
    fc.assert(
      fc.property(rows, fc.constantFrom('Enroth', 'Nowy'), fc.constantFrom('\\n', '\\r\\n'), (lines, region, end) => {
        const text = ['### Inny', '- @typ: NPC', '### Port', '- @typ: Lokacja', ...lines].join(end)
        const snapshot = worldOf({ 'encje/indeks.md': text })
        const plan = setRegion(snapshot, 'Port', { region })
        if (isLeft(plan)) throw new Error(plan.left.detail)
        for (const { before, after } of findEditedFiles(snapshot, plan.right.edits)) {
          onlyTagChanged(before, after, indexBlocksOf(before).length - 1, 'region')
          changed += 1
        }
      }),
      { numRuns: 200 },
    )
    ok(changed > 50)
  })
})
`

/** A write of an area that has writes already: the region of a place. */
export const addAWrite: Howto = {
  page: 'add-a-write',
  edits: [
    {
      of: [{ step: 1 }, { page: 'add-a-route', step: 2 }],
      path: 'protocol/lore/places.ts',
      after:
        "    summary: 'Gives one tag of a Lokacja a value, or ends one.',\n" +
        "    refusals: ['BodyInvalid', 'LocationNotFound', 'AmbiguousName', 'TagUnknown', 'ValueRefused', 'NameTaken'],\n" +
        "    example: { path: { name: 'Port Zamorze' }, body: { tag: 'region', value: 'Pogranicze' } },\n" +
        '  }),\n',
      text: row,
    },
    {
      of: [{ step: 1 }, { page: 'add-a-route', step: 3 }],
      path: 'protocol/lore/places.ts',
      after:
        "const LinkAnswer = t.union([Linked, previewOf({ wouldLink: t.string, ...ends }, 'LinkPreview')], 'LinkAnswer')\n",
      text: codec,
    },
    {
      of: [{ step: 1 }, { page: 'add-a-route', step: 3 }],
      path: 'protocol/lore/places.ts',
      after: "const linked = { to: 'Heading of the place that the way leads to.' } as const\n",
      text: descriptionParts,
    },
    {
      of: [{ step: 1 }, { page: 'add-a-route', step: 3 }],
      path: 'protocol/lore/places.ts',
      after:
        "  LinkPreview: { wouldLink: 'Heading of the place whose block would be written.', ...linked },\n",
      text: descriptions,
    },
    {
      of: [{ step: 2 }, { step: 6 }, { step: 7 }],
      path: 'src/writing/places.ts',
      after: "import { tagName } from './entities/tags.js'\n",
      text: rule,
    },
    {
      of: [{ step: 2 }],
      path: 'src/writing/places.ts',
      after: '  type placesWriteRoutes,\n',
      text: '  type RegionChange,\n  type RegionChanged,\n',
    },
    {
      of: [{ step: 3 }],
      path: 'src/writing/places.ts',
      after: '    return isLeft(place) ? place : patchEntityOfType(snapshot, place.right, body)\n  },\n',
      text: "  'locations.region.set': (snapshot, { path, body }) => setRegion(snapshot, path.name, body),\n",
    },
    {
      of: [{ page: 'add-a-route', step: 7 }],
      path: 'test/contract/samples.ts',
      after: "  'locations.update': { says: '\"changed\":true' },\n",
      text: "  'locations.region.set': { says: '\"changed\":true' },\n",
    },
    { of: [{ step: 9 }], path: 'src/writing/places-region.test.ts', isNew: true, text: ruleTest },
    {
      of: [{ step: 9 }],
      path: 'src/http/handlers/places/places-write.test.ts',
      after: "    ok(!text().includes('Staw'))\n  })\n",
      text: rowTest,
    },
    { of: [{ step: 10 }], path: 'test/property/region-writes.test.ts', isNew: true, text: propertyTest },
    {
      of: [{ step: 11 }],
      path: 'test/security/lore-bodies.ts',
      after:
        "  'locations.update': { path: '/locations/Port%20Zamorze', body: { ...patch, tag: 'region' } },\n",
      text: "  'locations.region.set': { path: '/locations/Port%20Zamorze/region', body: { region: 'Pogranicze' } },\n",
    },
  ],
  scripts: [
    { of: [{ step: 12 }, { page: 'add-a-route', step: 9 }], script: 'examples' },
    { of: [{ step: 12 }, { page: 'add-a-route', step: 9 }], script: 'docs' },
  ],
  idle: [
    { step: 4, reason: 'the rule of a tag makes the splices' },
    { step: 5, reason: 'the rule of a tag names the claims' },
    { step: 8, reason: 'every text of the body is a value' },
  ],
  slowTests: [],
  filesMax: 8,
}
