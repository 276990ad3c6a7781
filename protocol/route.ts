import type * as t from 'io-ts'
import type { CapabilityId, FurtherTree } from './atoms.js'
import type { BodyBounds } from './bounds.js'
import { Flag } from './query.js'
import { type RefusalTag, refusals } from './refusal.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Why a route is not answered on a reader thread (A 2.8). */
export type PoolReason = 'mutates' | 'memoizes' | 'shells' | 'default'

/**
 * Codecs from the text of a query parameter; an absent parameter is `undefined`, a bad value is
 * `ParameterInvalid`.
 */
export type QueryCodecs = { readonly [name: string]: t.Mixed }

/**
 * Codecs of the answers by status. The ordinary status is 201 if the row has it, else the lowest 2xx; without
 * answers the row always refuses. A dry run is answered with 200.
 */
export type AnswerCodecs = { readonly [status: number]: t.Mixed }

/** The `{name}` parts of a path, as a union of their names. */
export type PathParam<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParam<Rest>
  : never

/**
 * A list of a body whose items are decoded one by one, so that it may be long: the body is then limited by its
 * bytes and by the number of these items alone.
 */
export interface LongList {
  /** Its field at the top of the body. */
  readonly field: string
  readonly item: t.Mixed
  readonly itemsMax: number
}

/** A request that the row answers in full in the world of the contract tests. */
export interface RowExample {
  readonly path?: { readonly [name: string]: string }
  /** A valid value of every parameter of the row. */
  readonly query?: { readonly [name: string]: string }
  /**
   * The parameters without which the row refuses; the answer in the reference is that to a request with these
   * alone.
   */
  readonly needs?: ReadonlyArray<string>
  /** The parameters that cannot be sent together with all others. */
  readonly apart?: ReadonlyArray<string>
  /** Parameters of which a request has exactly one; `query` has a good value of each. */
  readonly oneOf?: ReadonlyArray<string>
  readonly body?: unknown
}

/** A row of the closed route table: all columns of A 2.8, and what the contract needs beside them. */
export interface Route {
  readonly method: Method
  readonly path: string
  /** One sentence for the reference. */
  readonly summary: string
  /** Null: public. */
  readonly capability: CapabilityId | null
  /**
   * Whether the `.own` variant of the capability admits a caller; the handler then limits the answer to their
   * own (A 5.2).
   */
  readonly own: boolean
  /** Whether requests pass the write gate. */
  readonly write: boolean
  /** A row without `write` whose write is planned and lands as one: its handler asks the gate (D28). */
  readonly plans?: true
  /**
   * An enactment: in mode `push` its write is planned on the tip of the remote and published before it is answered
   * (D51).
   */
  readonly enacts?: true
  /** False for a row with `write` that changes records of this host only, which no commit contains (D40). */
  readonly commits?: false
  /** `X-Svc-Min-Commit` is ignored: for sign-in, and for rows of what only this host stores. */
  readonly anyCommit?: true
  /** The answer depends only on the committed trees and the day (D10). */
  readonly replica: boolean
  readonly pool: boolean
  readonly poolReason: PoolReason | null
  /** Pooled only when the query has this flag: without it the answer is what the node itself stores. */
  readonly pooledWith?: string
  readonly etag: boolean
  /** The answer depends on the indexes of search too: their stamps are part of its key (D10). */
  readonly indexed?: true
  /**
   * The trees beside the lore that the answer depends on: their heads are part of its key, and of no other (D10). A row
   * of transcripts has `logi`.
   */
  readonly reads?: ReadonlyArray<FurtherTree>
  /** The answer depends on the store of models of this host: its version is part of its key (D10). */
  readonly stored?: true
  /** The answer lists findings, each only to callers who may read its file (`View.opens`). */
  readonly findings?: true
  /**
   * The answer grows with the corpus without a limit of its own (D16): it is cached for all callers and sent
   * in pieces.
   */
  readonly wholeCorpus?: true
  /** What to narrow where a request is too much work; without it the long list, or the parameters of the query. */
  readonly narrow?: ReadonlyArray<string>
  /** A read whose work has no budget, although it is no list of the whole corpus. */
  readonly unbudgeted?: true
  /** Answered before all long work of the host, and without credentials, snapshot, memo or store. */
  readonly prompt?: true
  /** Public sign-in: the number of requests of one client is limited (`server.sign_in_per_minute`). */
  readonly limited?: true
  /**
   * The account `chatId` of the body decides the write; the limit of writes counts it for that account's person.
   * `person`: the write is planned as one of that person, who needs the capability too.
   */
  readonly byChat?: 'account' | 'person'
  /**
   * After how many milliseconds without an answer a request of the row is refused with `AnswerLate`; without this
   * after 110 s. Longer than the work of the row takes before it gives up by itself.
   */
  readonly answerWithinMs?: number
  /** Every request is answered with 202: its work is done later; only a dry run is answered with 200. */
  readonly defers?: true
  /** Answers before the first snapshot (D1). */
  readonly early: boolean
  readonly query: QueryCodecs
  /** Null: the route accepts no body. */
  readonly body: t.Mixed | null
  /**
   * The body may have keys that the codec does not know (D52); without this they are refused. `written`: each key
   * names a field that the row writes, and its rule judges it.
   */
  readonly unknownKeys?: 'ignored' | 'written'
  /** What a fault of the body is refused with; without this `BodyInvalid`. */
  readonly bodyFault?: 'bad_request'
  /** What a key `__proto__` of the body is refused with; without this `BodyInvalid`. */
  readonly reservedKey?: 'ValueRefused'
  readonly longList?: LongList
  /** The limits of a write's body whose texts are not all values. */
  readonly bounds?: BodyBounds
  readonly answers: AnswerCodecs
  /** The media type of the ordinary answer when it is not JSON; its codec is then that of the text. */
  readonly media?: 'text/event-stream'
  /** Refusals beyond those that every route can give (`pipelineRefusals`), in the order of the checks. */
  readonly refusals: ReadonlyArray<RefusalTag>
  /** The place in the specification. */
  readonly source: string
  /**
   * The request that the reference shows and the contract tests send; every row of the closed table has one.
   */
  readonly example?: RowExample
}

/**
 * What any route can answer, whatever its handler: the steps of A 4.1 before dispatch, and a fault after it.
 */
export const pipelineRefusals = {
  always: ['RequestMalformed', 'HostRefused', 'Internal', 'Overloaded', 'AnswerLate', 'AnswerTooLarge'],
  guarded: ['Unauthorized', 'Forbidden'],
  limited: ['TooManyRequests'],
  query: ['ParameterInvalid'],
  body: ['UnsupportedMediaType', 'BodyTooLarge', 'BodyInvalid'],
  /** For a read that has a budget of work. */
  work: ['TooMuchWork'],
  snapshot: ['Starting'],
  commit: ['CommitNotHere'],
  write: ['SnapshotStale', 'DiskRefused', 'SchemaTooNew', 'SchemaTooOld', 'SyncStale', 'ReadOnly'],
  /**
   * For a write: the limits on the body, and on what the write would leave in a block or in a player's lore
   * (D64).
   */
  bounded: ['BoundExceeded'],
  /** Given by the gate, after the handler has planned. */
  landing: [
    'WriteRejected',
    'SessionClosed',
    'WorkTreeDirty',
    'HeadDetached',
    'RepositoryLocked',
    'CheckoutBlocked',
  ],
  /** For an enactment, in mode `push`. */
  enacting: ['NotPublished'],
  /** Given by the listener or the matcher, before a row is known. */
  listener: ['RouteNotFound', 'HeadersTooLarge', 'RequestTimeout', 'ExpectationFailed'],
} as const satisfies Record<string, ReadonlyArray<RefusalTag>>

/** Whether the row changes something, and so accepts `?dryRun=` (A 1). */
const isMutation = (row: Route): boolean => row.write || row.poolReason === 'mutates'

/** Every query parameter of the row with its codec: its own, and `dryRun` if it changes something. */
export const queryOf = (row: Route): QueryCodecs =>
  isMutation(row) ? { ...row.query, dryRun: Flag } : row.query

/**
 * Whether the row has no answer of its own: every request that passes the checks ends in its last refusal (A
 * 4.6.1).
 */
export const alwaysRefuses = (row: Route): boolean => Object.keys(row.answers).length === 0

/**
 * The ordinary status of the row: 201, 202 where it defers its work, its lowest 2xx, or that of its last refusal if it
 * always refuses.
 */
export const ordinaryStatus = (row: Route): number => {
  const last = row.refusals.at(-1)
  if (alwaysRefuses(row) && last !== undefined) return refusals[last].status
  if (row.answers[201] !== undefined) return 201
  if (row.defers === true) return 202
  const statuses = Object.keys(row.answers).map(Number)
  return Math.min(...statuses.filter(status => status >= 200 && status < 300))
}

/** Whether a request may end in a commit, which the answer then names (D27). */
export const commits = (row: Route): boolean =>
  (row.write || row.plans === true) && row.commits !== false && !alwaysRefuses(row)

/**
 * Whether the row is answered, or its write planned, on the snapshot of a commit; it then honours
 * `X-Svc-Min-Commit` (A 4.1.9). An early row answers before there is a snapshot.
 */
export const isFromCommit = (row: Route): boolean => !row.early && row.anyCommit !== true

/** Whether `X-Svc-Commit` of an answer names the commit that it was made from, or that it made (D27). */
export const namesCommit = (row: Route): boolean => row.replica || isFromCommit(row) || commits(row)

/** Whether the row only reads; its long requests are admitted one by one. */
export const isRead = (row: Route): boolean => !isMutation(row)

/** Whether the work of a request of the row has a budget. */
export const isBudgeted = (row: Route): boolean =>
  isRead(row) && !row.early && row.media === undefined && row.unbudgeted !== true && row.wholeCorpus !== true

/** Whether the writes of a person through this row are counted, and refused above `server.own_writes_per_minute`. */
export const countsWrites = (row: Route): boolean =>
  row.write && (row.own || row.byChat !== undefined || row.capability === 'session.report')

/** Whether the bounds of a write apply to the row. */
export const isBounded = (row: Route): boolean => row.write && (row.body !== null || commits(row))

/**
 * Everything that the row can refuse with, including the refusals of the pipeline, each once, in the order of
 * the checks.
 */
export const refusalsOf = (row: Route): ReadonlyArray<RefusalTag> => [
  ...new Set<RefusalTag>([
    ...pipelineRefusals.always,
    ...(row.capability === null ? [] : pipelineRefusals.guarded),
    ...(row.limited === true || countsWrites(row) ? pipelineRefusals.limited : []),
    ...(row.write ? pipelineRefusals.write : []),
    ...(row.body === null
      ? []
      : pipelineRefusals.body.filter(tag => tag !== 'BodyInvalid' || row.bodyFault === undefined)),
    ...(isBounded(row) ? pipelineRefusals.bounded : []),
    ...(Object.keys(queryOf(row)).length === 0 ? [] : pipelineRefusals.query),
    ...(isBudgeted(row) ? pipelineRefusals.work : []),
    ...(row.early ? [] : pipelineRefusals.snapshot),
    ...(isFromCommit(row) ? pipelineRefusals.commit : []),
    ...row.refusals,
    ...(commits(row) ? pipelineRefusals.landing : []),
    ...(row.enacts === true ? pipelineRefusals.enacting : []),
  ]),
]

type ReadDefaults = {
  readonly own: false
  readonly write: false
  readonly pool: true
  readonly poolReason: null
  readonly early: false
  readonly body: null
}

type Fixed = 'method' | 'write' | 'body' | 'poolReason' | 'replica' | 'etag' | 'pool' | 'own' | 'early'

/** A GET row that depends only on the committed trees: replica-safe, poolable, with a validator. */
export const read = <const R extends Omit<Route, Fixed>>(
  row: R,
): R & ReadDefaults & { readonly method: 'GET'; readonly replica: true; readonly etag: true } => ({
  ...row,
  method: 'GET',
  own: false,
  write: false,
  pool: true,
  poolReason: null,
  early: false,
  replica: true,
  etag: true,
  body: null,
})

type WriteFixed = 'write' | 'replica' | 'pool' | 'poolReason' | 'etag' | 'early'

type WriteDefaults = {
  readonly write: true
  readonly replica: false
  readonly pool: false
  readonly poolReason: 'mutates'
  readonly etag: false
  readonly early: false
}

/** A row whose handler plans a write for the gate (A 4.1.2). */
export const write = <const R extends Omit<Route, WriteFixed>>(row: R): R & WriteDefaults => ({
  ...row,
  write: true,
  replica: false,
  pool: false,
  poolReason: 'mutates',
  etag: false,
  early: false,
})

/** Columns of a row about what only this host knows or does: no replica, no reader thread, no validator. */
export const ofHost = {
  own: false,
  write: false,
  replica: false,
  pool: false,
  poolReason: 'default',
  etag: false,
  early: false,
} as const

/**
 * The columns of `ofHost` for a row that changes something without the write flag (A 4.1.3): it accepts
 * `?dryRun=`.
 */
export const actsOnHost = { ...ofHost, poolReason: 'mutates' } as const

/** Any other row: columns that `read`, `write`, `ofHost` and `actsOnHost` do not set are written out. */
export const route = <const R extends Route>(row: R): R => row

/** Rows by their ids, which follow docs/spec/http.md#row-ids. */
export type Table = { readonly [id: string]: Route }

type TypeOfCodec<C> = C extends t.Type<infer A, infer _O, infer _I> ? A : never

export type QueryOf<R extends Route> = {
  readonly [K in keyof R['query']]: TypeOfCodec<R['query'][K]> | undefined
}
export type BodyOf<R extends Route> = R['body'] extends null ? null : TypeOfCodec<R['body']>
export type AnswerOf<R extends Route> = TypeOfCodec<R['answers'][keyof R['answers']]>
export type PathOf<R extends Route> = { readonly [K in PathParam<R['path']>]: string }
