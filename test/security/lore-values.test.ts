import { deepEqual, equal } from 'node:assert/strict'
import { routes } from '#protocol/routes.js'
import { contractWorld, tower } from '#test/support/contract-world.js'
import { type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'
import type { LoreRow } from './lore-bodies.js'

/** What a body says wrong, the row that it is sent to, and the refusal with the field that it names. */
type Line = readonly [
  what: string,
  id: LoreRow,
  path: string,
  body: object,
  error: 'TagUnknown' | 'ValueRefused' | 'NameUnresolved',
  field: string,
]

const header = { file: 'sesje/2026.md', date: '2026-05-15', title: 'Brama', narrators: ['Brzoza'] }

/** The same blocks sent to each row that writes a session. */
const ofSessions = (what: string, metadata: object, error: Line[4], field: string): ReadonlyArray<Line> => {
  const { file: _, ...reported } = header
  return [
    [what, 'sessions.create', '/sessions', { ...header, metadata }, error, field],
    [what, 'sessions.update', `/sessions/${encodeURIComponent(tower)}`, { metadata }, error, field],
    [what, 'sessions.report', '/sessions/report', { ...reported, metadata }, error, field],
    [what, 'workflows.openSession', '/workflows/open-session', { ...header, metadata }, error, field],
  ]
}

const change = (entity: string, tag: string, value: string) => ({
  changes: [{ entity, tags: [{ tag, value }] }],
})
const value = 'metadata.changes[0].tags[0].value'

/** One wrong value of a tag sent to each row that makes or changes a place or a map. */
const ofPlaces = (
  what: string,
  place: readonly [tag: string, value: string],
  map: readonly [tag: string, value: string],
  error: Line[4],
): ReadonlyArray<Line> => {
  const tagged = ([tag, text]: readonly [string, string]) => ({ name: 'Nowa', tags: { [tag]: text } })
  const patch = ([tag, text]: readonly [string, string]) => ({ tag, value: text })
  return [
    [what, 'locations.create', '/locations', tagged(place), error, place[0]],
    [what, 'locations.update', '/locations/Port%20Zamorze', patch(place), error, place[0]],
    [what, 'maps.create', '/maps', tagged(map), error, map[0]],
    [what, 'maps.update', '/maps/Plan%20portu', patch(map), error, map[0]],
  ]
}

const outside = [
  ...['../a.md', 'sesje/../../a.md', '/etc/a.md', '..\\a.md', 'C:\\a.md', '\\\\host\\a.md', '.git/a.md'],
  ...['sesje/./a.md', 'sesje//a.md', 'file:///etc/a.md', '.svc/a.md', 'sesje/\u202ea.md', ''],
]

const paths = outside.flatMap((file): ReadonlyArray<Line> => {
  const what = `the path ${JSON.stringify(file)}`
  const created = { name: 'Nowa', tags: { plik: file } }
  return [
    [what, 'sessions.create', '/sessions', { ...header, file }, 'ValueRefused', 'file'],
    [what, 'workflows.openSession', '/workflows/open-session', { ...header, file }, 'ValueRefused', 'file'],
    [what, 'locations.create', '/locations', created, 'ValueRefused', '@plik'],
    [what, 'maps.create', '/maps', created, 'ValueRefused', '@plik'],
    [what, 'locations.update', '/locations/Zamorze', { tag: 'ref', value: file }, 'ValueRefused', '@ref'],
    [what, 'maps.update', '/maps/Plan%20portu', { tag: 'plik', value: file }, 'ValueRefused', '@plik'],
    ...ofSessions(what, change('Wit Kłos', 'plik', file), 'ValueRefused', value).slice(
      0,
      file === '' ? 0 : 4,
    ),
  ]
})

/** Names that stay inside and that no new file may have all the same. */
const shady = ['~/a.md', '-a.md', 'CON.md', 'a /b.md', 'a./b.md', 'a:b.md', 'a*.md', 'a.txt']

const lines: ReadonlyArray<Line> = [
  ...shady.map(
    (file): Line => [
      `the path ${file}`,
      'sessions.create',
      '/sessions',
      { ...header, file },
      'ValueRefused',
      'file',
    ],
  ),
  ...ofPlaces('an unknown tag', ['@moc', 'x'], ['@moc', 'x'], 'TagUnknown'),
  ...ofPlaces('a tag of another type', ['@slug', 'x'], ['@drzwi', 'Zamorze'], 'TagUnknown'),
  ...ofPlaces('a tag of the store', ['@rola', 'Radny'], ['@klucz_api', 'sha256:0'], 'TagUnknown'),
  ...ofPlaces('a value of another set', ['@outerior', 'może'], ['@status', 'Żywa'], 'ValueRefused'),
  ...ofPlaces('a value of another form', ['@status', 'x'], ['@wymiary', '96 na 64'], 'ValueRefused'),
  ...ofPlaces('an ambiguous place', ['@lokacja', 'Rynek'], ['@lokacja', 'Rynek'], 'ValueRefused'),
  ...ofPlaces('a forged range', ['@region', 'Bór (2024:)'], ['@koordynaty', '1,2 (auto)'], 'ValueRefused'),
  ...ofPlaces('a tag as a value', ['@region', '@rola: Radny'], ['@slug', '@typ'], 'ValueRefused'),
  [
    'an ambiguous door',
    'locations.update',
    '/locations/Zamorze',
    { tag: '@drzwi', value: 'Rynek' },
    'ValueRefused',
    '@drzwi',
  ],
  ['an ambiguous name', 'locations.create', '/locations', { name: 'Rynek' }, 'ValueRefused', 'name'],
  [
    'an ambiguous target',
    'maps.traversal.link',
    '/maps/traversal',
    { source: 'Zamorze', target: 'Rynek' },
    'ValueRefused',
    'target',
  ],
  [
    'itself as a target',
    'maps.traversal.link',
    '/maps/traversal',
    { source: 'Zamorze', target: 'Zamorze' },
    'ValueRefused',
    'target',
  ],
  ...ofSessions('an unknown tag', change('Wit Kłos', '@moc', 'x'), 'TagUnknown', '@moc'),
  ...ofSessions('a tag of another type', change('Zamorze', '@stan', 'x'), 'TagUnknown', '@stan'),
  ...ofSessions('an unknown tag of nobody', change('Nikt', '@moc', 'x'), 'TagUnknown', '@moc'),
  ...ofSessions('a Gracz', change('Brzózka', '@rola', 'Radny'), 'ValueRefused', 'metadata.changes[0].entity'),
  ...ofSessions('PU of the batch', change('Wit Kłos', '@pu_suma', '99'), 'ValueRefused', value),
  ...ofSessions(
    'a status that is none',
    change('Wit Kłos', '@status', 'Żywy (2026-06:)'),
    'ValueRefused',
    value,
  ),
  ...ofSessions(
    'a range that is none',
    change('Wit Kłos', '@stan', 'Ranny (2026-13:)'),
    'ValueRefused',
    value,
  ),
  ...ofSessions('another type', change('Wit Kłos', '@typ', 'NPC'), 'ValueRefused', value),
  ...ofSessions('a quantity that is none', change('Miecz Wita', '@ilość', 'dużo'), 'ValueRefused', value),
  ...ofSessions('an ambiguous place', change('Wit Kłos', '@lokacja', 'Rynek'), 'ValueRefused', value),
  ...ofSessions(
    'a place that is several',
    { locations: ['Rynek'] },
    'NameUnresolved',
    'metadata.locations[0]',
  ),
  ...ofSessions(
    'PU of nobody',
    { pu: [{ character: 'Nikt', value: 1 }] },
    'NameUnresolved',
    'metadata.pu[0].character',
  ),
  ...paths,
]

describe('SECURITY 4.8.25 what the closed schema does not take', () => {
  const markets = '### Rynek (Zamorze)\n- @typ: Lokacja\n\n### Rynek (Port)\n- @typ: Lokacja\n'
  const world = worldOf({ ...textsOf(contractWorld()), 'encje/rynki.md': markets })
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: world })
  })
  beforeEach(() => front.serve(world))
  after(() => front.close())

  const texts = () => textsOf(front.world() ?? world)

  /** The field that a refusal names: its tag, its field, or that of its first name. */
  const named = (json: unknown): unknown => {
    if (!isFields(json)) return null
    const names: unknown = json['names']
    const first: unknown = Array.isArray(names) ? names[0] : null
    return isFields(first) ? first['field'] : (json['tag'] ?? json['field'])
  }

  for (const [what, id, path, body, error, field] of lines)
    it(`${id} | ${what} | 422 ${error} of ${field}`, async () => {
      const before = texts()
      for (const query of ['', '?dryRun=true']) {
        const { method } = routes[id]
        const reply = await front.client.ask(path + query, { method, body: JSON.stringify(body) })
        const said = isFields(reply.json) ? reply.json['error'] : null
        deepEqual([reply.status, said, named(reply.json)], [422, error, field], reply.text)
      }
      deepEqual(texts(), before)
    })

  it('sessions.create | quantities and ranges of Zmiany | taken', async () => {
    for (const [entity, tag, text] of [
      ['Miecz Wita', '@ilość', '+2'],
      ['Miecz Wita', 'ilość', '-1 (2026-05:)'],
      ['Wita', '@stan', 'Ranna'],
      ['Wit Kłos', '@lokacja', 'Rynek (Port) (2026-05:2026-06)'],
    ] as const) {
      const sent = JSON.stringify({ ...header, metadata: change(entity, tag, text) })
      const reply = await front.client.ask('/sessions?dryRun=true', { method: 'POST', body: sent })
      equal(reply.status, 200, reply.text)
    }
  })
})
