import * as t from 'io-ts'
import { CommitId } from '#protocol/atoms/commit.js'
import { Day } from '#protocol/atoms/day.js'
import { type Refusal, refusals } from '#protocol/refusal.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { Delta } from './delta.js'
import type { Question } from './question.js'

/**
 * What the main thread tells a reader thread. Both ends are one build of one program, and what is told is the lore that
 * the main thread parsed, so the compiler is the codec.
 */
export type ToThread =
  /**
   * Changed files, ahead of the `Follow` that needs them; cut into parts so that no turn of the main thread is
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

/** Transferred, never copied back. */
const Bytes = nominal('ArrayBuffer', (u): u is ArrayBuffer => u instanceof ArrayBuffer)

const AnsweredFrom = t.readonly(
  t.type({ generation: t.number, commit: t.union([CommitId, t.null]), inputs: t.string, day: Day }),
)

/** What a reader thread tells the main thread, which decodes it before anything else sees it (ADR 1004). */
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
      from: AnsweredFrom,
    }),
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
