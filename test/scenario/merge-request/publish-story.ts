import { deepEqual, equal, ok } from 'node:assert/strict'
import { join } from 'node:path'
import type { SyncStatus } from '#protocol/host/sync.js'
import { fsckViolations } from '#test/attack/verdicts/repository.js'
import { patch } from '#test/kill-points/asks.js'
import { historyViolations } from '#test/kill-points/history.js'
import { openLedger, type WriteLedger } from '#test/kill-points/ledger.js'
import { names, smallWorld } from '#test/kill-points/lore.js'
import { type Cleanup, openCleanup } from '#test/scenario/world/cleanup.js'
import { printLog, type ScenarioHost, scenarioHost } from '#test/scenario/world/host.js'
import { forgeName, type Network } from '#test/scenario/world/network.js'
import { openProxyNetwork } from '#test/scenario/world/proxy-network.js'
import type { ScenarioCase } from '#test/scenario/world/run-cases.js'
import type { Story } from '#test/scenario/world/story.js'
import { eventually } from '#test/support/daemon.js'
import { type ForgeProcess, startForgeProcess } from '#test/support/forge/forge-process.js'
import { openPerson, type PersonClone } from '#test/support/person.js'
import { gitIn, temporaryFolder } from '#test/support/repository.js'

export const hostTown = 'Erathia'
export const publishBranch = `svc/publish/${hostTown}`

/** A built daemon in mode `mr`, and one process that is remote and forge. */
export interface RequestWorld {
  readonly story: Story
  readonly network: Network
  readonly forge: ForgeProcess
  readonly host: ScenarioHost
  readonly ledger: WriteLedger
  readonly bare: string
  /** A person who pushes to the followed branch. */
  readonly person: PersonClone
}

export interface RequestCase extends Omit<ScenarioCase, 'play'> {
  /** Flags of `npm run forge-double`. */
  readonly forgeFlags: ReadonlyArray<string>
  /** Files of the lore beside those of the small world. */
  readonly files?: Readonly<Record<string, string>>
  readonly play: (world: RequestWorld) => Promise<void>
}

const openWorld = async (
  story: Story,
  { forgeFlags, files = {} }: Pick<RequestCase, 'forgeFlags' | 'files'>,
  cleanup: Cleanup,
): Promise<RequestWorld> => {
  const folder = temporaryFolder()
  cleanup.add(folder.dispose)
  const bare = join(folder.path, 'lore.git')
  const network = await openProxyNetwork([hostTown])
  cleanup.add(network.close)
  const forge = await startForgeProcess(bare, {
    flags: forgeFlags,
    attach: running => {
      network.attach(forgeName, running)
      return running.port
    },
  })
  cleanup.add(forge.stop)
  const config = {
    server: { publish_mode: 'mr', sync_interval_min: 1, selfheal_interval_ms: 600_000 },
    integrations: {
      forge: { api_url: network.forgeUrl(new URL(forge.apiUrl).pathname), project: forge.project },
    },
  }
  const person = openPerson(bare, { ...smallWorld(), ...files, '.svc/config.json': JSON.stringify(config) })
  cleanup.add(person.dispose)
  const remoteUrl = network.remoteUrl(hostTown, new URL(forge.remote).pathname)
  const host = scenarioHost(
    { folder: folder.path, town: hostTown, bare, remoteUrl, network },
    { SVC_FORGE_TOKEN: forge.token },
  )
  cleanup.add(host.kill)
  await host.start()
  return { story, network, forge, host, ledger: openLedger(), bare, person }
}

/** Makes a case that is played in a world of its own. Where it fails, the log of the host is printed. */
export const requestCase = ({ forgeFlags, files, play, ...said }: RequestCase): ScenarioCase => ({
  ...said,
  play: async (story, print) => {
    const cleanup = openCleanup()
    try {
      const world = await openWorld(story, { forgeFlags, ...(files === undefined ? {} : { files }) }, cleanup)
      story.tell(hostTown, 'runs')
      story.countFromNow()
      try {
        await play(world)
      } catch (error) {
        printLog(world.host, print)
        throw error
      }
    } finally {
      await cleanup.run()
    }
  },
})

/** Writes to the n-th entity, which must be answered with 200. */
export const writeNth = async ({ host, ledger, story }: RequestWorld, nth: number): Promise<void> => {
  const client = host.client()
  if (client === null) throw new Error(`${hostTown} does not run`)
  const status = await patch(client, ledger, names[nth] ?? '')
  story.tell(hostTown, `answers a write with ${status}`)
  equal(status, 200)
}

const settleMs = 240_000

/** Waits until the sync of the host is so, without asking for a converge. */
export const awaitSync = (
  { host }: RequestWorld,
  holds: (status: SyncStatus) => boolean,
): Promise<SyncStatus> => eventually(host.sync, holds, settleMs)

/** Claims how the requests of the forge ended, in their order. */
export const claimStates = (
  { story, forge }: RequestWorld,
  states: ReadonlyArray<'opened' | 'closed' | 'merged'>,
): Promise<void> =>
  story.claim(`requests of the forge: ${states.join(', ')}`, async () => {
    deepEqual(
      (await forge.requests()).map(({ state }) => state),
      states,
    )
  })

/** Claims that the host has every acknowledged write once, and that only the forge and the person moved the branch. */
export const claimNothingLost = async ({ story, host, ledger, bare }: RequestWorld): Promise<void> => {
  await story.claim('every acknowledged write is in the history of the host once', () => {
    deepEqual(historyViolations(host.path, ledger), [])
    deepEqual(fsckViolations(bare), [])
  })
  await story.claim('only the forge and the person moved the branch', () => {
    const makers = gitIn(bare, 'log', '--first-parent', '--format=%cn', 'main').split('\n')
    ok(!makers.includes('Kronika'), makers.join(', '))
  })
}

/** Waits until everything is merged, and claims that the remote has the contents of the host and no empty merge. */
export const claimPublished = async (world: RequestWorld): Promise<void> => {
  const { story, host, bare } = world
  await story.claim('the remote has all contents of the host', async () => {
    await awaitSync(world, ({ unpublished, request }) => unpublished === 0 && request?.state !== 'opened')
    await eventually(
      () => Promise.resolve([host.path, bare].map(path => gitIn(path, 'rev-parse', 'main^{tree}'))),
      ([here, there]) => here === there,
      settleMs,
    )
  })
  await story.claim('each merge of a request changed something', () => {
    const merges = gitIn(bare, 'log', '--first-parent', '--committer=Forge', '--format=%H', 'main')
    for (const merge of merges.split('\n').filter(Boolean))
      ok(gitIn(bare, 'diff', '--name-only', `${merge}^1`, merge) !== '', `${merge} is empty`)
  })
  await claimNothingLost(world)
}

/** Lets the host converge several times, which must change nothing at the forge. */
export const claimQuiet = async (world: RequestWorld): Promise<void> => {
  const { story, host, forge } = world
  await story.claim('further converges open no request', async () => {
    const before = (await forge.requests()).length
    for (let round = 0; round < 3; round += 1)
      equal((await host.ask('/sync', { method: 'POST', body: '{}' })).status, 200)
    equal((await forge.requests()).length, before)
  })
}
