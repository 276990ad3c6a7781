import { refuse } from '#protocol/refusal.js'
import { namesCommit, type Route } from '#protocol/route.js'
import type { Caller, Reader } from '#src/domain/callers/caller.js'
import { fillNameForms, hasNameForms } from '#src/domain/names/name-index.js'
import { indexKeyOf } from '#src/domain/search/search-page.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import type { AnsweredFrom, ReaderAnswer } from '#src/snapshot/readers/question.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { answerKey } from '../answers/answer-bytes.js'
import { acceptsGzip } from '../listener/outgoing.js'
import type { Call, FrontOptions } from './call.js'
import { type Outcome, refuseRequest } from './handler.js'

/** An outcome with the generation that it was made from. */
export interface Made {
  readonly outcome: Outcome
  readonly from: AnsweredFrom | null
}

/** Whether a reader thread may answer the call. */
export const isPooled = ({ match, query }: Call): boolean => {
  const { pool, write, body, pooledWith } = match.served.row
  return pool && !write && body === null && (pooledWith === undefined || query.values[pooledWith] === true)
}

/**
 * Asks the reader threads; with `ifIdle` only if one has no question. Null where the main thread should answer,
 * because no thread is available in time.
 */
export const askReaders = async (
  front: FrontOptions,
  call: Call,
  caller: Caller | Reader,
  ifIdle: boolean,
): Promise<Made | null> => {
  const { row } = call.match.served
  const { snapshot } = call
  if (front.readers === null || snapshot === null) return null
  const question = questionOf(front, call, snapshot, caller)
  return outcomeOf(await front.readers(ifIdle ? { ...question, ifIdle } : question), row)
}

/** Makes the forms of names, once for all who ask for them. */
export const fillNames = (names: Names): Promise<void> => {
  const known = filling.get(names)
  if (known !== undefined) return known
  const begun = runDaemonWork(fillNameForms(names))
  filling.set(names, begun)
  begun.catch(() => filling.delete(names))
  return begun
}

/**
 * Waits until the names of a first snapshot have their forms, which are made in pauses after the ready line: a handler
 * that read them before would make the others in one turn. Undefined where there is nothing to wait for.
 */
export const awaitNames = (
  row: Pick<Route, 'early'>,
  front: Pick<FrontOptions, 'snapshot'>,
): Promise<void> | undefined => {
  const snapshot = front.snapshot()
  return row.early || snapshot === null || hasNameForms(snapshot.names)
    ? undefined
    : fillNames(snapshot.names)
}

/** The stamps of the indexes of search, for a row that they are part of the key of. */
export const indexKey = (front: FrontOptions, row: Route): string =>
  row.indexed === true ? `\n${indexKeyOf(front.node.search.asker.states())}` : ''

/** The version of the store of models, for a row that it is part of the key of. */
export const storeKey = (front: FrontOptions, row: Route): string =>
  row.stored === true ? `\n${front.node.models.store().version}` : ''

/** The error that a thread's handler threw, with the thread's stack. */
const threadFault = ({ message, stack }: Extract<ReaderAnswer, { _tag: 'Threw' }>): Error => {
  const error = new Error(message)
  if (stack !== null) error.stack = stack
  return error
}

const tooBusy =
  'Every reader thread was busy for 10 s, or 64 requests waited for each. Ask again after the seconds of ' +
  'Retry-After; server.reader_threads sets how many threads there are.'

const outcomeOf = (answer: ReaderAnswer, row: Route): Made | null => {
  switch (answer._tag) {
    case 'Answered': {
      const { status, bytes, packed, headers, isPassing, from } = answer
      const commit = namesCommit(row) ? from.commit : null
      return {
        outcome: {
          _tag: 'Fresh',
          status,
          bytes,
          packed,
          stands: false,
          headers,
          etag: null,
          isPassing,
          isUnkept: false,
          commit,
        },
        from,
      }
    }
    case 'Refused':
      return { outcome: refuseRequest(answer.refusal), from: null }
    case 'Overloaded': {
      const refusal = refuse('Overloaded', tooBusy)
      return { outcome: refuseRequest(refusal, 'shed'), from: null }
    }
    case 'Threw':
      throw threadFault(answer)
    case 'Poison':
      throw new Error('two reader threads ended while they answered the request, so it is not tried again')
    case 'Home':
      return null
  }
}

const questionOf = (front: FrontOptions, call: Call, snapshot: Snapshot, caller: Caller | Reader) => {
  const { match, query, req } = call
  const { id, row } = match.served
  const { grade, gracz, view } = caller
  return {
    rowId: id,
    path: match.path,
    query: query.values,
    caller,
    nowMs: front.clock.nowMs(),
    generation: snapshot.generation,
    key: answerKey(id, match.path, query.key, { grade, gracz, view }) + indexKey(front, row),
    gzip: acceptsGzip(req.headers['accept-encoding']),
    shared: row.etag,
  }
}

type Names = Snapshot['names']

const filling = new WeakMap<Names, Promise<void>>()
