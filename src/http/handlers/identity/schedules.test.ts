import { deepEqual, equal, match } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { allFindings } from '#src/snapshot/all-findings.js'
import { type TestFront, testFront } from '#test/support/front.js'
import { governanceCallers, withFields } from '#test/support/governance.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const configPath = '.svc/config.json'
const config =
  '{\n  "server": {"port": 0},\n  "schedules": {"map_checkup": "fleet", "settlement": "fleet"}\n}\n'
const files = { '.svc/format.json': '{"format": 2}', 'encje/indeks.md': '', [configPath]: config }

describe('the schedules', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: worldOf(files), callers: governanceCallers })
  })
  afterEach(() => front.close())

  const get = (token = 'sess_reads') => withFields(front.client.ask('/config/schedules', { token }))
  const patch = (workload: string, body: object, query = '', token = 'sess_writes') =>
    withFields(
      front.client.ask(`/config/schedules/${workload}${query}`, {
        method: 'PATCH',
        body: JSON.stringify(body),
        token,
      }),
    )
  const text = (): string | undefined => {
    const world = front.world()
    return world === null ? undefined : textsOf(world)[configPath]
  }
  const owners = async () => {
    const { text } = await get()
    return [...text.matchAll(/"workload":"(\w+)","owner":"(\w+)","source":"(\w+)"/g)].map(one => one.slice(1))
  }

  it('are those of the committed file, and an owner outside its set counts as the default', async () => {
    deepEqual(await owners(), [
      ['close_reminder', 'off', 'default'],
      ['map_checkup', 'fleet', 'committed'],
      ['settlement', 'ci', 'default'],
      ['lineage_autopilot', 'fleet', 'default'],
      ['alias_autopilot', 'fleet', 'default'],
    ])
    equal((await get()).json['source'], 'committed')
    const world = front.world()
    const found = world === null ? [] : allFindings(world).filter(one => one.kind === 'ConfigInvalid')
    deepEqual(
      found.map(one => [one.subject, one.line]),
      [['schedules.settlement', 3]],
    )
    match(found[0]?.reason ?? '', /must be ci or off; the default is used/)
  })

  it('are the defaults without a file, and where it does not parse', async () => {
    const { [configPath]: _, ...others } = files
    for (const world of [others, { ...files, [configPath]: '{' }]) {
      front.serve(worldOf(world))
      equal((await get()).json['source'], 'default')
      deepEqual(new Set((await owners()).map(one => one[2])), new Set(['default']))
    }
  })

  it('change by one value of the file', async () => {
    const reply = await patch('map_checkup', { owner: 'ci' })
    deepEqual(
      [reply.status, reply.json],
      [200, { set: 'map_checkup', owner: 'ci', changed: true, effectiveAfterConverge: true }],
    )
    equal(text(), config.replace('"map_checkup": "fleet"', '"map_checkup": "ci"'))
    deepEqual((await owners())[1], ['map_checkup', 'ci', 'committed'])
    equal((await patch('map_checkup', { owner: 'ci' })).json['changed'], false)
  })

  it('are mended where the file has an invalid owner, though the default is the same', async () => {
    equal((await patch('settlement', { owner: 'ci' })).json['changed'], true)
    const world = front.world()
    deepEqual(world === null ? null : allFindings(world).filter(one => one.kind === 'ConfigInvalid'), [])
  })

  it('stay as they are in a dry run', async () => {
    const { status, json } = await patch('close_reminder', { owner: 'ci' }, '?dryRun=true')
    deepEqual([status, json['wouldSet'], json['owner']], [200, 'close_reminder', 'ci'])
    equal(text(), config)
  })

  it('refuse an owner outside the set, an unknown workload, and a file that does not parse', async () => {
    const settlement = await patch('settlement', { owner: 'fleet' })
    deepEqual(
      [settlement.status, settlement.json['error'], settlement.json['allowed']],
      [422, 'OwnerNotAllowed', ['ci', 'off']],
    )
    match(String(settlement.json['detail']), /settlement must be ci or off/)
    for (const name of ['tidy', 'constructor', '__proto__']) {
      const unknown = await patch(name, { owner: 'ci' })
      deepEqual([unknown.status, unknown.json['error']], [404, 'WorkloadNotFound'])
    }
    front.serve(worldOf({ ...files, [configPath]: '{"schedules": 1}' }))
    const broken = await patch('settlement', { owner: 'off' })
    deepEqual([broken.status, broken.json['file']], [409, configPath])
  })

  it('need governance.read and governance.write', async () => {
    equal((await get('sess_writes')).json['required'], 'governance.read')
    equal(
      (await patch('settlement', { owner: 'off' }, '', 'sess_reads')).json['required'],
      'governance.write',
    )
  })
})
