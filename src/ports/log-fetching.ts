import type { Either } from 'fp-ts/lib/Either.js'
import type { BlobId } from '#protocol/atoms.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { LogFault } from '#protocol/transcripts/log-writes.js'
import type { ArchivedLog, ArchiveFile } from '#src/domain/transcripts/archive.js'
import type { Transcript } from '#src/domain/transcripts/transcript.js'
import type { LogFailures } from './transcripts.js'

/** A transcript to take. */
export interface LogRequest {
  readonly address: string
  /** The name that the archive gives it. */
  readonly name: string
  /** Headers of a raw request, which go only to the host of the address; null for a plain one. */
  readonly headers: Readonly<Record<string, string>> | null
  /** What the archive has of it, which no worse text replaces. */
  readonly archived: ArchivedLog | null
}

/** What came of a transcript. `over` is the text that the archive had when it was judged. */
export type TakenLog =
  | {
      readonly _tag: 'Text'
      readonly text: string
      readonly sidecar: string
      readonly over: BlobId | null
    }
  | { readonly _tag: 'Same'; readonly over: BlobId }
  | { readonly _tag: 'Failed'; readonly reason: LogFault; readonly status: number | null }

/** Fetches a transcript, judges it and reads it. Never rejects, and ends within its limits. */
export type TakeLog = (request: LogRequest, signal: AbortSignal) => Promise<TakenLog>

/** The failure markers of this host, as they are kept. Calls throw where the disk refuses. */
export interface LogAttempts extends LogFailures {
  /** Adds one attempt to the marker of an address; one that has expired begins again. */
  readonly failed: (address: string, reason: LogFault, status: number | null, nowMs: number) => void
  readonly taken: (address: string) => void
}

/** The fetching of transcripts on this host, and the texts of its archive. */
export interface LogFetching {
  /** Takes a transcript in turn: two at a time of a host. `isKept` records a failure. Never rejects. */
  readonly take: (request: LogRequest, isKept: boolean) => Promise<Either<RefusalOf<'Overloaded'>, TakenLog>>
  /** The committed text of a file of the archive; null where it cannot be read. Never rejects. */
  readonly read: (file: ArchiveFile) => Promise<Buffer | null>
  /** Parses in pieces, so that this thread answers requests in between. */
  readonly parse: (bytes: Uint8Array, name: string, address: string) => Promise<Transcript>
}
