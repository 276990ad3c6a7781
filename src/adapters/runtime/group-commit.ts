import type { KernelClock } from '#src/kernel/time/clock.js'
import type { GroupCommit } from '#src/ports/records.js'
import type { Sqlite } from './sqlite.js'

/** Opens the group commit of a database, whose groups gather as long as `gather` decides. */
export const openGroupCommit = (database: Pick<Sqlite, 'transaction'>, gather: GatherWrites): GroupCommit => {
  let waiting: Array<WaitingWrite> = []
  const flush = (): void => {
    const group = waiting
    waiting = []
    commitGroup(database, group)
  }
  return write =>
    awaitWrite(write, one => {
      waiting.push(one)
      if (waiting.length === 1) gather(flush)
    })
}

/** Calls its argument once, later: when the writes that gathered meanwhile are to be committed. */
export type GatherWrites = (commit: () => void) => void

/** To the end of the turn of the loop, when the requests that came in it have been read. */
export const gatherInTurn: GatherWrites = commit => void setImmediate(commit)

/**
 * To the end of the turn, and under load at least 2 ms behind the last transaction. Writes that come every millisecond
 * then share transactions, each of which blocks the loop while it waits for the disk. A write that comes alone does
 * not wait.
 */
export const gatherAtIntervals = (clock: Pick<KernelClock, 'monotonicMs' | 'after'>): GatherWrites => {
  let restsUntilMs = Number.NEGATIVE_INFINITY
  return commit => {
    const commitAndRest = (): void => {
      commit()
      restsUntilMs = clock.monotonicMs() + restMs
    }
    const leftMs = restsUntilMs - clock.monotonicMs()
    if (leftMs > 0) clock.after(leftMs, commitAndRest)
    else gatherInTurn(commitAndRest)
  }
}

interface WaitingWrite {
  readonly run: () => void
  readonly succeed: () => void
  readonly fail: (error: unknown) => void
}

const awaitWrite = <A>(write: () => A, enter: (waiting: WaitingWrite) => void): Promise<A> =>
  new Promise((resolve, reject) => {
    let made: { readonly value: A } | null = null
    enter({
      run: () => {
        made = { value: write() }
      },
      succeed: () => {
        if (made !== null) resolve(made.value)
      },
      fail: reject,
    })
  })

/**
 * Commits the writes of a group in one transaction. Where it fails, each write has a transaction of its own, so that a
 * write which throws fails no other.
 */
const commitGroup = (database: Pick<Sqlite, 'transaction'>, group: ReadonlyArray<WaitingWrite>): void => {
  try {
    database.transaction(() => {
      for (const { run } of group) run()
    })
  } catch (error) {
    if (group.length > 1) for (const one of group) commitGroup(database, [one])
    else for (const { fail } of group) fail(error)
    return
  }
  for (const { succeed } of group) succeed()
}

/** The rest between two transactions, in which writes gather. */
const restMs = 2
