import { deepEqual, equal, match } from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { after, before, describe, it } from 'mocha'
import { type CardRole, StatusCard } from '#protocol/fleet/peers.js'
import { type Daemon, eventually, patchJson, postJson, startDaemon } from '#test/support/daemon.js'
import { fleetText, townNames } from '#test/support/fleet/topologies.js'
import { type Client, clientOf } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { sampleSum } from '#test/support/metric-text.js'
import { orrin } from '#test/support/node.js'
import { cloneOf, gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'

const path = '.svc/fleet.json'
const town = 'Deyja'

const keysOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === 'object' && value !== null ? Object.keys(value).sort() : []

/** A built daemon over a clone of a bare remote, to which a person pushes from another clone. */
describe('the role of a built host', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let daemon: Daemon
  let client: Client
  const at = (name: string): string => join(folder.path, name)
  const clone = (...args: ReadonlyArray<string>): string => gitIn(at('host'), ...args)

  const push = (files: Readonly<Record<string, string>>): void => {
    writeFiles(at('person'), files)
    gitIn(at('person'), 'add', '-A')
    gitIn(at('person'), 'commit', '-q', '-m', 'a change of a person')
    gitIn(at('person'), 'push', '-q', 'origin', 'main')
  }
  const start = async (): Promise<void> => {
    daemon = await startDaemon(['serve', '--repo', at('host'), '--town', town])
    client = clientOf({ port: Number(new URL(daemon.ready.url).port), token: daemon.token, recorded: true })
  }
  const converge = async (): Promise<void> => {
    const { status, body } = await postJson(daemon, '/sync', {})
    equal(status, 200, JSON.stringify(body))
  }
  const card = async (): Promise<StatusCard> => {
    const { status, json, text } = await client.ask('/fleet/status', { token: null })
    const decoded = StatusCard.decode(json)
    if (status !== 200 || isLeft(decoded)) throw new Error(text)
    deepEqual(keysOf(json), keysOf(decoded.right))
    return decoded.right
  }
  const health = async (): Promise<readonly [unknown, unknown]> => {
    const { json } = await client.ask('/health', { token: null })
    return [jsonField(json, 'role'), jsonField(json, 'mode')]
  }
  const hasRole = async (role: CardRole, mode: string): Promise<void> => {
    equal((await card()).role, role)
    deepEqual(await health(), [role, mode])
  }
  const write = () => patchJson(daemon, '/entities/Orrin', { tag: 'status', value: 'Nieaktywny' })
  const lintKinds = async (): Promise<string> => {
    const { text } = await client.ask('/claims/lint')
    return text
  }

  before(async () => {
    folder = temporaryFolder()
    gitIn(folder.path, 'init', '-q', '--bare', '-b', 'main', at('bare.git'))
    gitIn(folder.path, 'init', '-q', '-b', 'main', at('person'))
    gitIn(at('person'), 'remote', 'add', 'origin', at('bare.git'))
    push({
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': JSON.stringify({ server: { sync_interval_min: 600, publish_mode: 'none' } }),
      'encje/indeks.md': orrin,
      [path]: fleetText('Avlee', 1),
    })
    cloneOf(at('bare.git'), at('host'))
    await start()
    await converge()
  })
  after(async () => {
    await daemon.stop()
    folder.dispose()
  })

  it('is a replica that refuses writes and says who takes them', async () => {
    await hasRole('replica', 'ReadOnly')
    const refused = await write()
    equal(refused.status, 403)
    match(JSON.stringify(refused.body), /replica of the fleet. Send the write to the apex, Avlee, at /)
    deepEqual(jsonField((await client.ask('/schema')).json, 'towns'), townNames)
  })

  it('answers at the host of its url, and at no other town', async () => {
    const statusAt = async (host: string): Promise<number> =>
      (await client.ask('/fleet/status', { token: null, headers: { Host: host } })).status
    deepEqual([await statusAt('deyja.example'), await statusAt('avlee.example')], [200, 421])
  })

  it('is promoted by no commit that only it has, and by the push of another clone (S1)', async () => {
    writeFiles(at('host'), { [path]: fleetText(town, 2) })
    clone('commit', '-q', '-am', 'a flip that is only here')
    await converge()
    await hasRole('replica', 'ReadOnly')
    push({ [path]: `${fleetText(town, 3)}\n` })
    await converge()
    await hasRole('primary', 'ReadWrite')
    equal(clone('show', `HEAD:${path}`), fleetText(town, 3))
    equal((await write()).status, 200)
  })

  it('follows each flip there and back (A, B, A)', async () => {
    for (const [apex, term, role, mode] of [
      ['Avlee', 4, 'replica', 'ReadOnly'],
      [town, 5, 'primary', 'ReadWrite'],
      ['Avlee', 5, 'replica', 'ReadOnly'],
    ] as const) {
      push({ [path]: fleetText(apex, term) })
      await converge()
      await hasRole(role, mode)
    }
    match(await lintKinds(), /TermNotRaised/)
  })

  it('loses its role where the file is unreadable or gone, with a finding', async () => {
    for (const [text, kind] of [
      ['{', /FleetUnreadable/],
      [fleetText('Avlee', 6, townNames.slice(0, 2)), /TownNotListed/],
    ] as const) {
      push({ [path]: text })
      await converge()
      await hasRole('replica', 'ReadOnly')
      match(await lintKinds(), kind)
    }
    gitIn(at('person'), 'rm', '-q', path)
    push({ 'README.md': 'without a fleet\n' })
    await converge()
    await hasRole('replica', 'ReadOnly')
    match(await lintKinds(), /FleetGone/)
  })

  it('remembers over a restart that it was in a fleet, and an operator may override it', async () => {
    await daemon.stop()
    renameSync(at('bare.git'), at('away.git'))
    await start()
    await hasRole('replica', 'ReadOnly')
    equal((await postJson(daemon, '/admin/mode', { mode: 'read-write' })).status, 200)
    deepEqual(await health(), ['replica', 'ReadWrite'])
    renameSync(at('away.git'), at('bare.git'))
  })

  it('knows after a restart that it is the apex, and writes when it has converged', async () => {
    push({ [path]: fleetText(town, 7) })
    await converge()
    await daemon.stop()
    renameSync(at('bare.git'), at('away.git'))
    await start()
    await hasRole('primary', 'ReadOnly')
    renameSync(at('away.git'), at('bare.git'))
    await converge()
    await hasRole('primary', 'ReadWrite')
    const { port } = new URL(daemon.ready.ops)
    const metrics = await eventually(
      async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
      text => text.includes('svc_fleet_role'),
    )
    deepEqual(
      ['primary', 'replica'].map(role => sampleSum(metrics, 'svc_fleet_role', { role })),
      [1, 0],
    )
  })
})
