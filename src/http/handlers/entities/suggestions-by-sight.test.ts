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
