import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'

const world = () =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'encje/indeks.md': [
      ...['Erathia', 'Steadwick', 'Młyn', 'Karczma (Erathia)', 'Karczma (Steadwick)'].map(
        name => `### ${name}\n- @typ: Lokacja\n`,
      ),
      '### Karczma\n- @typ: Grupa\n',
      '### Zajazd\n- @typ: Grupa\n- @alias: Karczma\n',
      '### Gospoda\n- @typ: Grupa\n',
    ].join('\n'),
  })

const candidates = ['Karczma (Erathia)', 'Karczma (Steadwick)']

describe('the leaf of several places (A 2.5)', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: world() })
  })
  afterEach(() => front.close())

  const ask = (method: string, path: string, body: object) =>
    front.client.ask(path, { method, body: JSON.stringify(body) })

  for (const [what, method, path, body, field] of [
    ['a new place', 'POST', '/locations', { name: 'Karczma' }, 'name'],
    ['a new place', 'POST', '/entities', { name: 'karczma', type: 'Lokacja' }, 'name'],
    [
      'a spelling of a new place',
      'POST',
      '/locations',
      { name: 'Nora', tags: { alias: 'Karczma' } },
      '@alias',
    ],
    ['a spelling', 'PATCH', '/locations/Erathia', { tag: 'alias', value: 'Karczma' }, '@alias'],
    ['a spelling', 'PATCH', '/entities/Steadwick', { tag: '@nick', value: 'KARCZMA' }, '@nick'],
    ['a type', 'PATCH', '/entities/Karczma?type=Grupa', { tag: 'typ', value: 'Lokacja' }, '@typ'],
    ['a type, by a spelling', 'PATCH', '/entities/Zajazd', { tag: 'typ', value: 'Lokacja' }, '@typ'],
  ] as const)
    it(`is refused as ${what}: ${method} ${path}`, async () => {
      const reply = await ask(method, path, body)
      const json = (name: string): unknown => jsonField(reply.json, name)
      deepEqual([reply.status, json('error'), json('field')], [422, 'ValueRefused', field], reply.text)
      deepEqual(json('candidates'), candidates)
    })

  it('is refused as another name of a place, which keeps the one it has', async () => {
    const free = worldOf({
      '.svc/format.json': '{"format": 2}',
      'encje/indeks.md': ['Erathia', 'Karczma (Erathia)', 'Karczma (Steadwick)']
        .map(name => `### ${name}\n- @typ: Lokacja\n`)
        .join('\n'),
    })
    front.serve(free)
    const reply = await ask('POST', '/entities/Erathia/name', { name: 'Karczma' })
    const json = (name: string): unknown => jsonField(reply.json, name)
    deepEqual([reply.status, json('field'), json('candidates')], [422, 'name', candidates], reply.text)
    equal(
      (await ask('POST', '/entities/Karczma%20(Erathia)/name', { name: 'karczma (Erathia)' })).status,
      200,
    )
  })

  it('is free as the name of what is no place, and another type is no bar', async () => {
    equal((await ask('PATCH', '/entities/Gospoda', { tag: 'typ', value: 'Lokacja' })).status, 200)
    equal((await ask('POST', '/entities', { name: 'Karczma', type: 'NPC' })).status, 201)
    equal((await ask('PATCH', '/locations/M%C5%82yn', { tag: 'alias', value: 'Wiatrak' })).status, 200)
  })
})
