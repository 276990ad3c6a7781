import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Refusal, RefusalOf } from '#protocol/refusal.js'
import type { AnswerOf, BodyOf, PathOf, QueryOf, Route, Table } from '#protocol/route.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { WriteActor } from './command.js'

/** The input of a planner: the decoded values of its row, and the caller. */
export interface Planning<R extends Route> {
  readonly path: PathOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  /** The value that the HTTP layer prepared; the planner of the row decodes it. */
  readonly prepared: unknown
  /** The person who asks, as known when the command was made. */
  readonly actor: WriteActor
  /** The same person as the snapshot knows them, which may have changed since (ADR 1018). */
  readonly caller: Caller
  readonly nowMs: number
}

/**
 * The rule of one row: a pure function of a snapshot and a command. It returns only refusals that its row
 * declares.
 */
export type Planner<R extends Route> = (
  snapshot: Snapshot,
  asked: Planning<R>,
) => Either<RefusalOf<R['refusals'][number] | 'Unauthorized' | 'Forbidden'>, ChangeSet<AnswerOf<R>>>

/** Ids of the rows whose writes are planned: those with `write` that have answers and end in a commit. */
export type PlannedId<T extends Table> = {
  readonly [K in keyof T]: T[K]['write'] extends true
    ? T[K] extends { readonly commits: false }
      ? never
      : keyof T[K]['answers'] extends never
        ? never
        : K
    : never
}[keyof T]

/** One planner for each planned row of the table, no more and no fewer. */
export type Planners<T extends Table> = { readonly [K in PlannedId<T>]: Planner<T[K]> }

/**
 * Decodes the value that the HTTP layer prepared. Throws when it does not match the codec, which is a bug in
 * that layer.
 */
export const decodePrepared = <A>(codec: t.Type<A, unknown>, prepared: unknown): A => {
  const decoded = codec.decode(prepared)
  if (isLeft(decoded)) throw new Error(`what was prepared for the command is no ${codec.name}`)
  return decoded.right
}

export interface AnyPlanning {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly prepared: unknown
  readonly actor: WriteActor
  readonly caller: Caller
  readonly nowMs: number
}

/**
 * A planner of any row. Declared as a method, because method parameters are bivariant and any `Planner` must
 * be assignable.
 */
export type AnyPlanner = {
  plan(snapshot: Snapshot, asked: AnyPlanning): Either<Refusal, ChangeSet<unknown>>
}['plan']

export type AnyPlanners = { readonly [id: string]: AnyPlanner }
