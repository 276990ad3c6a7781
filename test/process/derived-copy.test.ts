import { deepEqual, equal } from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { keepArtifact } from '#src/adapters/state/derived-files.js'
import { makeStateArea } from '#src/adapters/state/state-area.js'
import { type Daemon, eventually, getJson, postJson, startDaemon } from '#test/support/daemon.js'
import { mentionsOf } from '#test/support/fleet/artifacts.js'
import { fleetText } from '#test/support/fleet/topologies.js'
import { findFreePort } from '#test/support/free-port.js'
import { clientOf } from '#test/support/http-client.js'
import { keysFile, publishedKeyOf, testHost } from '#test/support/identity/fleet.js'
import { jsonField } from '#test/support/json-field.js'
import { sampleSum } from '#test/support/metric-text.js'
import { cloneOf, gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'

const towns = ['Deyja', 'Avlee', 'Nighon'] as const
type TownName = (typeof towns)[number]

/** The apex Deyja has the artifact; Avlee copies it; Nighon has no key. Their remote is one bare repository. */
describe('derived artifacts over three daemons', () => {
  let folder: ReturnType<typeof temporaryFolder>
  const daemons = new Map<TownName, Daemon>()
  const keyed = testHost('Avlee')
  let first: string
  const at = (name: string): string => join(folder.path, name)
  const daemonOf = (town: TownName): Daemon => {
    const daemon = daemons.get(town)
    if (daemon === undefined) throw new Error(`${town} does not run`)
    return daemon
  }
  const push = (files: Readonly<Record<string, string>>): string => {
    writeFiles(at('person'), files)
    gitIn(at('person'), 'add', '-A')
    gitIn(at('person'), 'commit', '-q', '-m', 'files')
    gitIn(at('person'), 'push', '-q', at('lore.git'), 'main')
    return gitIn(at('person'), 'rev-parse', 'HEAD:logi').trim()
  }
  const clientFor = (town: TownName) => {
    const { ready, token } = daemonOf(town)
    return clientOf({ port: Number(new URL(ready.url).port), token, recorded: true })
  }
  const rowOf = async (town: TownName): Promise<ReadonlyArray<unknown>> => {
    const { body } = await getJson(daemonOf(town), '/derived')
    const items = jsonField(body, 'items')
    const row: unknown = Array.isArray(items) ? items[0] : null
    return [jsonField(row, 'status'), jsonField(row, 'stamp'), jsonField(body, 'archive')]
  }
  const sumOf = async (town: TownName, name: string, labels: Readonly<Record<string, string>>) =>
    sampleSum(await (await fetch(`${daemonOf(town).ready.ops}/metrics`)).text(), name, labels)
  /** How many lists the apex has answered. */
  const listsOfApex = (): Promise<number> =>
    sumOf('Deyja', 'svc_http_requests_total', { route: '/derived', code: '200' })

  before(async () => {
    folder = temporaryFolder()
    gitIn(folder.path, 'init', '-q', '--bare', '-b', 'main', at('lore.git'))
    gitIn(folder.path, 'init', '-q', '-b', 'main', at('person'))
    const ports: Array<number> = []
    for (const _ of towns) ports.push(await findFreePort())
    const urls = towns.map((town, nth) => [town, { url: `http://127.0.0.1:${ports[nth]}/v1/api` }] as const)
    first = push({
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': JSON.stringify({
        // No host makes an artifact, so that what the replica has is a copy.
        server: { sync_interval_min: 600, publish_mode: 'none', mention_index_interval_min: 0 },
        fleet: { watch_interval_min: 0.01 },
      }),
      '.svc/fleet.json': fleetText('Deyja', 1, towns, Object.fromEntries(urls)),
      '.svc/fleet-keys.json': keysFile({ epoch: 1, keys: [publishedKeyOf(keyed)] }),
      'logi/a.log': 'Brzoza\n',
    })
    for (const town of towns) cloneOf(at('lore.git'), at(town))
    makeStateArea(at('state-Deyja'))
    await keepArtifact(at('state-Deyja'), mentionsOf(first))
    const key = String(keyed.privateKey.export({ format: 'pem', type: 'pkcs8' }))
    const starts = towns.map(async (town, nth) => {
      const place = ['--repo', at(town), '--state', at(`state-${town}`)]
      const args = ['serve', ...place, '--town', town, '--port', String(ports[nth])]
      daemons.set(town, await startDaemon(args, town === 'Avlee' ? { SVC_FLEET_KEY: key } : {}))
    })
    const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    for (const town of towns) equal((await postJson(daemonOf(town), '/sync', {})).status, 200)
  })
  after(async () => {
    await Promise.all([...daemons.values()].map(daemon => daemon.stop()))
    folder.dispose()
  })

  it('are copied by the replica, which serves the same bytes with their stamp', async () => {
    deepEqual(
      await eventually(
        () => rowOf('Avlee'),
        ([status]) => status === 'fresh',
      ),
      ['fresh', first, first],
    )
    for (const town of ['Deyja', 'Avlee'] as const) {
      const reply = await clientFor(town).ask('/derived/mentions')
      equal(reply.status, 200)
      equal(reply.headers['x-svc-derived-stamp'], first)
      equal(reply.text, mentionsOf(first).bytes.toString('utf8'))
    }
  })

  it('are not copied for another archive', async () => {
    const second = push({ 'logi/a.log': 'Cis\n' })
    equal((await postJson(daemonOf('Avlee'), '/sync', {})).status, 200)
    await eventually(
      () => rowOf('Avlee'),
      ([, , archive]) => archive === second,
    )
    const before = await listsOfApex()
    await eventually(listsOfApex, now => now > before + 1)
    deepEqual(await rowOf('Deyja'), ['fresh', first, first])
    deepEqual(await rowOf('Avlee'), ['stale', first, second])
    equal((await clientFor('Avlee').ask('/derived/mentions')).status, 409)
  })

  it('are absent on a host without a key, which says so once', async () => {
    const probes = async (): Promise<number> => sumOf('Nighon', 'svc_fleet_probes_total', {})
    const told = (): number => daemonOf('Nighon').stderr().split('derived_without_token').length - 1
    await eventually(
      () => Promise.resolve(told()),
      times => times > 0,
    )
    const before = await probes()
    await eventually(probes, now => now > before + 2)
    equal(told(), 1)
    deepEqual(await rowOf('Nighon'), ['absent', null, first])
  })
})
