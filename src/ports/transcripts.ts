import type { Either } from 'fp-ts/lib/Either.js'
import type { TranscriptState } from '#protocol/lore/sessions.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { LogFault } from '#protocol/transcripts/log-writes.js'
import type { LineageEvidence } from '#src/domain/lineage/lineage.js'
import type { TranscriptQuestions } from '#src/domain/transcripts/questions.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

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

/**
 * Reads what transcripts and sessions show of lineages; null while the index does not answer, or the signal aborts. The
 * same lore gives the same object.
 */
export type ReadEvidence = (snapshot: Snapshot, signal: AbortSignal) => Promise<LineageEvidence | null>

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
