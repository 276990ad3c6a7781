import type { MessagePort } from 'node:worker_threads'
import * as t from 'io-ts'
import type { BlobId, NameKey } from '#protocol/atoms.js'
import { workerThreads } from '#src/adapters/worker-thread.js'
import type { LogDate, TranscriptQuestions } from '#src/domain/transcripts/questions.js'
import type { OpenThread } from '#src/ports/host.js'

/** A transcript of the archive with the bytes of its sidecar, or of its text where it has none. */
export interface SentLog extends LogDate {
  readonly name: string
  readonly version: string
  readonly address: string
  readonly blob: BlobId
  readonly path: string
  readonly sidecar: Uint8Array | null
  readonly text: Uint8Array | null
}

/** A question by its name. */
export type AskedOfIndex = {
  readonly [Name in keyof TranscriptQuestions]: {
    readonly name: Name
    readonly question: TranscriptQuestions[Name]['question']
  }
}[keyof TranscriptQuestions]

/** Messages from the main thread to the thread of the transcript index. */
export type ToIndex =
  /** Opens the saved index; `Opened` answers. */
  | { readonly _tag: 'Open'; readonly path: string }
  /** Begins changes; `isFresh`: of an empty index, which replaces the open one at the end. */
  | { readonly _tag: 'Begin'; readonly isFresh: boolean }
  /** Lemmas of the language data, before the first `Put`. */
  | { readonly _tag: 'Lemmas'; readonly lemmas: ReadonlyArray<readonly [NameKey, ReadonlyArray<string>]> }
  /** `Taken` answers. */
  | { readonly _tag: 'Put'; readonly logs: ReadonlyArray<SentLog> }
  /** Drops transcripts and ends the changes; `Fed` answers. */
  | { readonly _tag: 'Finish'; readonly dropped: ReadonlyArray<string>; readonly stamp: string }
  /** `Answer` or `AnswerFailed` answers. */
  | { readonly _tag: 'Ask'; readonly id: number; readonly asked: AskedOfIndex }
  /** Makes the artifact of mentions; `Mentions` or `AnswerFailed` answers. */
  | { readonly _tag: 'MakeMentions'; readonly id: number }
  /** Gives it the artifact of mentions. */
  | { readonly _tag: 'TakeMentions'; readonly bytes: Uint8Array }
  /** Opens a line for questions of the search. */
  | { readonly _tag: 'Connect'; readonly port: MessagePort }

const Versions = t.readonlyArray(t.readonly(t.tuple([t.string, t.string])))

const Bytes = new t.Type<Uint8Array, Uint8Array, unknown>(
  'Uint8Array',
  (u): u is Uint8Array => u instanceof Uint8Array,
  (u, c) => (u instanceof Uint8Array ? t.success(u) : t.failure(u, c)),
  t.identity,
)

export const FromIndex = t.union(
  [
    /** `isSaved`: a saved index answers. `trouble`: why the file that was there could not be used. */
    t.type({
      _tag: t.literal('Opened'),
      isSaved: t.boolean,
      trouble: t.union([t.string, t.null]),
      stamp: t.string,
      lines: t.number,
      versions: Versions,
    }),
    t.type({ _tag: t.literal('Taken') }),
    t.type({
      _tag: t.literal('Fed'),
      stamp: t.string,
      logs: t.number,
      lines: t.number,
      isWorn: t.boolean,
      versions: Versions,
      /** Names of transcripts whose sidecar cannot be read. */
      unparsed: t.readonlyArray(t.string),
    }),
    t.type({ _tag: t.literal('Answer'), id: t.number, answer: t.unknown }),
    /** `stamp`: what the index had when it was begun and ended. */
    t.type({ _tag: t.literal('Mentions'), id: t.number, stamp: t.string, bytes: Bytes }),
    t.type({ _tag: t.literal('AnswerFailed'), id: t.number, reason: t.string }),
  ],
  'FromIndex',
)
export type FromIndex = t.TypeOf<typeof FromIndex>

export type OpenIndexThread = OpenThread<ToIndex, FromIndex>

/** The index of 2,000 transcripts of 300 lines takes 30 MB in memory. */
const heapMbMax = 512

/** Opens the thread of the built daemon. */
export const openIndexThread: OpenIndexThread = workerThreads({
  entry: new URL('./index-thread.js', import.meta.url),
  says: FromIndex,
  heapMbMax,
})
