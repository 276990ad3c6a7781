import type { Either } from 'fp-ts/lib/Either.js'
import type { TranscriptState } from '#protocol/lore/sessions.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { LogFault } from '#protocol/transcripts/log-writes.js'
import type { TranscriptQuestions } from '#src/domain/transcripts/questions.js'

/** What the index of transcripts has. */
export interface IndexedTranscripts {
  readonly stamp: string
  readonly logs: number
  readonly lines: number
}

/** The index of transcripts of this host. */
export interface TranscriptIndex {
  /** Refuses with `Starting` before the first index, and with `Overloaded` where the thread fails. Never rejects. */
  readonly ask: <Name extends keyof TranscriptQuestions>(
    name: Name,
    question: TranscriptQuestions[Name]['question'],
  ) => Promise<Either<RefusalOf<'Starting' | 'Overloaded'>, TranscriptQuestions[Name]['answer']>>
  /** Builds it from nothing; resolves when the new one answers. */
  readonly rebuild: () => Promise<Either<RefusalOf<'Overloaded'>, IndexedTranscripts>>
  /** Null while none answers. */
  readonly reading: () => IndexedTranscripts | null
}

/** The last attempt of this host to take a transcript, where it failed. */
export interface LogFailure {
  readonly state: Extract<TranscriptState, 'Failed' | 'Refused'>
  readonly reason: LogFault
  /** The status of the upstream; null where there was no answer. */
  readonly upstreamStatus: number | null
  readonly attempts: number
  readonly atMs: number
}

/** The failure markers of this host that have not expired, by address. */
export interface LogFailures {
  readonly all: (nowMs: number) => ReadonlyMap<string, LogFailure>
}
