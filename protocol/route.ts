import type * as t from 'io-ts'
import type { CapabilityId } from './atoms/capability.js'
import type { BodyBounds } from './bounds.js'
import { Flag } from './query.js'
import { type RefusalTag, refusals } from './refusal.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Why a route is not answered on a reader thread (A 2.8). */
export type PoolReason = 'mutates' | 'memoizes' | 'shells' | 'default'

/** Codecs from the text of a query parameter; an absent parameter is `undefined`, a bad value is `ParameterInvalid`. */
export type QueryCodecs = { readonly [name: string]: t.Mixed }

/**
 * Codecs of the answers by status. 201 is the ordinary one where the row has it, else the lowest 2xx; none: the row
 * always refuses. A dry run is answered 200.
 */
export type AnswerCodecs = { readonly [status: number]: t.Mixed }

/** `{name}` parts of a path, as a union of their names. */
export type PathParam<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParam<Rest>
  : never

/** A request that the row answers in full over the world of the contract tests. */
export interface RowExample {
  readonly path?: { readonly [name: string]: string }
  /** A good value of every parameter of the row. */
  readonly query?: { readonly [name: string]: string }
  /** The parameters without which the row refuses; the answer of the reference is to a request with these alone. */
  readonly needs?: ReadonlyArray<string>
  readonly body?: unknown
}

/** A row of the closed route table: all columns of A 2.8 and what the contract needs beside them. */
export interface Route {
  readonly method: Method
  readonly path: string
  /** One sentence for the reference. */
  readonly summary: string
  /** null: public. */
  readonly capability: CapabilityId | null
  /** Whether the `.own` variant of the capability lets a caller in, scoped by the handler to what is theirs (A 5.2). */
  readonly own: boolean
  /** Passes the write gate. */
  readonly write: boolean
  /** Of a row with `write`, false: what it changes are records of this host alone, and no commit holds them (D40). */
  readonly commits?: false
  /** `X-Svc-Min-Commit` is not looked at: sign-in, and rows of what this host alone keeps. */
  readonly anyCommit?: true
  /** The answer is a function of the committed trees and the day (D10). */
  readonly replica: boolean
  readonly pool: boolean
  readonly poolReason: PoolReason | null
  /** Pooled only where the query has this flag: without it the answer is what the node itself keeps. */
  readonly pooledWith?: string
  readonly etag: boolean
  /** The answer grows with the corpus and has no bound of its own (D16): it is kept for all and sent piece by piece. */
  readonly wholeCorpus?: true
  /** Public sign-in: how often one client may ask is limited (`server.sign_in_per_minute`). */
  readonly limited?: true
  /** Answers before the first snapshot (D1). */
  readonly early: boolean
  readonly query: QueryCodecs
  /** null: the route takes no body. */
  readonly body: t.Mixed | null
  /** The body may hold keys that the codec does not know (D52); without it they are refused. */
  readonly unknownKeys?: 'ignored'
  /** How the body of a write is bounded where its texts are not all values. */
  readonly bounds?: BodyBounds
  readonly answers: AnswerCodecs
  /** The media type of the ordinary answer where it is not JSON; its codec is then of the text. */
  readonly media?: 'text/event-stream'
  /** Refusals beyond those that every route can give (`pipelineRefusals`), in the order of the checks. */
  readonly refusals: ReadonlyArray<RefusalTag>
  /** Where the specification tells of it. */
  readonly source: string
  /** What the reference shows and the contract tests ask; every row of the closed table has one. */
  readonly example?: RowExample
}

/** What any route can answer, whatever its handler: the steps of A 4.1 before dispatch, and the fault after it. */
export const pipelineRefusals = {
  always: ['RequestMalformed', 'HostRefused', 'Internal', 'Overloaded', 'AnswerTooLarge'],
  guarded: ['Unauthorized', 'Forbidden'],
  limited: ['TooManyRequests'],
  query: ['ParameterInvalid'],
  body: ['UnsupportedMediaType', 'BodyTooLarge', 'BodyInvalid'],
  snapshot: ['Starting'],
  commit: ['CommitNotHere'],
  write: ['SnapshotStale', 'DiskRefused', 'SchemaTooNew', 'SchemaTooOld', 'SyncStale', 'ReadOnly'],
  /** Of a write: what the body holds, and what the write would leave in a block or in a player's lore (D64). */
  bounded: ['BoundExceeded'],
  /** Given by the gate, after the handler planned. */
  landing: ['WriteRejected', 'SessionClosed', 'WorkTreeDirty', 'HeadDetached', 'RepositoryLocked'],
  /** Given by the listener or the matcher, before there is a row. */
  listener: ['RouteNotFound', 'HeadersTooLarge', 'RequestTimeout', 'ExpectationFailed'],
} as const satisfies Record<string, ReadonlyArray<RefusalTag>>

/** Whether the row changes something, and so takes `?dryRun=` (A 1). */
const isMutation = (row: Route): boolean => row.write || row.poolReason === 'mutates'

/** Every query parameter of the row with its codec: its own, and `dryRun` where it changes something. */
export const queryOf = (row: Route): QueryCodecs =>
  isMutation(row) ? { ...row.query, dryRun: Flag } : row.query

/** Whether the row has no answer of its own: whatever passes the checks ends in its last refusal (A 4.6.1). */
export const alwaysRefuses = (row: Route): boolean => Object.keys(row.answers).length === 0

/** The ordinary status of the row: 201, its lowest 2xx, or that of its last refusal where it always refuses. */
export const ordinaryStatus = (row: Route): number => {
  const last = row.refusals.at(-1)
  if (alwaysRefuses(row) && last !== undefined) return refusals[last].status
  if (row.answers[201] !== undefined) return 201
  const statuses = Object.keys(row.answers).map(Number)
  return Math.min(...statuses.filter(status => status >= 200 && status < 300))
}

/** Whether what the row answers may end in a commit, which the answer then names (D27). */
export const commits = (row: Route): boolean => row.write && row.commits !== false && !alwaysRefuses(row)

/**
 * Whether the row is answered, or its write planned, on the snapshot of a commit: then it honours `X-Svc-Min-Commit`
 * (A 4.1.9). An early row answers before there is one.
 */
export const isFromCommit = (row: Route): boolean => !row.early && row.anyCommit !== true

/** Whether an answer of the row names in `X-Svc-Commit` the commit that it was made of, or that it made (D27). */
export const namesCommit = (row: Route): boolean => row.replica || isFromCommit(row) || commits(row)

/** Whether the bounds of a write hold for the row. */
export const isBounded = (row: Route): boolean => row.write && (row.body !== null || commits(row))

/** Everything that the row can refuse with, the pipeline's refusals included, each once, in the order of the checks. */
export const refusalsOf = (row: Route): ReadonlyArray<RefusalTag> => [
  ...new Set<RefusalTag>([
    ...pipelineRefusals.always,
    ...(row.capability === null ? [] : pipelineRefusals.guarded),
    ...(row.limited === true ? pipelineRefusals.limited : []),
    ...(row.write ? pipelineRefusals.write : []),
    ...(row.body === null ? [] : pipelineRefusals.body),
    ...(isBounded(row) ? pipelineRefusals.bounded : []),
    ...(Object.keys(queryOf(row)).length === 0 ? [] : pipelineRefusals.query),
    ...(row.early ? [] : pipelineRefusals.snapshot),
    ...(isFromCommit(row) ? pipelineRefusals.commit : []),
    ...row.refusals,
    ...(commits(row) ? pipelineRefusals.landing : []),
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

/** A GET row that is a function of the committed trees: replica-safe, poolable, with a validator. */
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

/** Columns of a row of what this host alone knows or does: no replica, no thread, no validator. */
export const ofHost = {
  own: false,
  write: false,
  replica: false,
  pool: false,
  poolReason: 'default',
  etag: false,
  early: false,
} as const

/** The same of a row that changes something without the write flag (A 4.1.3): it takes `?dryRun=`. */
export const actsOnHost = { ...ofHost, poolReason: 'mutates' } as const

/** Any other row: the columns that `read`, `write`, `ofHost` and `actsOnHost` do not give are written out. */
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
