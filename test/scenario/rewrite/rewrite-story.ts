import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fsckViolations } from '#test/attack/verdicts/repository.js'
import { patch } from '#test/kill-points/asks.js'
import { openLedger, type WriteLedger } from '#test/kill-points/ledger.js'
import { names, smallWorld } from '#test/kill-points/lore.js'
import { openCleanup } from '#test/scenario/world/cleanup.js'
import { printLog, type ScenarioHost, scenarioHost } from '#test/scenario/world/host.js'
import { forgeName, type Network } from '#test/scenario/world/network.js'
import { openProxyNetwork } from '#test/scenario/world/proxy-network.js'
import type { ScenarioCase } from '#test/scenario/world/run-cases.js'
import type { Story } from '#test/scenario/world/story.js'
import { eventually, runCommand } from '#test/support/daemon.js'
import { startForgeProcess } from '#test/support/forge/forge-process.js'
import { openPerson, type PersonClone } from '#test/support/person.js'
import { gitIn, temporaryFolder, testGitEnvironment } from '#test/support/repository.js'

const towns = ['Erathia', 'Bracada', 'Deyja'] as const
export const secretPath = 'tajne.md'
const secretText = 'Hasło bota: mellon\n'

/** Three built daemons that write and push to one remote, outside a fleet, so that each takes writes. */
export interface RewriteWorld {
  readonly story: Story
  readonly network: Network
  readonly hosts: ReadonlyArray<ScenarioHost>
  readonly ledger: WriteLedger
  readonly bare: string
  readonly folder: string
  readonly person: PersonClone
  /** Blob and commit of the secret. */
  readonly secret: { readonly blob: string; readonly commit: string }
}

/** Makes a case in a world of its own, whose hosts all have the secret. Where it fails, their logs are printed. */
export const rewriteCase = ({
  play,
  ...said
}: Omit<ScenarioCase, 'play'> & { readonly play: (world: RewriteWorld) => Promise<void> }): ScenarioCase => ({
  ...said,
  play: async (story, print) => {
    const cleanup = openCleanup()
    try {
      const { path: folder, dispose } = temporaryFolder()
      cleanup.add(dispose)
      const bare = join(folder, 'lore.git')
      const network = await openProxyNetwork(towns)
      cleanup.add(network.close)
      const forge = await startForgeProcess(bare, {
        flags: [],
        attach: running => {
          network.attach(forgeName, running)
          return running.port
        },
      })
      cleanup.add(forge.stop)
      const person = openPerson(bare, smallWorld({ publish_mode: 'push', sync_interval_min: 1 }))
      cleanup.add(person.dispose)
      const commit = person.publish({ [secretPath]: secretText })
      const secret = { commit, blob: gitIn(bare, 'rev-parse', `${commit}:${secretPath}`) }
      const remotePath = new URL(forge.remote).pathname
      const hosts = towns.map(town => {
        const remoteUrl = network.remoteUrl(town, remotePath)
        return scenarioHost({ folder, town, bare, remoteUrl, network }, {})
      })
      for (const host of hosts) cleanup.add(host.kill)
      for (const host of hosts) await host.start()
      story.tell('hosts', 'run, and have the secret')
      story.countFromNow()
      try {
        await play({ story, network, hosts, ledger: openLedger(), bare, folder, person, secret })
      } catch (error) {
        for (const host of hosts) printLog(host, print)
        throw error
      }
    } finally {
      await cleanup.run()
    }
  },
})

/** Writes to the n-th entity of a host, which must be answered with 200. */
export const writeNth = async (
  { ledger, story }: RewriteWorld,
  host: ScenarioHost,
  nth: number,
): Promise<void> => {
  const client = host.client()
  if (client === null) throw new Error(`${host.town} does not run`)
  equal(await patch(client, ledger, names[nth % names.length] ?? ''), 200)
  story.tell(host.town, 'answers a write with 200')
}

/** Cuts each host from the remote, and lets each take writes, of which one changes what the others change. */
export const writeApart = async (world: RewriteWorld): Promise<void> => {
  for (const { town } of world.hosts) world.network.cut(town, forgeName)
  for (const [at, host] of world.hosts.entries())
    for (const nth of [0, at + 1, at + 4]) await writeNth(world, host, nth)
}

/** A person rewrites the branch of the remote without the secret, with the messages of the commits, and forces it. */
export const purge = ({ story, bare, folder }: RewriteWorld): string => {
  const clone = join(folder, `purge-${Date.now()}`)
  gitIn(folder, 'clone', '-q', bare, clone)
  const filter = `git rm -q --cached --ignore-unmatch ${secretPath}`
  const env = { ...testGitEnvironment, FILTER_BRANCH_SQUELCH_WARNING: '1' }
  const args = [
    '-c',
    'user.name=Op',
    '-c',
    'user.email=op@example.org',
    'filter-branch',
    '--index-filter',
    filter,
    'main',
  ]
  const { status, stderr } = spawnSync('git', args, { cwd: clone, env, encoding: 'utf8' })
  equal(status, 0, stderr)
  // The double of the remote takes no forced push.
  gitIn(bare, 'fetch', '-q', clone, '+main:main')
  story.tell('a person', 'purges the secret and pushes by force')
  return gitIn(clone, 'rev-parse', 'main')
}

const restoreLinks = ({ hosts, network }: RewriteWorld): void => {
  for (const { town } of hosts) network.restore(town, forgeName)
}

/** Lets every host meet the rewritten remote. */
export const claimBlocked = async (world: RewriteWorld, tip: string): Promise<void> => {
  const { story, hosts, bare } = world
  restoreLinks(world)
  await story.claim(
    'every host finds out by itself, merges nothing, and goes on with reads and writes',
    async () => {
      for (const [at, host] of hosts.entries()) {
        const { blocked } = await eventually(
          host.sync,
          ({ lastAction }) => lastAction === 'history_rewritten',
          settleMs,
        )
        ok(blocked.some(({ code }) => code === 'history_rewritten'))
        equal((await host.ask('/entities')).status, 200)
        await writeNth(world, host, at + 8)
      }
    },
  )
  await story.claim('the remote is as the person left it', () => equal(gitIn(bare, 'rev-parse', 'main'), tip))
}

/** The one command of the operator of a host. */
export const accept = async ({ story }: RewriteWorld, host: ScenarioHost): Promise<void> => {
  const { code, stdout, stderr } = await runCommand(['accept-rewrite', '--repo', host.path, '--yes'])
  equal(code, 0, stdout + stderr)
  story.tell(host.town, 'kronika accept-rewrite --yes')
}

const settleMs = 240_000

/** Waits until all hosts and the remote have the same, and claims what must hold then. */
export const claimClean = async (world: RewriteWorld): Promise<void> => {
  const { story, hosts, bare, ledger, secret } = world
  await story.claim('all hosts and the remote have one history', async () => {
    await eventually(
      async () => {
        for (const host of hosts) equal((await host.ask('/sync', { method: 'POST', body: '{}' })).status, 200)
        return new Set([gitIn(bare, 'rev-parse', 'main'), ...hosts.map(host => host.head())]).size
      },
      count => count === 1,
      settleMs,
    )
  })
  await story.claim('the secret is nowhere in the history of the remote', () => {
    const objects = gitIn(bare, 'rev-list', '--objects', 'main')
    deepEqual([objects.includes(secret.blob), objects.includes(secret.commit)], [false, false])
    deepEqual(fsckViolations(bare), [])
  })
  const acked = ledger.entries.filter(({ fate }) => fate._tag === 'acked')
  await story.claim(
    `each of ${acked.length} acknowledged writes is in the remote once, with its trailer once`,
    () => {
      const lore = gitIn(bare, 'grep', '-h', '-o', '-E', 'wpis-[0-9]{5}', 'main').split('\n')
      deepEqual(lore.toSorted(), acked.map(({ text }) => text).toSorted())
      const intents = gitIn(
        bare,
        'log',
        '--format=%(trailers:key=Svc-Intent,valueonly,separator=%x20)',
        'main',
      )
      const ids = intents.split('\n').filter(Boolean)
      deepEqual([ids.length, new Set(ids).size], [acked.length, acked.length])
    },
  )
}

/** Claims that each host still has the acknowledged commits, and answers for them. */
export const claimOldIds = async ({ story, hosts, ledger }: RewriteWorld): Promise<void> => {
  await story.claim('every acknowledged commit is kept by a host, which answers for its id', async () => {
    for (const { text, fate } of ledger.entries) {
      if (fate._tag !== 'acked') continue
      const keepers = hosts.filter(({ path }) => {
        const refs = gitIn(
          path,
          'for-each-ref',
          '--format=%(objectname)',
          'refs/heads',
          'refs/svc/parked',
        ).split('\n')
        return gitIn(path, 'rev-list', ...refs).includes(fate.commit)
      })
      ok(keepers.length > 0, `${text} is kept by nobody`)
      for (const host of keepers) {
        const reply = await host.ask('/entities', { headers: { 'x-svc-min-commit': fate.commit } })
        equal(reply.status, 200, `${host.town}: ${reply.text.slice(0, 200)}`)
      }
    }
  })
}
