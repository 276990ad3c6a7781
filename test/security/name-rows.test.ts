import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { leastTurnMs } from '#test/support/longest-turn.js'
import { worldOf } from '#test/support/world.js'

/** Lines of SECURITY 4.6 and 4.8 for the rows of names; the pipeline's own are in `bodies.test.ts`. */
const post = (body: string) => ({ method: 'POST', body })
const bodyWith = (name: unknown): string => JSON.stringify({ name })

const hostileNames: ReadonlyArray<readonly [id: string, name: string]> = [
  ['../', '../../etc/passwd'],
  ['..%2f', '..%2f..%2fetc%2fpasswd'],
  ['an absolute path', '/etc/passwd'],
  ['~', '~'],
  ['CON', 'CON'],
  ['4 KB', 'a'.repeat(4096)],
  ['.git/config', '.git/config'],
  ['-rf', '-rf'],
  ['a heading in a name', 'x\n### Injected\n- @rola: admin'],
  ['a key of every object', 'constructor'],
  ['another key of every object', 'hasOwnProperty'],
  ['100 KB that a pattern may be slow on', `${'a'.repeat(100 * 1024)}!`],
  ['100 KB of words', 'Złoty Smok '.repeat(9_300)],
  ['half of all quotes', '„„„„„'],
]

const blocks = [
  '### Kupiec Orrin\n- @typ: NPC\n',
  ...Array.from({ length: 1_500 }, (_, at) => `### Strażnik ${at}\n- @typ: NPC\n- @alias: Wartownik Nocny\n`),
  '### Rynek\n- @typ: Lokacja\n',
]
const world = worldOf({ '.svc/format.json': '{"format": 2}', 'encje/indeks.md': blocks.join('\n') })

describe('SECURITY 4.6 and 4.8 for the rows of names', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: world })
  })
  after(() => front.close())

  const ask = (path: string, body?: string) => front.client.ask(path, body === undefined ? {} : post(body))

  for (const [id, name] of hostileNames)
    it(`means nothing and writes nothing: ${id}`, async () => {
      equal((await ask('/resolve', bodyWith(name))).text, 'null')
      equal(jsonField((await ask('/resolve/batch', JSON.stringify({ queries: [name] }))).json, 'count'), 1)
      const within = await ask('/resolve', JSON.stringify({ name: 'Orrin', within: name }))
      deepEqual([within.status, jsonField(within.json, 'path')], [400, '$.within'])
      ok(!within.text.includes(name), 'the refusal repeats what was sent')
      if (name.length < 900) {
        const encoded = encodeURIComponent(name)
        equal((await ask(`/entities/search?q=${encoded}`)).status, 200)
        ok([400, 404].includes((await ask(`/name-index/lookup/${encoded}`)).status))
      }
      const accepted = await ask(
        '/normalization/aliases/accept',
        JSON.stringify({ surface: name, name: 'Nieznany' }),
      )
      ok([404, 422].includes(accepted.status), accepted.text)
    })

  for (const [id, body, path] of [
    ['a number', bodyWith(1), '$.name'],
    ['null', bodyWith(null), '$.name'],
    ['a list', bodyWith(['Orrin']), '$.name'],
    ['an object', bodyWith({ name: 'Orrin' }), '$.name'],
    ['half a surrogate pair', '{"name":"Orrin\\ud83d"}', '$.name'],
    ['NUL', '{"name":"Orrin\\u0000"}', '$.name'],
    ['a duplicate key', '{"name":"Orrin","name":"x"}', '$'],
    ['__proto__', '{"name":"Orrin","__proto__":{"polluted":true}}', '$'],
    ['constructor', '{"name":"Orrin","constructor":{"prototype":{}}}', '$.constructor'],
    ['2^53+1 as topN', '{"name":"Orrin","topN":9007199254740993}', '$.topN'],
    ['1e400 as maxDistance', '{"name":"Orrin","maxDistance":1e400}', '$.maxDistance'],
    ['an array at the top', '["Orrin"]', '$'],
  ] as const)
    it(`refuses a body with ${id}`, async () => {
      const reply = await ask('/resolve', body)
      deepEqual([reply.status, jsonField(reply.json, 'path')], [400, path], reply.text)
      equal(Reflect.get({}, 'polluted'), undefined)
    })

  it('gives no block a spelling with an invisible mark', async () => {
    const body = JSON.stringify({ surface: 'Orrin\u200f', name: 'Kupiec Orrin' })
    equal((await ask('/normalization/aliases/accept', body)).status, 422)
  })

  it('names in a batch the item that is wrong, never its value', async () => {
    const reply = await ask('/resolve/batch', '{"queries":["Orrin",{"name":"Orrin","hasło":"hunter2"}]}')
    deepEqual([reply.status, jsonField(reply.json, 'path')], [400, '$.queries[1].hasło'])
    ok(!reply.text.includes('hunter2'))
  })

  it('refuses a query of the search that is given twice, and takes no limit for the whole set', async () => {
    equal((await ask('/entities/search?q=a&q=b')).status, 400)
    for (const limit of ['-1', 'abc', '1e9', '999999999999'])
      equal(jsonField((await ask(`/entities/search?q=stra%C5%BC&limit=${limit}`)).json, 'count'), 50)
  })

  it('answers a name that thousands share with as many candidates as asked for', async () => {
    const { json } = await ask('/resolve', JSON.stringify({ name: 'Wartownika Nocnego', within: 'Rynek' }))
    equal(json, null)
    const shared = await ask('/resolve', JSON.stringify({ name: 'Wartownik Nocny', topN: 200 }))
    deepEqual(
      [jsonField(shared.json, 'ambiguous'), [jsonField(shared.json, 'candidates')].flat().length],
      [true, 200],
    )
    const owners = await ask('/name-index/lookup/wartownik%20nocny')
    deepEqual([jsonField(owners.json, 'more')], [1_300])
  })

  it('leaves the event loop to others in a batch of 10,000 misses and in one of a MiB', async () => {
    const misses = Array.from({ length: 10_000 }, (_, at) => `Nieznajomy ${at.toString(36)}`)
    const queries = { small: misses, large: misses.slice(0, 3_700).map(name => name.padEnd(180, ' ż')) }
    for (const [size, list] of Object.entries(queries)) {
      const body = JSON.stringify({ queries: list })
      ok(Buffer.byteLength(body) < 1024 * 1024)
      const worstMs = await leastTurnMs(40, async () => {
        equal(jsonField((await ask('/resolve/batch', body)).json, 'count'), list.length)
      })
      ok(worstMs < 60, `${size}: ${worstMs} ms`)
    }
  })
})
