import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { Health, RouteTable, Schema } from '#protocol/host/discovery.js'
import { routes } from '#protocol/routes.js'
import {
  callerWith,
  nodeView,
  type TestFront,
  type TestFrontOptions,
  testFront,
} from '#test/support/front.js'
import { askTarget } from '#test/support/http-client.js'
import { worldOf } from '#test/support/world.js'

describe('discovery', () => {
  let front: TestFront | null = null
  const start = async (options: TestFrontOptions = {}): Promise<TestFront> => {
    front = await testFront(options)
    return front
  }
  afterEach(async () => {
    await front?.close()
    front = null
  })

  it('answers before the first snapshot, and is not ready', async () => {
    const { client, front: running } = await start({ snapshot: null, node: nodeView({ memory: () => null }) })
    const health = Health.decode((await client.ask('/health', { token: null })).json)
    equal(health._tag === 'Right' && health.right.entities === 0 && health.right.schema === null, true)
    equal(health._tag === 'Right' && health.right.memory === null, true)
    deepEqual((await client.ask('/schema/version', { token: null })).json, {
      stamped: null,
      expected: 2,
      state: 'SchemaTooOld',
    })
    equal(Schema.is((await client.ask('/schema', { token: null })).json), true)
    equal((await askTarget(running.opsPort, '/readyz')).status, 503)
    equal((await askTarget(running.opsPort, '/livez')).status, 200)
  })

  it('counts entities and tells the mode and the format', async () => {
    const world = worldOf({ '.svc/format.json': '{"format": 2}', 'encje/indeks.md': '### A\n- @typ: NPC\n' })
    const { client } = await start({ snapshot: world, node: nodeView({ mode: () => 'ReadOnly' }) })
    const health = Health.decode((await client.ask('/health')).json)
    if (health._tag === 'Left') throw new Error('no health')
    const { entities, mode, schema, expected, uptimeSeconds } = health.right
    deepEqual([entities, mode, schema, expected, uptimeSeconds], [1, 'ReadOnly', 2, 2, 90])
  })

  it('counts what is too large to be read', async () => {
    const refs = Object.fromEntries(
      ['a', 'b'].map(name => [`encje/${name}.md`, `### ${name}\n- @typ: NPC\n- @ref: opis.md\n`.repeat(300)]),
    )
    const world = worldOf({ ...refs, 'opis.md': '- @info: wpis\n'.repeat(2000) })
    const { client } = await start({ snapshot: { ...world, leftOut: new Set(['sesje/duży.md']) } })
    const health = Health.decode((await client.ask('/health')).json)
    deepEqual(health._tag === 'Right' && health.right.leftOut, { files: 1, references: 100 })
  })

  for (const [stamp, stamped, state] of [
    ['{"format": 2}', 2, 'Current'],
    ['{"format": 3}', 3, 'SchemaTooNew'],
    ['{}', null, 'SchemaTooOld'],
  ] as const)
    it(`tells of ${state} for a stamp ${stamp}`, async () => {
      const { client } = await start({ snapshot: worldOf({ '.svc/format.json': stamp }) })
      deepEqual((await client.ask('/schema/version')).json, { stamped, expected: 2, state })
    })

  it('lists the roles of the committed table', async () => {
    const { client } = await start({
      snapshot: worldOf({ '.svc/roles.json': '{"roles": {"Kronikarz": ["entity.read"]}}' }),
    })
    const schema = Schema.decode((await client.ask('/schema')).json)
    deepEqual(schema._tag === 'Right' ? schema.right.roles : null, ['kronikarz'])
  })

  it('lists every row with its parameters', async () => {
    const { client } = await start()
    const table = RouteTable.decode((await client.ask('/routes')).json)
    if (table._tag === 'Left') throw new Error('no table')
    equal(table.right.count, Object.keys(routes).length)
    deepEqual(
      table.right.routes.find(row => row.path === '/health'),
      {
        method: 'GET',
        path: '/health',
        capability: null,
        write: false,
        replica: false,
        pool: false,
        poolReason: 'default',
        params: [],
        etag: false,
      },
    )
    for (const row of table.right.routes) equal(row.etag, row.replica, `${row.path}: D10`)
  })

  it('resolves the capabilities of the caller', async () => {
    const { client } = await start({ callers: { sess_x: callerWith(['capability.read', 'pu.all']) } })
    deepEqual((await client.ask('/capabilities', { token: 'sess_x' })).json, {
      count: 5,
      capabilities: ['player.restricted.read', 'pu.award', 'pu.read', 'pu.read.own', 'capability.read'],
    })
  })
})
