import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { nameCharsMax } from '#protocol/atoms.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { makeNamesWorld, worldBlock } from '#test/support/names-world.js'
import { worldOf } from '#test/support/world.js'

const world = makeNamesWorld()
const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) })

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

describe('a long name', () => {
  const [longest, longer] = ['a'.repeat(nameCharsMax), 'b'.repeat(nameCharsMax + 1)]
  const long = worldOf({
    '.svc/format.json': '{"format": 2}',
    'encje/indeks.md': [longest, longer].map(name => worldBlock(name, 'Lokacja')).join('\n'),
  })
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: long })
  })
  after(() => front.close())

  it('is found up to 400 characters, and is a miss from there on', async () => {
    for (const [name, isFound] of [
      [longest, true],
      [longer, false],
    ] as const) {
      const one = await front.client.ask('/resolve', post({ name }))
      equal(one.text !== 'null', isFound)
      const { json } = await front.client.ask('/resolve/batch', post({ queries: [name, { name }] }))
      for (const item of [jsonField(json, 'items')].flat())
        equal(jsonField(item, 'stage'), isFound ? 'exact' : 'miss')
      equal((await front.client.ask(`/name-index/lookup/${name}`)).status, isFound ? 200 : 404)
      const page = await front.client.ask(`/entities/search?q=${name}`)
      equal(jsonField(page.json, 'total'), isFound ? 1 : 0)
    }
  })

  it('refuses a place whose text is too long for a path of names', async () => {
    const within = (chars: number) => ({ name: 'x', within: `${'x/'.repeat(chars)}${longest}` })
    equal((await front.client.ask('/resolve', post(within(300)))).status, 200)
    equal((await front.client.ask('/resolve', post(within(301)))).status, 400)
  })
})

describe('a spelling with restricted topics', () => {
  const secret = 'Tematy zastrzeżone: pająki w „Sieci”'
  const guarded = worldOf({
    '.svc/format.json': '{"format": 2}',
    'encje/indeks.md': [
      worldBlock('Wit Kłos', 'Postać', `alias: ${secret}`, `generyczne_nazwy: ${secret}, ukryty`),
      worldBlock('Rynek', 'Lokacja', `alias: ${secret}`),
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
