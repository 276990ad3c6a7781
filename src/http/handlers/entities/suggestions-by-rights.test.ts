import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'

const world = worldOf({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
  'encje/indeks.md': '### Wit Kłos\n- @typ: Postać\n- @należy_do: Solmyr\n### Osada\n- @typ: Lokacja\n',
  'sesje/2026.md': '',
})
const holders = {
  points: ['pu.read'],
  sessions: ['session.read'],
  reporter: ['session.report'],
  writer: ['entity.write', 'session.write'],
  people: ['player.read', 'pu.read', 'session.report', 'entity.write'],
  blocks: ['entity.read', 'pu.read', 'session.report', 'entity.write'],
} as const
const seeing: ReadonlySet<string> = new Set(['people', 'blocks'])

const post = (body: object) => ({ method: 'POST', body: JSON.stringify(body) })
const report = (metadata: object) =>
  post({ date: '2026-05-01', title: 'Próba', narrators: ['Solmir'], metadata })
const award = report({ pu: [{ character: 'Wit Klos', value: 1 }] })
const place = report({ locations: ['Osado'] })
const patch = { method: 'PATCH', body: JSON.stringify({ tag: 'info', value: 'x' }) }

describe('suggestions of names by the sight of the caller', () => {
  let front: TestFront
  before(async () => {
    const callers = Object.fromEntries(
      Object.entries(holders).map(([token, holds]) => [token, callerWith(holds)]),
    )
    front = await testFront({ snapshot: world, callers })
  })
  after(() => front.close())

  const ask = (token: string, path: string, init: object) =>
    front.client.ask(path, { ...init, headers: { authorization: `Bearer ${token}` } })

  for (const [tokens, path, init, status, name] of [
    [['points', 'people', 'blocks'], '/pu/new-character-count?player=Solmir', {}, 404, 'Solmyr'],
    [['sessions'], '/entities/Witt%20Klos/sessions', {}, 404, 'Wit Kłos'],
    [['writer', 'people', 'blocks'], '/entities/Witt%20Klos', patch, 404, 'Wit Kłos'],
    [['reporter', 'people', 'blocks'], '/sessions/report?dryRun=true', award, 422, 'Wit Kłos'],
    [['reporter', 'people', 'blocks'], '/sessions/report?dryRun=true', place, 200, 'Osada'],
  ] as const)
    for (const token of tokens)
      it(`${path} asked with ${holders[token].join(', ')} names ${seeing.has(token) ? name : 'nobody'}`, async () => {
        const reply = await ask(token, path, init)
        equal(reply.status, status, reply.text)
        equal(reply.text.includes(`"${name}"`), seeing.has(token), reply.text)
      })

  it('lists none as empty', async () => {
    const people = await ask('points', '/pu/new-character-count?player=Solmir', {})
    deepEqual(jsonField(people.json, 'nearest'), [])
    const told = await ask('reporter', '/sessions/report?dryRun=true', place)
    const [first] = [jsonField(told.json, 'unresolved')].flat()
    deepEqual(jsonField(first, 'suggestions'), [], told.text)
  })
})

const homonyms = worldOf({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
  'encje/indeks.md': [
    ...['### Wit Kłos', '- @typ: Postać', '- @należy_do: Solmyr', '- @alias: Pan', '- @alias: Skryba'],
    ...['### Cech Piekarzy', '- @typ: Organizacja', '- @alias: Cech'],
    ...['### Cech Rybaków', '- @typ: NPC', '- @alias: Cech', '- @alias: Rybacy'],
    ...['### Cech Kupców', '- @typ: Organizacja', '- @alias: Cech'],
    ...[
      '### Port (Morze)',
      '- @typ: Lokacja',
      '### Port (Rzeka)',
      '- @typ: Lokacja',
      '### Osada',
      '- @typ: Lokacja',
      '',
    ],
  ].join('\n'),
})
const secretNames = [
  'Wit Kłos',
  'Cech Piekarzy',
  'Cech Rybaków',
  'Cech Kupców',
  'Port (',
  'Organizacja',
  'Postać',
  'Solmyr',
]

describe('blocks that bear a name, by the sight of the caller', () => {
  const capabilities = {
    writer: ['entity.write', 'player.write', 'location.write'],
    reader: ['entity.write', 'player.write', 'location.write', 'entity.read'],
  } as const
  let front: TestFront
  before(async () => {
    const callers = Object.fromEntries(
      Object.entries(capabilities).map(([token, holds]) => [token, callerWith(holds)]),
    )
    front = await testFront({ snapshot: homonyms, callers, keepsWrites: false })
  })
  after(() => front.close())

  const ask = (token: string, method: string, path: string, body: object) =>
    front.client.ask(path, {
      method,
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}` },
    })

  const npc = (name: string, tags: object = {}) => ({ name, type: 'NPC', tags })
  for (const [what, method, path, body, status, named] of [
    ['a name of several blocks', 'PATCH', '/entities/Cech', { tag: 'info', value: 'x' }, 409, 'Cech Rybaków'],
    ['a leaf of several places', 'PATCH', '/locations/Port', { tag: 'info', value: 'x' }, 409, 'Port ('],
    ['a place of several', 'PATCH', '/entities/Osada', { tag: 'lokacja', value: 'Port' }, 422, 'Port ('],
    [
      'a way to one of several',
      'POST',
      '/maps/traversal',
      { source: 'Osada', target: 'Port' },
      422,
      'Port (',
    ],
    ['a name that is an alias', 'POST', '/entities', npc('Rybacy'), 409, 'Cech Rybaków'],
    ['an alias of another', 'PATCH', '/entities/Osada', { tag: 'alias', value: 'Port' }, 422, 'Port ('],
    ['a homonym of an alias', 'POST', '/entities', npc('Skryba'), 201, 'Wit Kłos'],
    ['a group that is several', 'POST', '/entities', npc('Nowy', { grupa: 'Cech' }), 201, 'Cech Kupców'],
  ] as const)
    for (const dry of ['', '?dryRun=true'])
      it(`are told of ${what} to readers alone: ${method} ${path}${dry}`, async () => {
        const expected = dry !== '' && status === 201 ? 200 : status
        const [blind, seeing] = [
          await ask('writer', method, `${path}${dry}`, body),
          await ask('reader', method, `${path}${dry}`, body),
        ]
        deepEqual([blind.status, seeing.status], [expected, expected], blind.text + seeing.text)
        equal(seeing.text.includes(named), true, seeing.text)
        const shown = JSON.stringify({ ...Object(blind.json), diff: '' })
        deepEqual(
          secretNames.filter(name => shown.includes(name)),
          [],
          blind.text,
        )
      })

  it('leaves the number of uses', async () => {
    const told = await ask('writer', 'POST', '/entities?dryRun=true', npc('Skryba'))
    deepEqual(jsonField(told.json, 'unresolved'), [{ name: 'Skryba', use: 'block', count: 1, blocks: [] }])
  })
})
