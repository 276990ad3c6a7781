import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'

const block = (name: string, type: string, ...rows: ReadonlyArray<string>): string =>
  [`### ${name}`, `- @typ: ${type}`, ...rows.map(row => `- @${row}`), ''].join('\n')

const world = worldOf({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
  'encje/indeks.md': [
    block('Kupiec Orrin', 'NPC', 'lokacja: Rynek', 'plik: Opisy/Orrin.md', 'alias: Handlarz (:2023-12)'),
    block('Handlarz Bazyl', 'NPC', 'lokacja: Dworzec', 'alias: Handlarz (2024-01:)'),
    block('Złoty Smok', 'NPC', 'lokacja: Dworzec/Karczma'),
    block('Złoty Smok', 'Lokacja'),
    block('Ithan', 'Lokacja'),
    block('Rynek', 'Lokacja', 'lokacja: Ithan'),
    block('Dworzec', 'Lokacja'),
    block('Karczma', 'Lokacja', 'lokacja: Dworzec'),
    block('Strażnik Bramy', 'NPC', 'generyczne_nazwy: wartownik, klucznik'),
  ].join('\n'),
})

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

describe('GET /name-index/lookup', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: world })
  })
  after(() => front.close())

  const look = (token: string): Promise<Reply> =>
    front.client.ask(`/name-index/lookup/${encodeURIComponent(token)}`)

  it('tells who has a text as heading, alias, common noun or one word of them', async () => {
    for (const [token, source, ambiguous, owners] of [
      ['złoty SMOK', 'heading', true, ['Złoty Smok NPC 1', 'Złoty Smok Lokacja 1']],
      ['Handlarz', 'alias', true, ['Kupiec Orrin NPC 1', 'Handlarz Bazyl NPC 1']],
      ['klucznik', 'generic', false, ['Strażnik Bramy NPC 1']],
      ['orrin', 'word', false, ['Kupiec Orrin NPC 2']],
      ['smok', 'word', true, ['Złoty Smok NPC 2', 'Złoty Smok Lokacja 2']],
    ] as const) {
      const { json } = await look(token)
      const found = [jsonField(json, 'owners')]
        .flat()
        .map(one => ['name', 'type', 'priority'].map(field => jsonField(one, field)).join(' '))
      deepEqual([jsonField(json, 'source'), jsonField(json, 'ambiguous'), found], [source, ambiguous, owners])
    }
  })

  it('refuses inflected forms, misspellings and parts of words', async () => {
    for (const token of ['Orrina', 'Kupca Orrina', 'Orin', 'Smo', ' ', 'constructor']) {
      const reply = await look(token)
      deepEqual([reply.status, jsonField(reply.json, 'error')], [404, 'SpellingNotFound'], token)
    }
  })

  it('tells the size of an index that is built anew', async () => {
    const { json } = await front.client.ask('/name-index/rebuild', post({}))
    const stats = jsonField(json, 'indexStats')
    const [tokens, stems] = [Number(jsonField(stats, 'tokens')), Number(jsonField(stats, 'stems'))]
    equal(tokens, 19)
    ok(stems > tokens)
  })
})

describe('GET /entities/search', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: world })
  })
  after(() => front.close())

  const search = (query: string): Promise<Reply> => front.client.ask(`/entities/search?${query}`)
  const namesIn = ({ json }: Reply): ReadonlyArray<string> =>
    [jsonField(json, 'items')]
      .flat()
      .map(one => ['Name', 'MatchedToken', 'MatchStage'].map(field => jsonField(one, field)).join('|'))

  it('lists what the text means first, then what holds it, those that begin with it before others', async () => {
    deepEqual(namesIn(await search('q=Rynku')), ['Rynek|Rynek|alternation'])
    deepEqual(namesIn(await search('q=kar')), ['Karczma|Karczma|substring'])
    deepEqual(namesIn(await search('q=handlarz')), [
      'Kupiec Orrin|Handlarz|alias',
      'Handlarz Bazyl|Handlarz|alias',
    ])
    deepEqual(namesIn(await search('q=wart')), ['Strażnik Bramy|wartownik|substring'])
    deepEqual(namesIn(await search('q=smo&type=Lokacja')), ['Złoty Smok|Złoty Smok|substring'])
  })

  it('tells count, total and whether the page has all; no limit is refused or the whole set', async () => {
    const pageOf = async (query: string) => {
      const { json } = await search(query)
      return ['count', 'total', 'offset', 'limit', 'truncated'].map(field => jsonField(json, field))
    }
    deepEqual(await pageOf('q=a&limit=2'), [2, 5, 0, 2, true])
    deepEqual(await pageOf('q=a&limit=2&offset=4'), [1, 5, 4, 2, true])
    deepEqual(await pageOf('q=a&offset=99'), [0, 5, 99, 50, true])
    deepEqual(await pageOf('q=a&limit=5000'), [5, 5, 0, 200, false])
    for (const limit of ['abc', '-1', '1e9', ''])
      deepEqual(await pageOf(`q=a&limit=${limit}`), [5, 5, 0, 50, false])
    deepEqual(await pageOf('q=%20'), [0, 0, 0, 50, false])
  })

  it('takes `name` where `q` is not named, and refuses a request with neither', async () => {
    deepEqual(namesIn(await search('name=Ithanie')), ['Ithan|Ithan|declension'])
    deepEqual(namesIn(await search('name=Ithan&q=Rynek')), ['Rynek|Rynek|exact'])
    const reply = await search('type=NPC')
    deepEqual([reply.status, jsonField(reply.json, 'parameter')], [400, 'q'])
  })

  it('answers each item as GET /entities does, with the two fields of a search', async () => {
    const [found] = [jsonField((await search('q=Kupiec%20Orrin')).json, 'items')].flat()
    const [listed] = [jsonField((await front.client.ask('/entities?name=Orrin')).json, 'items')].flat()
    deepEqual(found, { ...Object(listed), MatchedToken: 'Kupiec Orrin', MatchStage: 'exact' })
  })
})

describe('a spelling with restricted topics', () => {
  const secret = 'Tematy zastrzeżone: pająki w „Sieci”'
  const guarded = worldOf({
    '.svc/format.json': '{"format": 2}',
    'encje/indeks.md': [
      block('Wit Kłos', 'Postać', `alias: ${secret}`, `generyczne_nazwy: ${secret}, ukryty`),
      block('Rynek', 'Lokacja', `alias: ${secret}`),
    ].join('\n'),
  })
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: guarded, callers: { reader: callerWith(['entity.read']) } })
  })
  after(() => front.close())

  for (const guess of [secret, 'pająki', 'Sieci', 'ukryty', 'Tematów zastrzeżonych', `${secret}x`])
    it(`is confirmed by no row of names: ${guess}`, async () => {
      const headers = { authorization: 'Bearer reader' }
      const encoded = encodeURIComponent(guess)
      const ask = (path: string, body?: object) =>
        front.client.ask(path, { ...(body === undefined ? {} : post(body)), headers })
      equal((await ask('/resolve', { name: guess })).text, 'null')
      equal((await ask('/resolve', { name: 'Wit Kłos', within: guess })).status, 400)
      equal((await ask(`/name-index/lookup/${encoded}`)).status, 404)
      equal(jsonField((await ask(`/entities/search?q=${encoded}`)).json, 'total'), 0)
      ok(!(await ask('/normalization/suggestions')).text.includes('paj'))
    })
})
