import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Refusal, RefusalOf } from '#protocol/refusal.js'
import type { AnswerOf, BodyOf, PathOf, QueryOf, Route, Table } from '#protocol/route.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { WriteActor } from './command.js'

/** What a planner is given of a command: the values of its row, and who asks. */
export interface Planning<R extends Route> {
  readonly path: PathOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  /** What the door made ready; the planner of the row decodes it. */
  readonly prepared: unknown
  /** The person who asks, as they were when the command was made. */
  readonly actor: WriteActor
  /** The same person as the snapshot knows them, which may have changed since (ADR 1018). */
  readonly caller: Caller
  readonly nowMs: number
}

/** The rule of one row: a pure function of a snapshot and a command. It may refuse only as its row says. */
export type Planner<R extends Route> = (
  snapshot: Snapshot,
  asked: Planning<R>,
) => Either<RefusalOf<R['refusals'][number] | 'Unauthorized' | 'Forbidden'>, ChangeSet<AnswerOf<R>>>

/** Ids of the rows whose writes are planned: those with `write` that answer and end in a commit. */
export type PlannedId<T extends Table> = {
  readonly [K in keyof T]: T[K]['write'] extends true
    ? T[K] extends { readonly commits: false }
      ? never
      : keyof T[K]['answers'] extends never
        ? never
        : K
    : never
}[keyof T]

/** One planner for each row of the table that is planned, no more and no fewer. */
export type Planners<T extends Table> = { readonly [K in PlannedId<T>]: Planner<T[K]> }

/** What the door made ready, by the codec of the row. Throws where it is something else: then the door is at fault. */
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

/** A planner without its row; declared as a method so that any `Planner` is one. */
export type AnyPlanner = {
  plan(snapshot: Snapshot, asked: AnyPlanning): Either<Refusal, ChangeSet<unknown>>
}['plan']

export type AnyPlanners = { readonly [id: string]: AnyPlanner }
