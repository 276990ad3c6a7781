import type { CommitId, RepoPath } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { git } from '#src/adapters/git/git-command.js'
import { gitFleetBranch } from '#src/adapters/sync/remote/takeover-git.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { DeliveryStore, Intent, Intents, Meter, OwingWrite } from '#src/ports/records.js'
import type { Log, Records } from '../records/records.js'
import type { Checkout } from '../start/checkout.js'
import type { HostSync } from '../sync/sync.js'
import { isQuiet } from './chat.js'
import type { NodeDelivery } from './delivery.js'

/**
 * Queues the notices of writes whose commits the remote has (D51); without a remote, of those that the branch
 * here has. A host owes the notices of its own writes alone. A lost write whose commit is there is done, and its audit
 * lines are written. The notices of a write that was taken back here are deleted. `hasConverged`: this host has just
 * fetched and merged what the remote has. Calls that come while one is under way are one more. Never rejects.
 */
export type ReleaseNotices = (hasConverged: boolean) => Promise<void>

/** Where a commit counts as published. `isHere`: the branch of this host, which has no remote. */
export interface PublishedTip {
  readonly commit: CommitId | null
  readonly isHere: boolean
}

export interface ReleasePorts {
  readonly store: Pick<DeliveryStore, 'owing' | 'releaseNotices' | 'dropNotices'>
  readonly intents: Pick<Intents, 'settle'>
  /** Writes the audit lines that the stream is owed. */
  readonly payOwed: () => Promise<void>
  readonly tip: () => Promise<PublishedTip>
  readonly isIn: (tip: CommitId, write: OwingWrite) => Promise<boolean>
  /** Whether the branch here has the commit of a write and none of its lines any more: a later commit reversed it. */
  readonly isTakenBack: (write: OwingWrite) => Promise<boolean>
  /** Why this host sends no messages at all; null where it does. */
  readonly whyNever: string | null
  /** Has the sender look at the outbox. */
  readonly wake: () => void
  readonly meter: Pick<Meter, 'count'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly nowMs: () => number
}

export const openReleaseNotices = (ports: ReleasePorts): ReleaseNotices => {
  let running: Promise<void> | null = null
  let next: { hasConverged: boolean } | null = null
  const run = async (hasConverged: boolean): Promise<void> => {
    try {
      await releaseOwed(ports, hasConverged)
    } catch (error) {
      ports.log.warn('notices_not_released', {
        reason: error instanceof Error ? error.message : String(error),
      })
    }
  }
  const runAll = async (hasConverged: boolean): Promise<void> => {
    await run(hasConverged)
    for (let more = next; more !== null; more = next) {
      next = null
      await run(more.hasConverged)
    }
    running = null
  }
  return hasConverged => {
    if (running === null) running = runAll(hasConverged)
    else next = { hasConverged: hasConverged || next?.hasConverged === true }
    return running
  }
}

/** The release of this host, which knows the remote by its last fetch or push. */
export const nodeReleaseNotices = (
  { config, checkout, sync, meter, log, records }: ReleaseSources,
  { wake }: Pick<NodeDelivery, 'wake'>,
): ReleaseNotices => {
  const { repo, source, runtime } = checkout
  const branch = gitFleetBranch(repo, config['server.sync_remote'])
  const { publishMode, intervalMs } = sync.setup
  const headHere = async () => (await source.head()).commit
  const tipHere = async (): Promise<PublishedTip> => ({ commit: await headHere(), isHere: true })
  const linesAt = (at: CommitId, intent: string) =>
    findAddedLines(repo, at, runtime.intents.find(intent)?.paths ?? [])
  const has = (at: CommitId, commit: CommitId) => source.contains({ commit: at, id: at }, commit)
  return openReleaseNotices({
    store: runtime.deliveries,
    intents: runtime.intents,
    payOwed: records.payOwed,
    tip: async () => {
      if (publishMode === 'none' || intervalMs === 0) return tipHere()
      const tip = await branch.tip()
      if (tip._tag === 'Head') return tipHere()
      return { commit: tip._tag === 'Fetched' ? tip.commit : null, isHere: false }
    },
    isIn: (tip, { intent, commit, state }) =>
      publishMode === 'mr' && state === 'done'
        ? linesAt(tip, intent).then(lines => lines === 'All')
        : has(tip, commit),
    isTakenBack: async ({ intent, commit, state }) => {
      if (publishMode !== 'mr' || state !== 'done') return false
      const head = await headHere()
      return head !== null && (await linesAt(head, intent)) === 'Gone' && has(head, commit)
    },
    whyNever: isQuiet(config) ? 'integrations.chat.enabled is false, or the rate is 0' : null,
    wake,
    meter,
    log,
    nowMs: realClock.nowMs,
  })
}

interface ReleaseSources {
  readonly config: Config
  readonly checkout: Checkout
  readonly sync: Pick<HostSync, 'setup'>
  readonly meter: Meter
  readonly log: Log
  readonly records: Pick<Records, 'payOwed'>
}

/**
 * How long a commit that did not land here is looked for in the remote: a push whose process was killed may still
 * arrive.
 */
const lostMs = 3_600_000

const releaseOwed = async (ports: ReleasePorts, hasConverged: boolean): Promise<void> => {
  const { store, intents, isIn, payOwed, nowMs } = ports
  const writes = store.owing()
  if (writes.length === 0) return
  const { commit: tip, isHere } = await ports.tip()
  for (const write of writes) {
    const { intent, state, atMs } = write
    if (tip !== null && (await isIn(tip, write))) {
      if (state === 'lost') intents.settle([intent], 'done')
      releaseOne(ports, write)
    } else if (state === 'done' && (await ports.isTakenBack(write))) {
      const notices = store.dropNotices(intent)
      ports.log.info('notices_dropped', { commit: write.commit, notices, reason: 'the write was taken back' })
    } else if (state === 'lost' && (isHere || (hasConverged && nowMs() - atMs > lostMs))) {
      store.dropNotices(intent)
      intents.settle([intent], 'unmade')
    }
  }
  if (writes.some(({ state }) => state === 'lost')) await payOwed()
}

const releaseOne = (ports: ReleasePorts, { intent, commit }: OwingWrite): void => {
  const { store, whyNever, wake, meter, log, nowMs } = ports
  if (whyNever !== null) {
    const notices = store.dropNotices(intent)
    if (notices > 0) log.warn('notices_not_sent', { commit, notices, reason: whyNever })
    return
  }
  const { ended, queued, left } = store.releaseNotices(intent, nowMs())
  for (const { id, operation, entity, detail } of ended) {
    meter.count('svc_chat_deliveries_total', { operation, result: 'refused' })
    log.warn('chat_not_delivered', { id, operation, entity, status: 'refused', detail })
  }
  if (queued > 0) wake()
  if (queued > 0) log.info('notices_queued', { commit, notices: queued })
  if (left > 0) log.warn('notices_wait', { commit, notices: left, reason: 'the outbox is full' })
}

/**
 * Which of the lines that a write added to ledgers, files of one record a line, a commit has. A squash has the lines
 * and not the commit of the write; a reverse commit has the commit and not the lines.
 */
export const findAddedLines = async (
  repo: string,
  at: CommitId,
  paths: Intent['paths'],
): Promise<'All' | 'Some' | 'Gone' | 'NoneAdded'> => {
  let [there, gone] = [0, 0]
  for (const { path, old, new: made } of paths) {
    if (made === null || !isLedger(path)) continue
    const before = old === null ? new Set<string>() : await linesOf(repo, old)
    const now = await linesOf(repo, `${at}:${path}`)
    for (const line of await linesOf(repo, made)) {
      if (before.has(line)) continue
      if (now.has(line)) there += 1
      else gone += 1
    }
  }
  if (there === 0 && gone === 0) return 'NoneAdded'
  return gone === 0 ? 'All' : there === 0 ? 'Gone' : 'Some'
}

const isLedger = (path: RepoPath): boolean => path.endsWith('.jsonl')

/** The lines of a blob; none where there is no such blob. */
const linesOf = async (repo: string, blob: string): Promise<ReadonlySet<string>> => {
  const { code, stdout } = await git(['cat-file', 'blob', blob], { cwd: repo, limitMs: 30_000 })
  return new Set(code === 0 ? stdout.toString('utf8').split('\n') : [])
}
