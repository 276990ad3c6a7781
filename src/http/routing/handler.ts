import type { Either } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import type { JobKind } from '#protocol/host/jobs.js'
import type { Refusal, RefusalOf } from '#protocol/refusal.js'
import type { AnswerOf, BodyOf, PathOf, QueryOf, Route, Table } from '#protocol/route.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import type { Caller, Reader } from '#src/domain/callers/caller.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { ClaimedRight, Written } from '#src/writing/command.js'
import type { MemoEntry } from '../answers/memo.js'
import type { RejectReason } from '../records/meter.js'
import type { RunWork } from './read-admission.js'

/** JSON that is already rendered: the bytes are sent unchanged. */
export interface Rendered<A> {
  readonly _tag: 'Rendered'
  /** Phantom: what the bytes decode to. */
  readonly says?: A
  readonly bytes: Buffer
}

/** Work that makes the body of an answer; other requests are answered while it yields. */
export interface InSlices<A> {
  readonly _tag: 'InSlices'
  readonly work: Sliced<A | Rendered<A>>
}

/**
 * The result of a handler whose work is long: it runs in slices, between which the process does other work.
 */
export const inSlices = <A>(work: Sliced<A | Rendered<A>>): InSlices<A> => ({ _tag: 'InSlices', work })

/** Like `inSlices`, for work that renders JSON itself. */
export const jsonInSlices = (work: Sliced<Buffer>): InSlices<never> => inSlices(renderWork(work))

/**
 * An answer: a value to be rendered, bytes, or the work that makes one of them. A handler returns work where
 * the length of a list has no fixed bound. `status` only where it is not the row's ordinary one.
 */
export interface Answer<A> {
  readonly body: A | Rendered<A> | InSlices<A>
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The answer is not cached and has no validator, although its row has one. */
  readonly isPassing?: true
  /** The answer has a validator and is not cached: every request for it reaches the handler, which counts them. */
  readonly isUnkept?: true
}

/** The call is a write: the pipeline sends it to the gate as a command, with what the handler prepared. */
export interface Commanded {
  readonly prepared: unknown
  /** If set, a job of this kind makes the write, and the answer is 202 (D33). A dry run is always inline. */
  readonly job?: JobKind
  /**
   * Called once, with what the gate has answered, so that the handler keeps or discards what it prepared.
   */
  readonly settled?: (outcome: Either<Refusal, Written>) => void
}

/**
 * The input of a row's handler; `Node` is what its group needs of the node. `snapshot` is the one that was
 * current at the start of the request, and stays the same for the whole request.
 */
export interface Input<R extends Route, Node = unknown> {
  readonly path: PathOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  /** A row with a validator sees of the caller only what is part of its key (D10). */
  readonly caller: R['etag'] extends true ? Reader : Caller
  /** Null only on rows with `early`. */
  readonly snapshot: R['early'] extends true ? Snapshot | null : Snapshot
  /** Null where a pooled row is answered on a reader thread, which has no node. */
  readonly node: R extends { readonly indexed: true }
    ? NodeOfThread<Node>
    : R['pool'] extends true
      ? R extends { readonly pooledWith: string }
        ? Node | null
        : null
      : Node
  /** The arms of the write gate for this request, for rows without `write` that commit (D28). */
  readonly gate: () => GateRefusal | null
  /** The caller's right, for work that waits: it is checked again then (S30). */
  readonly claimed: () => ClaimedRight
  /** Whether the client still waits for the answer, for work that waits. */
  readonly isCallerThere: () => boolean
  /** Runs sliced work whose result decides the answer; the work of an answer itself is returned (`inSlices`). */
  readonly run: RunWork
  readonly dryRun: boolean
  /** The network of the client; empty on a thread, which has no client. */
  readonly network: () => string
  /** The Gracz who asks, for what the host records; an answer with a validator must not depend on it. */
  readonly person: () => string | null
  readonly nowMs: number
}

/**
 * One handler for each row that is answered here, no more and no fewer; `Node` names only what these handlers
 * need of the node.
 */
export type Handlers<T extends Table, Node = unknown> = { readonly [K in keyof T]: Handler<T[K], Node> }

/**
 * A handler as the pipeline calls it, with its row erased; declared as a method so that any `Handler` is
 * assignable.
 */
export type AnyHandler = {
  handle(input: AnyInput): AnyAnswered | Promise<AnyAnswered>
}['handle']

export type AnyAnswered = Either<Refusal, Answer<unknown> | Commanded | Followed | Elsewhere>

export interface AnyInput {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly caller: Caller | Reader
  readonly snapshot: Snapshot | null
  /** Null on a thread, which has no node. */
  readonly node: unknown
  /** The arms of the write gate for this request, for rows without `write` that commit (D28). */
  readonly gate: () => GateRefusal | null
  /** The caller's right, for work that waits: it is checked again then (S30). */
  readonly claimed: () => ClaimedRight
  /** Whether the client still waits for the answer, for work that waits. */
  readonly isCallerThere: () => boolean
  /** Runs sliced work whose result decides the answer; the work of an answer itself is returned (`inSlices`). */
  readonly run: RunWork
  readonly dryRun: boolean
  /** The network of the client; empty on a thread, which has no client. */
  readonly network: () => string
  /** The Gracz who asks, for what the host records; an answer with a validator must not depend on it. */
  readonly person: () => string | null
  readonly nowMs: number
}

export type AnyHandlers = { readonly [id: string]: AnyHandler }

/**
 * How a request ends, before it is written. `commit` is the one that the answer of a replica row was made
 * from.
 */
export type Outcome =
  | { readonly _tag: 'Refused'; readonly refusal: Refusal; readonly reason: RejectReason | null }
  | { readonly _tag: 'NotModified'; readonly etag: string; readonly commit: CommitId | null }
  | {
      readonly _tag: 'Cached'
      readonly entry: MemoEntry
      readonly key: AnswerKey
      readonly commit: CommitId | null
    }
  | {
      readonly _tag: 'Fresh'
      readonly status: number
      readonly bytes: Buffer
      /** Whether a reader thread has compressed the bytes, for a caller that accepts gzip. */
      readonly packed: boolean
      /**
       * Whether the request had an effect; its answer is then written however many bytes wait for other
       * clients.
       */
      readonly stands: boolean
      readonly headers: Readonly<Record<string, string>>
      /**
       * Set where the row has a validator but the bytes are not cached, because the handler added headers.
       */
      readonly etag: string | null
      /** The answer may not be cached. */
      readonly isPassing: boolean
      /** The answer gets a validator and is not cached. */
      readonly isUnkept: boolean
      readonly commit: CommitId | null
    }
  /**
   * The live stream of events after a number (null: from now on), for as long as its caller has the right.
   */
  | {
      readonly _tag: 'Follow'
      readonly since: number | null
      readonly bearer: string | null
      readonly isAdmitted: () => boolean
    }
  /** The client left while its body was being read, or before its write was planned. */
  | { readonly _tag: 'Gone' }

export type WholeOutcome = Exclude<Outcome, { readonly _tag: 'Follow' }>

/** The outcome of a refused request; `reason` is what the meter counts it under, null: not counted. */
export const refuseRequest = (
  refusal: Refusal,
  reason: RejectReason | null = null,
): Extract<Outcome, { _tag: 'Refused' }> => ({
  _tag: 'Refused',
  refusal,
  reason,
})

/** The refusal of an actor of this node; an overloaded actor counts as load shed. */
export const refuseForNode = (refusal: Refusal): Outcome =>
  refuseRequest(refusal, refusal._tag === 'Overloaded' ? 'shed' : null)

export const noHeaders: Readonly<Record<string, string>> = {}

/** An answer rendered on this thread: plain bytes, without a validator. */
export const makeFresh = (
  made: Omit<Fresh, '_tag' | 'packed' | 'etag' | 'isPassing' | 'isUnkept'> &
    Partial<Pick<Fresh, 'isPassing' | 'isUnkept'>>,
): Fresh => ({
  _tag: 'Fresh',
  status: made.status,
  bytes: made.bytes,
  packed: false,
  stands: made.stands,
  headers: made.headers,
  etag: null,
  isPassing: made.isPassing === true,
  isUnkept: made.isUnkept === true,
  commit: made.commit,
})

const renderWork = function* (work: Sliced<Buffer>): Sliced<Rendered<never>> {
  return { _tag: 'Rendered', bytes: yield* work }
}

/** A reader thread cannot answer the call, and the main thread can. The main thread never returns it. */
interface Elsewhere {
  readonly elsewhere: true
}

/** The live stream of events after a number (null: from now on), in place of an answer. */
interface Followed {
  readonly follow: { readonly since: number | null }
}

/** The part of a node that reader threads have too, for rows with `indexed`; null where a thread has none. */
type NodeOfThread<Node> = Node extends { readonly search: infer S } ? { readonly search: S } | null : null

type Answered<R extends Route> = Either<
  RefusalOf<R['refusals'][number] | 'Unauthorized' | 'Forbidden'>,
  Answer<AnswerOf<R>> | Commanded | Followed | Elsewhere
>

/**
 * A handler: pure over the snapshot for reads, a promise only where it asks an actor. It may refuse only with
 * the refusals of its row.
 */
type Handler<R extends Route, Node = unknown> = (input: Input<R, Node>) => Answered<R> | Promise<Answered<R>>

/** The key under which the memo stores an answer. */
interface AnswerKey {
  readonly stamp: string
  readonly key: string
}

type Fresh = Extract<Outcome, { _tag: 'Fresh' }>
