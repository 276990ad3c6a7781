import { isLeft } from 'fp-ts/lib/Either.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import type { Question } from '#src/snapshot/readers/question.js'
import type { FromThread } from '#src/snapshot/readers/thread-messages.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { compressBytesHere, isWorthGzip } from '../listener/outgoing.js'
import type { Served } from '../routing/matcher.js'
import { boundWork, type RunWork, WorkStopped } from '../routing/read-admission.js'
import { encodeBoundedAnswer } from './answer-bytes.js'

/** Answers a question with the row's handler. A throw of the handler becomes an answer too. */
export const answerQuestion = async (
  served: ReadonlyMap<string, Served>,
  snapshot: Snapshot,
  id: number,
  question: Question,
  node: unknown = null,
): Promise<ThreadAnswer> => {
  const { path, query, caller, nowMs } = question
  try {
    const row = served.get(question.rowId)
    if (row === undefined) throw new Error(`no row ${question.rowId}`)
    const bound = boundWork(row.row, () => true)
    const run: RunWork = work => runDaemonWork(bound(work))
    const result = await row.handler({
      path,
      query,
      caller,
      nowMs,
      body: null,
      snapshot,
      node,
      gate: noGate,
      claimed: () => ({ row: '', asker: { _tag: 'Nobody' }, grade: 'none' }),
      isCallerThere: () => true,
      run,
      network: () => '',
      person: () => null,
      dryRun: false,
    })
    if (isLeft(result)) return { _tag: 'Refused', id, refusal: result.left }
    if ('elsewhere' in result.right) return { _tag: 'Home', id }
    if (!('body' in result.right)) throw new Error(`${question.rowId} gives no answer on a reader thread`)
    const status = result.right.status ?? row.ordinaryStatus
    const bounded = await encodeBoundedAnswer(run, row, status, result.right)
    if (isLeft(bounded)) return { _tag: 'Refused', id, refusal: bounded.left }
    const bytes = bounded.right
    const packed = question.gzip && isWorthGzip(bytes)
    const { generation, commit, inputs, day } = snapshot
    return {
      _tag: 'Answered',
      id,
      status,
      bytes: ownBytes(packed ? compressBytesHere(bytes) : bytes),
      packed,
      headers: result.right.headers ?? {},
      isPassing: result.right.isPassing === true,
      from: { generation, commit, inputs, day },
    }
  } catch (error) {
    if (error instanceof WorkStopped && error.refusal !== null)
      return { _tag: 'Refused', id, refusal: error.refusal }
    const [message, stack] =
      error instanceof Error ? [error.message, error.stack ?? null] : [String(error), null]
    return { _tag: 'Threw', id, message, stack }
  }
}

/**
 * Copies rendered bytes into a buffer that can be transferred: the code that rendered them may cache them.
 */
const ownBytes = (bytes: Buffer): ArrayBuffer => {
  const own = new ArrayBuffer(bytes.length)
  new Uint8Array(own).set(bytes)
  return own
}

type ThreadAnswer = Exclude<FromThread, { readonly _tag: 'Up' | 'Followed' }>

/** A pooled row commits nothing, so its gate is never closed. */
const noGate = (): null => null
