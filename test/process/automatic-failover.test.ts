import { deepEqual, equal } from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { type Daemon, eventually, getJson, patchJson, postJson, startDaemon } from '#test/support/daemon.js'
import { fleetText } from '#test/support/fleet/topologies.js'
import { type ForgeDouble, forgeDouble } from '#test/support/forge/forge-double.js'
import { jsonField } from '#test/support/json-field.js'
import { orrin } from '#test/support/node.js'
import { cloneOf, gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'

const path = '.svc/fleet.json'
/** An apex that nothing listens for. */
const dark = { Erathia: { url: 'http://127.0.0.1:1/v1/api' } }

/** A built daemon of a fleet of two towns, whose remote and forge is one double. */
describe('a built host whose apex stays dark', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let double: ForgeDouble
  let daemon: Daemon
  const at = (name: string): string => join(folder.path, name)

  const push = (term: number): void => {
    writeFiles(at('person'), { [path]: fleetText('Erathia', term, ['Deyja', 'Erathia'], dark) })
    gitIn(at('person'), 'add', '-A')
    gitIn(at('person'), 'commit', '-q', '-m', `term ${term}`)
    gitIn(at('person'), 'push', '-q', at('lore.git'), 'main')
  }
  const converge = async (): Promise<void> => equal((await postJson(daemon, '/sync', {})).status, 200)
  const misses = async (): Promise<number> =>
    Number(jsonField((await getJson(daemon, '/fleet/hosts/Erathia')).body, 'consecutiveMisses') ?? 0)
  const states = (): ReadonlyArray<string> => double.requests().map(({ state }) => state)

  before(async () => {
    folder = temporaryFolder()
    double = await forgeDouble({ repository: at('lore.git') })
    gitIn(folder.path, 'init', '-q', '-b', 'main', at('person'))
    writeFiles(at('person'), {
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': JSON.stringify({
        server: { sync_interval_min: 600, publish_mode: 'none' },
        fleet: { watch_interval_min: 0.01 },
        integrations: { forge: { api_url: double.apiUrl, project: double.project } },
      }),
      'encje/indeks.md': orrin,
    })
    push(1)
    cloneOf(at('lore.git'), at('host'))
    daemon = await startDaemon(['serve', '--repo', at('host'), '--town', 'Deyja'], {
      SVC_FORGE_TOKEN: double.token,
    })
  })
  after(async () => {
    await daemon.stop()
    await double.close()
    folder.dispose()
  })

  it('asks once for the version of the topology whose request a person closes', async () => {
    double.disturb({ on: 'open', do: 'veto' })
    await converge()
    await eventually(
      () => Promise.resolve(daemon.stderr()),
      text => text.includes('takeover_ended'),
    )
    const before = await misses()
    await eventually(misses, now => now >= before + 4)
    deepEqual(states(), ['closed'])
  })

  it('becomes the apex by one request, and takes writes', async () => {
    push(2)
    await converge()
    const health = async (): Promise<unknown> => jsonField((await getJson(daemon, '/health')).body, 'role')
    await eventually(health, role => role === 'primary')
    deepEqual(states(), ['closed', 'merged'])
    equal((await patchJson(daemon, '/entities/Orrin', { tag: 'status', value: 'Nieaktywny' })).status, 200)
  })
})
