import * as t from 'io-ts'
import {
  type DispatchAttempt,
  DispatchKind,
  type DispatchOutcome,
  dispatchKinds,
} from '#protocol/chat/dispatch.js'
import { answerLifeMs, dispatchGiveUpMs, dispatchLifeMs } from '#src/domain/dispatch/check-dispatch.js'
import type { DispatchCounts } from '#src/ports/records.js'
import type { Trace } from '#test/simulation/node/trace.js'
import type { Life } from '#test/simulation/node/weather.js'
import type { WorkerHost } from '../chat-host.js'
import type { KeyedBranch } from '../model/keyed-branch.js'

const number = t.union([t.number, t.null])
const text = t.union([t.string, t.null])
const Row = t.type({
  id: t.string,
  kind: DispatchKind,
  state: t.string,
  accepted_ms: t.number,
  ended_ms: number,
  answer: text,
  sealed_reply: text,
  reason: text,
})
type Row = t.TypeOf<typeof Row>
const CountRow = t.type({
  kind: DispatchKind,
  accepted: t.number,
  enacted: t.number,
  failed: t.number,
  refused: t.number,
})

/** How long a process that has started, or whose disk takes writes again, may need for what has come to its end. */
const settleMs = 75_000

const rowsOf = ({ disk }: WorkerHost): ReadonlyArray<Row> =>
  disk.prepare('SELECT * FROM dispatches').all().filter(Row.is)

const countsOf = ({ disk }: WorkerHost): ReadonlyMap<DispatchKind, DispatchCounts> =>
  new Map(
    disk
      .prepare('SELECT * FROM dispatch_counts')
      .all()
      .filter(CountRow.is)
      .map(row => [row.kind, row]),
  )

const fields = ['accepted', 'enacted', 'failed', 'refused'] as const
const noCounts: DispatchCounts = { accepted: 0, enacted: 0, failed: 0, refused: 0 }

/** Holds S24 against the counts of a host: none falls, and what was accepted has ended or waits. */
const openCountCheck = ({ violation }: Trace) => {
  const before = new Map<string, DispatchCounts>()
  const lookAtKind = (host: WorkerHost, kind: DispatchKind, now: DispatchCounts, waiting: number): void => {
    const key = `${host.name} ${kind}`
    const last = before.get(key) ?? noCounts
    before.set(key, now)
    for (const field of fields)
      if (now[field] < last[field])
        violation(`${key}: ${field} falls from ${last[field]} to ${now[field]} (S24)`)
    const { accepted, enacted, failed, refused } = now
    if (accepted !== enacted + failed + refused + waiting)
      violation(
        `${key}: accepted ${accepted}, ${enacted} + ${failed} + ${refused} ended, ${waiting} wait (S24)`,
      )
  }
  return (host: WorkerHost, rows: ReadonlyArray<Row>, acceptedCount: number): void => {
    const counts = countsOf(host)
    const shown = host.running?.desk.counts()
    for (const kind of dispatchKinds) {
      const waiting = rows.filter(row => row.kind === kind && row.ended_ms === null).length
      const stored = counts.get(kind) ?? noCounts
      lookAtKind(host, kind, stored, waiting)
      if (shown !== undefined && fields.some(field => shown[kind][field] !== stored[field]))
        violation(`${host.name} shows other counts of ${kind} than its disk has (S24)`)
    }
    const accepted = [...counts.values()].reduce((sum, one) => sum + one.accepted, 0)
    if (accepted !== acceptedCount)
      violation(`${host.name} accepted ${acceptedCount} interactions and counts ${accepted} (S24)`)
  }
}

export interface QueueCheckParts {
  readonly trace: Trace
  readonly branch: KeyedBranch
  readonly nowMs: () => number
  readonly attemptsMax: number
}

/** Holds S23, S24, S34 and L4 against the queues of the hosts. */
export const openQueueCheck = ({ trace, branch, nowMs, attemptsMax }: QueueCheckParts) => {
  const { violation, mark } = trace
  const lookAtCounts = openCountCheck(trace)
  /** The life of a host in which an interaction was last attempted, and how many attempts counted. */
  const attempted = new Map<
    string,
    { readonly life: number; readonly counted: number; readonly isOpen: boolean }
  >()
  const lookAtEnd = (host: WorkerHost, { id, kind, state, answer, sealed_reply: sealed }: Row): void => {
    if (answer === null && sealed !== null)
      violation(`${host.name} keeps where the answer to ${id} goes, and owes none (S34)`)
    if (kind !== 'query' && state === 'enacted' && branch.makerOf(id) === undefined)
      violation(`${host.name} enacted ${id} and the branch has no effect of it (S23)`)
  }
  const lookAtLife = (host: WorkerHost, row: Row, soundMs: number): void => {
    const endMs = Math.max(row.accepted_ms + dispatchLifeMs, soundMs + settleMs)
    if ((row.ended_ms ?? nowMs()) > endMs)
      violation(`${row.id} is ${row.state} at ${host.name} behind its life (L4)`)
    if (row.ended_ms === null || row.sealed_reply === null) return
    // An answer that is given up at the end of its life is looked at when its last pause is over.
    if (nowMs() > Math.max(row.accepted_ms + answerLifeMs, soundMs) + settleMs)
      violation(`${host.name} keeps the token of ${row.id} (S34)`)
  }
  return {
    onAttempt: (host: WorkerHost, life: Life, { id }: DispatchAttempt): void => {
      const key = `${host.name} ${id}`
      const last = attempted.get(key) ?? { life: life.number, counted: 0, isOpen: false }
      if (last.isOpen && last.life !== life.number) mark('an attempt followed a crash')
      if (last.counted >= attemptsMax)
        violation(`${host.name} attempts ${id} more than ${attemptsMax} times (S23)`)
      attempted.set(key, { life: life.number, counted: last.counted + 1, isOpen: true })
    },
    onOutcome: (host: WorkerHost, { id }: DispatchAttempt, { _tag }: DispatchOutcome): void => {
      const key = `${host.name} ${id}`
      const last = attempted.get(key)
      if (last === undefined) return
      if (_tag === 'Held') mark('the gate held an interaction')
      attempted.set(key, { ...last, counted: last.counted - (_tag === 'Held' ? 1 : 0), isOpen: false })
    },
    /** Looks at the disk of a host; `origin`: the time of the world that is 0 on the clock of the hosts. */
    look: (host: WorkerHost, originMs: number, acceptedCount: number): void => {
      const rows = rowsOf(host)
      lookAtCounts(host, rows, acceptedCount)
      for (const row of rows) {
        if (row.ended_ms !== null) lookAtEnd(host, row)
        if (
          row.reason === 'the queue did not reach it in time' ||
          (row.ended_ms ?? 0) - row.accepted_ms >= dispatchGiveUpMs
        )
          mark('an interaction ran out of its 14 minutes')
        if (row.state === 'failed' && (row.ended_ms ?? 0) - row.accepted_ms < dispatchGiveUpMs)
          mark('an interaction failed after all its attempts')
        lookAtLife(host, row, originMs + host.soundSinceMs)
      }
    },
    /** Everything has come to its end: nothing waits, and no token is left. */
    atRest: (host: WorkerHost): void => {
      for (const { id, state, ended_ms: endedMs, sealed_reply: sealed } of rowsOf(host)) {
        if (endedMs === null) violation(`${id} is still ${state} at ${host.name} (L4)`)
        if (sealed !== null) violation(`${host.name} still has the token of ${id} (S34)`)
      }
    },
    /** Where a process ended during an attempt. */
    onCrash: (host: WorkerHost): void => {
      for (const [key, { isOpen }] of attempted)
        if (isOpen && key.startsWith(`${host.name} `)) mark('a crash interrupted an attempt')
    },
  }
}
