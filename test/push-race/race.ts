import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { SyncStatus } from '#protocol/host/sync.js'
import { fsckViolations } from '#test/attack/verdicts/repository.js'
import { historyViolations } from '#test/kill-points/history.js'
import { openLedger } from '#test/kill-points/ledger.js'
import { gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'
import { hostIn, type RaceHost } from './host.js'
import { sessionFiles, sessionViolations, sessionWrites } from './sessions.js'
import { headOf, settleLimitMs, waitUntilSettled } from './settle.js'
import { entityWrites, type RaceWrites, sharedName, writeUntil } from './writer.js'

export interface RaceOptions {
  readonly daemons: number
  readonly seconds: number
  /** Whether the hosts write sessions in place of entities. */
  readonly sessions: boolean
}

/** What came of a race; it is held when nothing is violated. */
export interface Race {
  readonly written: ReadonlyArray<RaceWrites>
  readonly asked: number
  readonly acked: number
  /** Commits of the remote's branch since the seed, and how many of them are merges. */
  readonly commits: number
  readonly merges: number
  /** From the last write until every host and the remote stood at one commit. */
  readonly settleMs: number
  readonly violations: ReadonlyArray<string>
}

const index = 'encje/indeks.md'

const block = (name: string): string => `### ${name}\n- @typ: NPC\n`

const config = {
  server: { publish_mode: 'push', sync_interval_min: 1, selfheal_interval_ms: 600_000 },
}

/** A bare repository with the world of the race. */
const seedHosts = (folder: string, names: ReadonlyArray<string>): string => {
  const [bare, seed] = [join(folder, 'bare.git'), join(folder, 'seed')]
  gitIn(folder, 'init', '-q', '--bare', '-b', 'main', bare)
  gitIn(folder, 'init', '-q', '-b', 'main', seed)
  writeFiles(seed, {
    '.svc/format.json': '{"format": 2}\n',
    '.svc/config.json': JSON.stringify(config),
    [index]: [sharedName, ...names].map(block).join('\n'),
    ...sessionFiles(names),
  })
  gitIn(seed, 'add', '-A')
  gitIn(seed, 'commit', '-q', '-m', 'seed')
  gitIn(seed, 'push', '-q', bare, 'main')
  return bare
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Half-way one host is killed and one is cut off; after three quarters both are back. */
const disturb = async (
  killed: RaceHost | undefined,
  cut: RaceHost | undefined,
  seconds: number,
): Promise<void> => {
  await pause(seconds * 500)
  cut?.cutOff()
  await killed?.kill()
  await pause(seconds * 250)
  cut?.reconnect()
  await killed?.start()
}

/** What is wrong with a host after a race: parked or unpublished commits, or a changed work tree. */
export const hostViolations = async (host: RaceHost): Promise<ReadonlyArray<string>> => {
  const status = SyncStatus.decode((await host.client()?.ask('/sync'))?.json)
  if (isLeft(status)) return [`${host.name} does not tell how it stands`]
  const { parked, unpublished, lastAction } = status.right
  const changed = gitIn(host.path, 'status', '--porcelain')
  return [
    ...parked.map(one => `${host.name} parked ${one.ref}`),
    ...(unpublished === 0
      ? []
      : [`${host.name} has ${unpublished} commits that are not published: ${lastAction}`]),
    ...(changed === '' ? [] : [`the work tree of ${host.name}: ${changed}`]),
  ]
}

/**
 * Hosts that write once a second into one index file and publish to one remote; half-way one is killed and one is cut
 * off. In the end the remote has every acknowledged write once, and nothing is parked.
 */
export const race = async ({ daemons, seconds, sessions }: RaceOptions): Promise<Race> => {
  const folder = temporaryFolder()
  const ledger = openLedger()
  const names = Array.from({ length: daemons }, (_, at) => `Kupiec-${'abcdefghijklmnop'[at] ?? at}`)
  const bare = seedHosts(folder.path, names)
  const seed = headOf(bare)
  const hosts = names.map(name => hostIn(folder.path, bare, name))
  try {
    for (const host of hosts) await host.start()
    const untilMs = Date.now() + seconds * 1000
    const [written] = await Promise.all([
      Promise.all(
        hosts.map((host, at) =>
          writeUntil(
            host,
            ledger,
            untilMs,
            sessions ? sessionWrites(host.name, at) : entityWrites(host.name),
          ),
        ),
      ),
      disturb(hosts[1], hosts[2], seconds),
    ])
    const endedMs = performance.now()
    const isOne = await waitUntilSettled(bare, hosts)
    const settleMs = performance.now() - endedMs
    const violations = [
      ...(isOne ? [] : [`the hosts do not stand at one commit after ${settleLimitMs} ms`]),
      ...historyViolations(bare, ledger),
      ...(sessions ? sessionViolations(bare) : []),
      ...(await Promise.all(hosts.map(hostViolations))).flat(),
      ...[bare, ...hosts.map(host => host.path)].flatMap(fsckViolations),
    ]
    const counted = (...args: ReadonlyArray<string>): number =>
      Number(gitIn(bare, 'rev-list', '--count', ...args, `${seed}..main`))
    return {
      written,
      asked: ledger.entries.length,
      acked: ledger.entries.filter(entry => entry.fate._tag === 'acked').length,
      commits: counted(),
      merges: counted('--merges'),
      settleMs,
      violations,
    }
  } finally {
    await Promise.all(hosts.map(host => host.kill()))
    folder.dispose()
  }
}
