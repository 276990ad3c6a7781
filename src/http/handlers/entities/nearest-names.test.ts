import { deepEqual } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'

const block = (name: string, type: string, rows = ''): string => `### ${name}\n- @typ: ${type}\n${rows}`
const world = worldOf({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n- @tematy: pająki\n',
  'encje/indeks.md': [
    block('Karczma Pod Żubrem', 'Lokacja'),
    block('Karczma', 'Mapa'),
    block('Wit Kłos', 'Postać', '- @należy_do: Solmyr\n- @alias: Kłosek\n'),
    ...['Anna', 'Ann', 'Anne', 'Hanna', 'Joanna', 'Wanna', 'Panna'].map(name => block(name, 'NPC')),
  ].join('\n'),
})

describe('a name that nobody answers to', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: world })
  })
  after(() => front.close())

  const body = (fields: object) => ({ method: 'PATCH', body: JSON.stringify(fields) })
  const patch = body({ tag: 'info', value: 'x' })
  for (const [path, error, nearest, ask] of [
    ['/entities/Karczma%20Pod%20Zubrem', 'EntityNotFound', ['Karczma', 'Karczma Pod Żubrem'], {}],
    ['/entities/Anka', 'EntityNotFound', ['Anna', 'Ann', 'Anne', 'Hanna', 'Panna'], {}],
    ['/entities/Klosek?type=NPC', 'EntityNotFound', [], {}],
    ['/entities/Klosek', 'EntityNotFound', ['Wit Kłos'], patch],
    ['/people/Solmir', 'PersonNotFound', ['Solmyr'], {}],
    ['/pu/new-character-count?player=Solmir', 'PersonNotFound', ['Solmyr'], {}],
    ['/characters/Wit', 'CharacterNotFound', ['Wit Kłos'], {}],
    ['/characters/Wit', 'CharacterNotFound', ['Wit Kłos'], patch],
    ['/locations/Karczma', 'LocationNotFound', ['Karczma Pod Żubrem'], {}],
    ['/locations/Karczma', 'LocationNotFound', ['Karczma Pod Żubrem'], patch],
    ['/maps/Karczmy', 'MapNotFound', ['Karczma'], patch],
  ] as const)
    it(`is refused with the nearest names: ${'method' in ask ? 'PATCH' : 'GET'} ${decodeURIComponent(path)}`, async () => {
      const reply = await front.client.ask(path, ask)
      deepEqual(
        [reply.status, jsonField(reply.json, 'error'), jsonField(reply.json, 'nearest')],
        [404, error, nearest],
        reply.text,
      )
    })
})
