import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { permissionsPath } from '#src/domain/identity/permissions.js'
import { allFindings } from '#src/snapshot/all-findings.js'
import { nowMs, type TestFront, testFront } from '#test/support/front.js'
import { governanceCallers, withFields } from '#test/support/governance.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const store = `## Gracz
### Brzoza
- @gameid: 100
- @alias: Brzózka
### Cis
- @gameid: 200
### Dwa
- @gameid: 300
- @gameid: 301
`
const files = { '.svc/format.json': '{"format": 2}', 'encje/indeks.md': '', 'kontrybutorzy.md': store }
const stamp = new Date(nowMs).toISOString()

describe('the permissions of narrators', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: worldOf(files), callers: governanceCallers })
  })
  afterEach(() => front.close())

  const get = (query = '', token = 'sess_reads') =>
    withFields(front.client.ask(`/governance/permissions${query}`, { token }))
  const send = (nick: string, body: string, query = '', token = 'sess_writes') =>
    withFields(
      front.client.ask(`/governance/permissions/${encodeURIComponent(nick)}${query}`, {
        method: 'PATCH',
        body,
        token,
      }),
    )
  const patch = (nick: string, body: object, query = '') => send(nick, JSON.stringify(body), query)
  const text = (): string | undefined => {
    const world = front.world()
    return world === null ? undefined : textsOf(world)[permissionsPath]
  }

  it('are empty in a fresh repository, and their row is not a ref of the ledger', async () => {
    deepEqual((await get()).json, { count: 0, items: [] })
    deepEqual((await get('?id=Nikt')).json, { count: 0, items: [] })
  })

  it('are set by heading, alias or game id, stamped, one row a line', async () => {
    const first = await patch('Brzózka', { ranga: 'narrator', walki_pvp: true })
    deepEqual(
      [first.status, first.json],
      [200, { updated: '100', fields: { ranga: 'narrator', walki_pvp: true }, zmieniono: stamp }],
    )
    await patch('200', { magia: 'pełna' })
    const third = await patch('Brzoza', { walki_pvp: null, poziom: 3 })
    deepEqual(third.json['fields'], { ranga: 'narrator', poziom: 3 })
    equal(
      text(),
      `{"permissions": {\n"100": {"ranga":"narrator","poziom":3,"zmieniono":"${stamp}"},\n` +
        `"200": {"magia":"pełna","zmieniono":"${stamp}"}\n}}\n`,
    )
    const brzoza = {
      gameId: '100',
      nick: 'Brzoza',
      fields: { ranga: 'narrator', poziom: 3 },
      zmieniono: stamp,
    }
    for (const id of ['100', 'Brzoza', encodeURIComponent('Brzózka')])
      deepEqual((await get(`?id=${id}`)).json, { count: 1, items: [brzoza] })
    equal((await get()).json['count'], 2)
  })

  it('keep other fields of the file, and the stamp where nothing changes', async () => {
    const row = '{"ranga":"narrator","zmieniono":"2026-01-01T00:00:00.000Z"}'
    const kept = `{"note": "nasze", "permissions": {\n"100": ${row}\n}}\n`
    front.serve(worldOf({ ...files, [permissionsPath]: kept }))
    const same = await patch('100', { ranga: 'narrator' })
    equal(same.json['zmieniono'], '2026-01-01T00:00:00.000Z')
    equal(text(), kept)
    await patch('200', { ranga: 'kandydat' })
    equal(text(), kept.replace(`${row}\n`, `${row},\n"200": {"ranga":"kandydat","zmieniono":"${stamp}"}\n`))
  })

  it('stay as they are in a dry run', async () => {
    const { status, json } = await patch('Cis', { magia: 'pełna' }, '?dryRun=true')
    deepEqual([status, json['wouldUpdate'], json['fields']], [200, '200', { magia: 'pełna' }])
    ok(json['zmieniono'] === undefined)
    equal(text(), undefined)
  })

  it('refuse a person who is unknown or has no id of their own', async () => {
    const unknown = await patch('Brzozza', { magia: 'pełna' })
    deepEqual([unknown.status, unknown.json['error']], [404, 'PersonNotFound'])
    for (const nick of ['Dwa', '300']) {
      const two = await patch(nick, { magia: 'pełna' })
      deepEqual([two.status, two.json['error']], [404, 'IdentityNotFound'], nick)
    }
    equal(text(), undefined)
  })

  const bad: ReadonlyArray<readonly [body: string, field: string]> = [
    ['{"magia": {"ogień": "pełna"}}', 'magia'],
    ['{"magia": ["pełna"]}', 'magia'],
    ['{"__proto__": {"admin": true}}', '__proto__'],
    ['{"__proto__": 1}', '__proto__'],
    ['{"magia": {"__proto__": 1}}', 'magia.__proto__'],
    ['{"zmieniono": "2020-01-01T00:00:00Z"}', 'zmieniono'],
    ['{"": "pełna"}', ''],
    ['{"a b": 1}', 'a b'],
    ['{"magia": "a\\nb"}', 'magia'],
    [`{"magia": "${'x'.repeat(1025)}"}`, 'magia'],
    [`{${Array.from({ length: 65 }, (_, at) => `"p${at}": 1`).join(', ')}}`, 'p64'],
    ['{}', '$'],
  ]
  for (const [body, field] of bad)
    it(`refuse ${body.slice(0, 40)}, naming the field`, async () => {
      const { status, json } = await send('Brzoza', body)
      deepEqual([status, json['error'], json['field']], [422, 'ValueRefused', field])
      equal(text(), undefined)
    })

  it('take a field that is named as a member of every object', async () => {
    const { json } = await send('Brzoza', '{"constructor": 1, "toString": "x"}')
    deepEqual(json['fields'], { constructor: 1, toString: 'x' })
    match(text() ?? '', /"constructor":1,"toString":"x"/)
  })

  it('are neither served nor changed while their file cannot be read', async () => {
    for (const file of ['{', '{"permissions": {"100": {"magia": {}}}}', '{"permissions": []}']) {
      front.serve(worldOf({ ...files, [permissionsPath]: file }))
      deepEqual([(await get()).status, (await patch('100', { magia: 'x' })).status], [409, 409], file)
      const world = front.world()
      const kinds = world === null ? [] : allFindings(world).map(one => one.kind)
      ok(kinds.includes('PermissionsUnreadable'), file)
      equal(text(), file)
    }
  })

  it('need governance.read and governance.write', async () => {
    equal((await get('', 'sess_writes')).json['required'], 'governance.read')
    equal((await send('100', '{"a": 1}', '', 'sess_reads')).json['required'], 'governance.write')
  })
})
