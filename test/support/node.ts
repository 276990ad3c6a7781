import { equal, ok } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { Disk } from '#src/adapters/landing/disk.js'
import { machineToken } from '#src/adapters/state/state-area.js'
import { holdCheckout } from '#src/node/start/checkout.js'
import { openHostConfig } from '#src/node/start/host-trust.js'
import { type HeldTrees, holdTrees } from '#src/node/start/trees.js'
import type { TreePorts } from '#src/node/tree/actors.js'
import { closeTrees, loadPorts, readCommittedConfig } from '#src/node/tree/corpus.js'
import type { HostNode } from '#src/node/tree/node.js'
import { type OpenNode, openNode, type RunningTree, runNode, type Seams } from '#src/node/tree/open-node.js'
import { type FaultyKernel, type FaultyOptions, faultyKernel } from '#test/support/kernel/faulty-kernel.js'
import { readerThreads } from '#test/support/readers/reader-threads.js'
import { searchThreads, transcriptThreads } from '#test/support/search/search-threads.js'
import { tellCommits, tellState } from '#test/support/secrets/secret-places.js'
import { secrets } from '#test/support/secrets/secrets.js'
import { eventually, patienceMs } from './daemon.js'
import type { Host, HostWish } from './host.js'
import { askTarget, clientOf } from './http-client.js'
import { sampleSum } from './metric-text.js'
import { type Repository, repositoryOf } from './repository.js'

/** One record of the node's log. */
export interface LogRecord {
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>>
}

export interface NodeOptions extends FaultyOptions, HostWish {
  /** Replaces some of the real ports. */
  readonly amend?: (ports: TreePorts) => TreePorts
  /** Opens the test's own reader threads. */
  readonly openReader?: Seams['openReader']
  readonly openSearch?: Seams['openSearch']
  readonly openTranscripts?: Seams['openTranscripts']
  readonly enactor?: Seams['enactor']
  readonly runners?: Seams['runners']
  /** The name of the host in its fleet; default: none. */
  readonly town?: string
  /** The disk of the node's landings; default: the real disk. */
  readonly disk?: Disk
  /** Folders outside the lore in which its trees may lie. */
  readonly allowTree?: ReadonlyArray<string>
  /** Variables that the host reads its credentials from; default: those of this process. */
  readonly environment?: NodeJS.ProcessEnv
  /** How long the node's resources may take to disappear after its end. */
  readonly goneMs?: number
}

/** The whole node in this process: real kernel, real front on loopback, real git repository. */
export interface TestNode extends Host {
  readonly faults: FaultyKernel
  readonly host: HostNode
  readonly running: RunningTree
  readonly opsPort: number
  readonly records: ReadonlyArray<LogRecord>
  /** How often the root gave up. */
  readonly gaveUp: () => number
  /** Drains the node, then fails if it left an actor, a timer, a handle or a folder. */
  readonly stop: () => Promise<void>
}

export const orrin = '### Kupiec Orrin\n- @typ: NPC\n- @alias: Orrin\n'

export const nodeFiles = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': '{"server": {"selfheal_interval_ms": 100}}\n',
  'encje/indeks.md': orrin,
}

const countResources = (): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/** Kinds of handles with more handles than before. Pipes and terminals belong to the test runner. */
const listGrown = (before: ReadonlyMap<string, number>): ReadonlyArray<string> =>
  [...countResources()].filter(([kind, count]) => count > (before.get(kind) ?? 0)).map(([kind]) => kind)

interface Recorder {
  readonly records: ReadonlyArray<LogRecord>
  readonly write: (event: string, fields?: object) => void
}

const recorder = (): Recorder => {
  const records: Array<LogRecord> = []
  return { records, write: (event, fields = {}) => void records.push({ event, fields: { ...fields } }) }
}

const openHost = async (
  repository: Repository,
  faults: FaultyKernel,
  write: Recorder['write'],
  options: NodeOptions,
): Promise<OpenNode & { readonly held: HeldTrees }> => {
  const { openReader = readerThreads, openSearch = searchThreads, enactor } = options
  const { openTranscripts = transcriptThreads } = options
  const { runners = new Map(), town = '', allowTree = [], environment = process.env } = options
  const held = await holdCheckout(repository.path, undefined, 'test', options.disk)
  if (isLeft(held)) throw new Error(held.left.reason)
  const { source, state } = held.right
  const committed = await readCommittedConfig(source)
  const read = await openHostConfig({ repo: repository.path, state, allowTree, environment }, committed)
  if (isLeft(read)) throw new Error(read.left.reason)
  const { config, trees } = read.right
  const load = await loadPorts(source, { config, findings: [], trees })
  const furthers = await holdTrees(held.right, load, 'test')
  const seams: Seams = {
    openLog: () => ({ debug: write, info: write, warn: write, error: write, flush: () => undefined }),
    openKernel: faults.openKernel,
    openReader,
    openSearch,
    openTranscripts,
    ...(enactor === undefined ? {} : { enactor }),
    runners,
  }
  const asked = { repo: repository.path, port: 0, opsPort: 0, town }
  return { ...openNode(asked, held.right, read.right, seams, furthers.trees), held: furthers }
}

/** Starts a node and waits for its first snapshot. */
export const startNode = async (options: NodeOptions = {}): Promise<TestNode> => {
  // The test runner starts its own timer once the test has first yielded.
  await new Promise(resolve => setImmediate(resolve))
  const before = countResources()
  const repository = repositoryOf(options.files ?? nodeFiles)
  const faults = faultyKernel(options)
  const { records, write } = recorder()
  const { node: host, tree, held } = await openHost(repository, faults, write, options)
  const ports = held.load
  let gaveUp = 0
  const onGiveUp = (): void => {
    gaveUp += 1
  }
  const running = runNode({ node: host, tree }, ports, { onGiveUp, shutdown: () => undefined }, options.amend)
  equal(await running.tree.ready, true)
  await eventually(
    () => Promise.resolve(host.snapshot()),
    snapshot => snapshot !== null,
  )
  const front = running.listeners.current()
  if (front === null) throw new Error('nothing listens')
  const { apiPort, opsPort } = front
  const token = machineToken(host.checkout.state)
  secrets.plant('a machine token', token)
  return {
    repository,
    faults,
    host,
    running,
    client: clientOf({ port: apiPort, token, recorded: true }),
    opsPort,
    records,
    said: () => JSON.stringify(records),
    session: async gameId => {
      const minted = await host.tokens.mintLogin({ gameId, chatId: null }, Date.now())
      if (isLeft(minted)) throw new Error(minted.left.detail)
      return minted.right.token
    },
    gaveUp: () => gaveUp,
    metric: async (name, labels = {}) => sampleSum((await askTarget(opsPort, '/metrics')).text, name, labels),
    stop: async () => {
      secrets.told('metrics of a node', await host.metrics.text())
      host.refusals.end()
      const orphans = await running.tree.drain(patienceMs)
      await running.listeners.close()
      // A node that gave up drains nothing: its process ends, and its threads with it.
      if (gaveUp > 0) host.transcripts.ports.close()
      held.release()
      await closeTrees(ports)
      await host.checkout.release()
      secrets.told('the log of a node', JSON.stringify(records))
      tellState(secrets, host.checkout.state)
      tellCommits(secrets, repository.path)
      repository.dispose()
      await checkUnchanged(faults, before, options.goneMs ?? patienceMs)
      ok(!existsSync(repository.path), 'the folder of the test is left')
      equal(JSON.stringify(orphans), '[]', 'the drain left work over')
    },
  }
}

/**
 * Sets the branch, the index and the work tree back to a commit, without the files that git does not know, and loads
 * it: what a test wrote to a shared node is gone for the next one.
 */
export const restoreCommit = async ({ repository, host }: TestNode, commit: string): Promise<void> => {
  repository.git('reset', '-q', '--hard', commit)
  repository.git('clean', '-qfd')
  await host.look()
}

const checkUnchanged = async (
  faults: FaultyKernel,
  before: ReadonlyMap<string, number>,
  goneMs: number,
): Promise<void> => {
  const alive = faults
    .kernel()
    .readings()
    .filter(reading => reading.state !== 'stopped')
  equal(alive.map(reading => reading.actor).join(), '', 'actors are left')
  await eventually(
    () => Promise.resolve(listGrown(before)),
    left => left.length === 0,
    goneMs,
  )
}
