import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { FetchSummary } from '#protocol/transcripts/log-writes.js'
import { nameOfAddress } from '#src/domain/transcripts/archive.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { LogFetching } from '#src/ports/log-fetching.js'
import type { Publish, TellProgress } from '#src/ports/records.js'
import type { LogFailures } from '#src/ports/transcripts.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Command, TaskOf, WritePort } from '#src/writing/command.js'
import { addSummaries, citedAddresses, type TakenLogs, untaken } from '#src/writing/logs.js'
import type { HostNode } from '../tree/node.js'
import { logAttemptsOf, logFetchingOf } from './log-fetching.js'

/** What a mass fetch needs of the host. */
export interface MassFetchPorts {
  readonly logs: Pick<LogFetching, 'take'>
  readonly failures: LogFailures
  readonly write: WritePort
  readonly snapshot: () => Snapshot | null
  readonly publish: Publish
  readonly nowMs: () => number
  readonly monotonicMs: () => number
}

/** The most transcripts in a commit, the most bytes, and the longest that one waits for its commit. */
const batchLogsMax = 50
const batchBytesMax = 8 * 1024 * 1024
const batchMs = 10_000
/** Requests that wait for their turn in the fetcher; it sends two at a time of a host. */
const askedMax = 8
/** The shortest time between two progress events. */
const reportMs = 500

type TakenOne = TakenLogs['logs'][number]

/**
 * Fetches the transcripts that the archive lacks, or those of a list, and archives them in commits of at most 50. A
 * closed gate, or a signal that aborts, ends it with what has landed. Left: nothing has landed, and why.
 */
export const massFetch = async (
  ports: MassFetchPorts,
  { addresses, isAgain, ...origin }: Omit<TaskOf<'FetchLogs'>, '_tag'>,
  progress: TellProgress,
  signal: AbortSignal,
): Promise<Either<Refusal, FetchSummary>> => {
  const snapshot = ports.snapshot()
  if (snapshot === null)
    return left(refuse('Starting', 'The host is still reading the lore. Try again in a second.'))
  const attempts = ports.failures.all(ports.nowMs())
  const wanted = [...new Set(addresses ?? citedAddresses(snapshot))]
  const judged = wanted.map(address => ({
    address,
    outcome: isAgain ? null : untaken(snapshot, attempts, address),
  }))
  const report = reporter(ports, progress, wanted.length)
  const batches = openBatches(ports, origin)
  for (const { address, outcome } of judged) if (outcome !== null) await batches.add({ address, outcome })
  const queue = judged.flatMap(({ address, outcome }) => (outcome === null ? [address] : []))
  report(wanted.length - queue.length, false)
  const work = async (): Promise<void> => {
    while (!signal.aborted && batches.closed() === null) {
      const address = queue.shift()
      if (address === undefined) return
      await batches.add({ address, outcome: await takeOne(ports, address) })
      report(batches.done(), false)
    }
  }
  await Promise.all(Array.from({ length: askedMax }, work))
  await batches.flush()
  report(batches.done(), true)
  const closed = batches.closed()
  const { landed } = batches
  return closed !== null && landed().Fetched === 0
    ? left(closed)
    : right({ ...landed(), Total: wanted.length })
}

/** The mass fetch of this host. */
export const massFetchOf =
  (node: HostNode, write: WritePort): FetchLogs =>
  (task, progress, signal) =>
    massFetch(
      {
        logs: logFetchingOf(node),
        failures: logAttemptsOf(node),
        write,
        snapshot: node.snapshot,
        publish: node.records.publish,
        nowMs: realClock.nowMs,
        monotonicMs: realClock.monotonicMs,
      },
      task,
      progress,
      signal,
    )

/** Carries out the task of a mass fetch. */
export type FetchLogs = (
  task: Omit<TaskOf<'FetchLogs'>, '_tag'>,
  progress: TellProgress,
  signal: AbortSignal,
) => Promise<Either<Refusal, FetchSummary>>

const takeOne = async ({ logs, snapshot }: MassFetchPorts, address: string): Promise<TakenOne['outcome']> => {
  const now = snapshot()
  if (now === null) return { _tag: 'Failed', reason: 'not_sent', status: null }
  const name = nameOfAddress(now.sessions, address)
  const request = { address, name, headers: null, archived: now.archive.get(name) ?? null }
  const taken = await logs.take(request, true)
  return isLeft(taken) ? { _tag: 'Failed', reason: 'not_sent', status: null } : taken.right
}

interface Batches {
  readonly add: (one: TakenOne) => Promise<void>
  readonly flush: () => Promise<void>
  /** Transcripts that came to an end. */
  readonly done: () => number
  readonly landed: () => FetchSummary
  /** Why the gate took no more; null while it does. */
  readonly closed: () => Refusal | null
}

const nothing: FetchSummary = {
  Total: 0,
  Fetched: 0,
  Unchanged: 0,
  Archived: 0,
  Failed: 0,
  Skipped: 0,
  FailedUrls: [],
}

const bytesOf = ({ outcome }: TakenOne): number => (outcome._tag === 'Text' ? outcome.text.length : 0)

/** Gathers what was taken, and writes it when there is enough, or when the first of it has waited long enough. */
const openBatches = (
  { write, monotonicMs }: MassFetchPorts,
  origin: Omit<TaskOf<'FetchLogs'>, '_tag' | 'addresses' | 'isAgain'>,
): Batches => {
  let [batch, done, sinceMs]: [Array<TakenOne>, number, number | null] = [[], 0, null]
  let landed = nothing
  let closed: Refusal | null = null
  let writing: Promise<void> = Promise.resolve()
  const land = async (logs: ReadonlyArray<TakenOne>): Promise<void> => {
    if (closed !== null || logs.length === 0) return
    const written = await write(commandOf(origin, { header: null, logs }))
    if (isLeft(written)) closed = written.left
    else if (FetchSummary.is(written.right.body)) landed = addSummaries(landed, written.right.body)
  }
  const flush = (): Promise<void> => {
    const logs = batch
    batch = []
    sinceMs = null
    writing = writing.then(() => land(logs))
    return writing
  }
  const isDue = (): boolean =>
    batch.filter(one => bytesOf(one) > 0).length >= batchLogsMax ||
    batch.reduce((sum, one) => sum + bytesOf(one), 0) >= batchBytesMax ||
    (sinceMs !== null && monotonicMs() - sinceMs >= batchMs)
  return {
    add: async one => {
      batch.push(one)
      done += 1
      if (bytesOf(one) > 0) sinceMs ??= monotonicMs()
      if (isDue()) await flush()
    },
    flush,
    done: () => done,
    landed: () => landed,
    closed: () => closed,
  }
}

const commandOf = (
  { origin, claimed }: Omit<TaskOf<'FetchLogs'>, '_tag' | 'addresses' | 'isAgain'>,
  prepared: TakenLogs,
): Command => ({
  ...origin,
  ...claimed,
  row: 'logs.fetch',
  path: {},
  query: {},
  body: {},
  prepared,
  dryRun: false,
  wants: null,
})

const reporter = ({ publish, monotonicMs }: MassFetchPorts, progress: TellProgress, total: number) => {
  let lastMs = Number.NEGATIVE_INFINITY
  return (done: number, isEnd: boolean): void => {
    const atMs = monotonicMs()
    if (!isEnd && atMs - lastMs < reportMs) return
    lastMs = atMs
    publish('logfetch:progress', { done, total, detail: isEnd ? 'done' : 'fetch' })
    progress({ done, total, detail: isEnd ? 'done' : 'fetch' })
  }
}
