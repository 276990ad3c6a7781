import * as t from 'io-ts'
import { CommitId, Day } from '#protocol/atoms.js'
import { type Refusal, refusals } from '#protocol/refusal.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { Delta } from './delta.js'
import type { Question } from './question.js'

/**
 * Messages from the main thread to a reader thread. They have no codec: both ends come from one build, and
 * the content is lore that the main thread has already parsed.
 */
export type ToThread =
  /**
   * Changed files, sent before the `Follow` that needs them, in parts so that no turn of the main thread is
   * long.
   */
  | { readonly _tag: 'Files'; readonly files: ReadonlyArray<SourceFile> }
  | { readonly _tag: 'Follow'; readonly delta: Delta }
  | { readonly _tag: 'Ask'; readonly id: number; readonly question: Question }

const isRefusal = (u: unknown): u is Refusal =>
  typeof u === 'object' &&
  u !== null &&
  '_tag' in u &&
  typeof u._tag === 'string' &&
  Object.hasOwn(refusals, u._tag) &&
  'detail' in u &&
  typeof u.detail === 'string'

const nominal = <A>(name: string, is: (u: unknown) => u is A): t.Type<A, A, unknown> =>
  new t.Type<A, A, unknown>(
    name,
    is,
    (u, context) => (is(u) ? t.success(u) : t.failure(u, context)),
    t.identity,
  )

/** Transferred to the main thread, not copied. */
const Bytes = nominal('ArrayBuffer', (u): u is ArrayBuffer => u instanceof ArrayBuffer)

const AnsweredFrom = t.readonly(
  t.type({ generation: t.number, commit: t.union([CommitId, t.null]), inputs: t.string, day: Day }),
)

/** Messages from a reader thread to the main thread, which decodes them before it uses them (ADR 1004). */
export const FromThread = t.union(
  [
    t.type({ _tag: t.literal('Up') }),
    t.type({ _tag: t.literal('Followed'), generation: t.number }),
    t.type({
      _tag: t.literal('Answered'),
      id: t.number,
      status: t.number,
      bytes: Bytes,
      packed: t.boolean,
      headers: t.record(t.string, t.string),
      isPassing: t.boolean,
      from: AnsweredFrom,
    }),
    t.type({ _tag: t.literal('Home'), id: t.number }),
    t.type({ _tag: t.literal('Refused'), id: t.number, refusal: nominal('Refusal', isRefusal) }),
    t.type({
      _tag: t.literal('Threw'),
      id: t.number,
      message: t.string,
      stack: t.union([t.string, t.null]),
    }),
  ],
  'FromThread',
)
export type FromThread = Readonly<t.TypeOf<typeof FromThread>>
