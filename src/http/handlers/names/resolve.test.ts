import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { type TestFront, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { makeNamesWorld } from '#test/support/names-world.js'

const world = makeNamesWorld()
const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) })

describe('POST /resolve', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: world })
  })
  after(() => front.close())

  const resolve = (body: object, query = ''): Promise<Reply> =>
    front.client.ask(`/resolve${query}`, post(body))
  const nameOf = async (body: object): Promise<unknown> => jsonField((await resolve(body)).json, 'name')

  it('answers the block, its type, its document, the stage and the cases', async () => {
    deepEqual((await resolve({ name: 'Kupca Orrina' })).json, {
      name: 'Kupiec Orrin',
      typ: 'NPC',
      plik: 'Opisy/Orrin.md',
      stage: 'alternation',
      confidence: 0.85,
      ambiguous: false,
      candidates: [
        {
          name: 'Kupiec Orrin',
          typ: 'NPC',
          plik: 'Opisy/Orrin.md',
          form: 'Kupiec Orrin',
          cases: ['sg.gen', 'sg.acc'],
        },
      ],
    })
  })

  it('answers null with 200 for a name that means nothing', async () => {
    const reply = await resolve({ name: 'Zupełnie Obcy' })
    deepEqual([reply.status, reply.json, reply.text], [200, null, 'null'])
  })

  it('answers homonyms as ambiguous with all owners, and one of them where the type leaves one', async () => {
    const { json } = await resolve({ name: 'Złotego Smoka' })
    deepEqual(
      [jsonField(json, 'name'), jsonField(json, 'typ'), jsonField(json, 'ambiguous')],
      [null, null, true],
    )
    const candidates = [jsonField(json, 'candidates')].flat()
    deepEqual(
      candidates.map(one => jsonField(one, 'typ')),
      ['NPC', 'Lokacja'],
    )
    ok(candidates.every(one => [jsonField(one, 'cases')].flat().includes('sg.gen')))
    for (const filter of [{ typ: 'Lokacja' }, { type: 'Lokacja' }, { typ: 'Lokacja', type: 'Lokacja' }])
      deepEqual(jsonField((await resolve({ name: 'Złoty Smok', ...filter })).json, 'typ'), 'Lokacja')
    equal([jsonField((await resolve({ name: 'Złoty Smok', topN: 1 })).json, 'candidates')].flat().length, 1)
  })

  it('leaves out what does not lie in the place of `within`, by a path too', async () => {
    equal(await nameOf({ name: 'Orrin', within: 'Ithan' }), 'Kupiec Orrin')
    equal(await nameOf({ name: 'Orrin', within: 'Dworzec' }), undefined)
    equal(await nameOf({ name: 'Smok', within: 'Dworzec', typ: 'NPC' }), 'Złoty Smok')
    equal(await nameOf({ name: 'Złoty Smok', within: 'Dworzec/Karczma' }), 'Złoty Smok')
  })

  it('counts aliases of the day of `activeOn`, and of any day without it', async () => {
    equal(await nameOf({ name: 'Handlarz', activeOn: '2023-06-01' }), 'Kupiec Orrin')
    equal(await nameOf({ name: 'Handlarz', activeOn: '2024-06-01T10:00:00Z' }), 'Handlarz Bazyl')
    equal(jsonField((await resolve({ name: 'Handlarz' })).json, 'ambiguous'), true)
  })

  it('takes misspellings, unless `noFuzzy` or `maxDistance` leave them out', async () => {
    const { json } = await resolve({ name: 'Strażnk Bramy' })
    deepEqual([jsonField(json, 'name'), jsonField(json, 'stage')], ['Strażnik Bramy', 'fuzzy'])
    equal((await resolve({ name: 'Strażnk Bramy', noFuzzy: true })).json, null)
    equal((await resolve({ name: 'Strażnk Bramy', maxDistance: 0 })).json, null)
  })

  it('explains how the name was traced back, only where asked', async () => {
    const { json } = await resolve({ name: 'Kupca Orrina' }, '?explain=true')
    const [rewrite] = [jsonField(json, 'rewrites')].flat()
    deepEqual(
      [jsonField(rewrite, 'from'), jsonField(rewrite, 'to'), jsonField(rewrite, 'stage')],
      ['Kupca Orrina', 'Kupiec Orrin', 'alternation'],
    )
    equal(typeof jsonField(rewrite, 'rule'), 'string')
    equal(jsonField((await resolve({ name: 'Kupca Orrina' }, '?explain=false')).json, 'rewrites'), undefined)
  })

  for (const [fields, path] of [
    [{ name: '  ' }, '$.name'],
    [{}, '$.name'],
    [{ name: 'Orrin', typ: 'Smok' }, '$.typ'],
    [{ name: 'Orrin', typ: 'NPC', type: 'Lokacja' }, '$.type'],
    [{ name: 'Orrin', within: 'Nigdzie' }, '$.within'],
    [{ name: 'Orrin', within: 'Kupiec Orrin' }, '$.within'],
    [{ name: 'Orrin', activeOn: 'wczoraj' }, '$.activeOn'],
    [{ name: 'Orrin', topN: 0 }, '$.topN'],
    [{ name: 'Orrin', topN: 2.5 }, '$.topN'],
    [{ name: 'Orrin', maxDistance: 4 }, '$.maxDistance'],
    [{ name: 'Orrin', noFuzzy: 'tak' }, '$.noFuzzy'],
    [{ name: 'Orrin', owner: 'x' }, '$.owner'],
  ] as const)
    it(`refuses ${JSON.stringify(fields)} with its path`, async () => {
      const reply = await resolve(fields)
      deepEqual(
        [reply.status, jsonField(reply.json, 'error'), jsonField(reply.json, 'path')],
        [400, 'BodyInvalid', path],
        reply.text,
      )
    })
})

describe('POST /resolve/batch', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: world })
  })
  after(() => front.close())

  const batch = (body: object): Promise<Reply> => front.client.ask('/resolve/batch', post(body))

  it('answers texts and whole queries in order, misses and homonyms among them', async () => {
    const queries = ['Kupca Orrina', { name: 'Złoty Smok', typ: 'NPC' }, 'Złoty Smok', 'Obcy', ' ']
    deepEqual((await batch({ queries })).json, {
      count: 5,
      items: [
        { token: 'Kupca Orrina', resolved: 'Kupiec Orrin', typ: 'NPC', stage: 'alternation' },
        { token: 'Złoty Smok', resolved: 'Złoty Smok', typ: 'NPC', stage: 'exact' },
        { token: 'Złoty Smok', resolved: null, typ: null, stage: 'exact', ambiguous: true },
        { token: 'Obcy', resolved: null, typ: null, stage: 'miss' },
        { token: ' ', resolved: null, typ: null, stage: 'miss' },
      ],
    })
  })

  it('holds the options beside the list for queries that state none of their own', async () => {
    const queries = [
      'Złoty Smok',
      { name: 'Złoty Smok', type: 'NPC' },
      { name: 'Złoty Smok', within: 'Ithan' },
    ]
    const items = [jsonField((await batch({ queries, typ: 'Lokacja' })).json, 'items')].flat()
    deepEqual(
      items.map(one => jsonField(one, 'typ')),
      ['Lokacja', 'NPC', null],
    )
  })

  it('refuses a bad query with its place, and more than 10,000 queries', async () => {
    for (const [body, path] of [
      [{ queries: ['x', { name: ' ' }] }, '$.queries[1].name'],
      [{ queries: [{ name: 'x', within: 'Nigdzie' }] }, '$.queries[0].within'],
      [{ queries: ['x'], within: 'Nigdzie' }, '$.within'],
      [{ queries: [1] }, '$.queries[0]'],
      [{}, '$.queries'],
      [{ queries: Array.from({ length: 10_001 }, () => '') }, '$.queries'],
    ] as const) {
      const reply = await batch(body)
      deepEqual([reply.status, jsonField(reply.json, 'path')], [400, path], reply.text)
    }
    equal((await batch({ queries: [] })).text, '{"count":0,"items":[]}')
  })
})
