import type { Either } from 'fp-ts/lib/Either.js'
import type { JobKind } from '#protocol/jobs/job.js'
import type { Refusal, RefusalOf } from '#protocol/refusal.js'
import type { AnswerOf, BodyOf, PathOf, QueryOf, Route, Table } from '#protocol/route.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import type { Caller, Reader } from '#src/domain/callers/caller.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { ClaimedRight } from '#src/writing/command.js'

/** JSON already rendered: its bytes are sent as they are, its type is what they say. */
export interface Rendered<A> {
  readonly _tag: 'Rendered'
  /** Phantom: what the bytes decode to. */
  readonly says?: A
  readonly bytes: Buffer
}

/** Work that makes the body of an answer; the pipeline lets other requests be answered where it rests. */
export interface InSlices<A> {
  readonly _tag: 'InSlices'
  readonly work: Sliced<A | Rendered<A>>
}

export const inSlices = <A>(work: Sliced<A | Rendered<A>>): InSlices<A> => ({ _tag: 'InSlices', work })

const renderWork = function* (work: Sliced<Buffer>): Sliced<Rendered<never>> {
  return { _tag: 'Rendered', bytes: yield* work }
}

/** The same of work that renders JSON itself. */
export const jsonInSlices = (work: Sliced<Buffer>): InSlices<never> => inSlices(renderWork(work))

/**
 * An answer: a value to be rendered, bytes, or the work that makes one of them. A handler gives the work where the
 * length of a list is anyone's choice. `status` only where it is not the row's ordinary one.
 */
export interface Answer<A> {
  readonly body: A | Rendered<A> | InSlices<A>
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The call is a write: the pipeline sends it through the gate as a command, with what the handler made ready. */
export interface Commanded {
  readonly prepared: unknown
  /** Named: the write is made by a job of this kind, and the answer is 202 (D33). A dry run is always inline. */
  readonly job?: JobKind
  /** Told once, when the gate has answered, whether the write stands: what was made ready for it stays or goes. */
  readonly settled?: (stands: boolean) => void
}

/** The live stream of events behind a number (null: from now on), in place of an answer. */
export interface Followed {
  readonly follow: { readonly since: number | null }
}

/**
 * What a handler of a row is given; `Node` is what its group asks of the node. `snapshot` is the one current at the
 * start of the request, for the whole request.
 */
export interface Input<R extends Route, Node = unknown> {
  readonly path: PathOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  /** A row with a validator is told of the caller only what is part of its key (D10). */
  readonly caller: R['etag'] extends true ? Reader : Caller
  /** Null only on rows with `early`. */
  readonly snapshot: R['early'] extends true ? Snapshot | null : Snapshot
  /** A pooled row may be answered on a thread that has no node. */
  readonly node: R['pool'] extends true
    ? R extends { readonly pooledWith: string }
      ? Node | null
      : null
    : Node
  /** The arms of the write gate for this request: rows without `write` that commit ask them (D28). */
  readonly gate: () => GateRefusal | null
  /** The right of the caller, for work that waits for its turn: it may end meanwhile (S30). */
  readonly claimed: () => ClaimedRight
  readonly dryRun: boolean
  /** The network of the client; empty on a thread, which has no client. */
  readonly network: () => string
  readonly nowMs: number
}

type Answered<R extends Route> = Either<
  RefusalOf<R['refusals'][number] | 'Unauthorized' | 'Forbidden'>,
  Answer<AnswerOf<R>> | Commanded | Followed
>

/**
 * A handler: pure over the snapshot for reads, a promise only where an actor is asked. It may refuse only as
 * its row says.
 */
export type Handler<R extends Route, Node = unknown> = (
  input: Input<R, Node>,
) => Answered<R> | Promise<Answered<R>>

/**
 * One handler per row, no more and no fewer, of the rows that are answered here; `Node` names only what these handlers
 * ask of the node.
 */
export type Handlers<T extends Table, Node = unknown> = { readonly [K in keyof T]: Handler<T[K], Node> }

/** A handler as the pipeline calls it, its row forgotten; declared as a method so that any `Handler` is one. */
export type AnyHandler = {
  handle(input: AnyInput): AnyAnswered | Promise<AnyAnswered>
}['handle']

export type AnyAnswered = Either<Refusal, Answer<unknown> | Commanded | Followed>

export interface AnyInput {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly caller: Caller | Reader
  readonly snapshot: Snapshot | null
  /** Null on a thread, which has no node. */
  readonly node: unknown
  /** The arms of the write gate for this request: rows without `write` that commit ask them (D28). */
  readonly gate: () => GateRefusal | null
  /** The right of the caller, for work that waits for its turn: it may end meanwhile (S30). */
  readonly claimed: () => ClaimedRight
  readonly dryRun: boolean
  /** The network of the client; empty on a thread, which has no client. */
  readonly network: () => string
  readonly nowMs: number
}

export type AnyHandlers = { readonly [id: string]: AnyHandler }
