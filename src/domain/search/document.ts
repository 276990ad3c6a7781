import type { BlobId, Tier } from '#protocol/atoms.js'
import type { TierTexts } from './texts/lemma-sidecar.js'

/** An inclusive range of days, `YYYY-MM-DD`. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/** What an index remembers of a document, and a hit shows of it. Every value can be cloned. */
export interface DocumentHead {
  /** Unique in its tier. */
  readonly id: string
  /**
   * The file or transcript that the document is a part of. An answer shows one document of a source, its best;
   * a source is also what the index replaces as a whole.
   */
  readonly source: string
  readonly kind: string
  readonly path: string
  /** The blob that the snippet is read from; null where the text is in no git object. */
  readonly blob: BlobId | null
  /** The bytes of the text in the blob, `to` exclusive. */
  readonly bytes: { readonly from: number; readonly to: number }
  /** The first line of the text, counted from 1; null for a document that is a whole file. */
  readonly line: number | null
  readonly title: string
  readonly header: string | null
  /** Null for an undated document: no bound of days admits it. */
  readonly day: DayRange | null
  /** Null for a document that states none: no bound of diegesis admits it. */
  readonly diegesis: string | null
  readonly authority: string
  /** Which readers may see the document, as a word that `RankFilter.visibilities` lists. */
  readonly visibility: string
}

/** A document with its words. */
export interface SearchDocument extends DocumentHead {
  /**
   * The words in the order of the text, reduced as those of a query are; a word that weighs more is repeated.
   * No word is empty, has a blank or is longer than `termCharsMax`.
   */
  readonly terms: ReadonlyArray<string>
}

/** A longer word is not indexed, and no query finds it. */
export const termCharsMax = 128

/** The sources of a tier at one moment, and their documents. */
export interface TierContent {
  /** Names the state of all sources, such as a commit: equal stamps mean equal documents. */
  readonly stamp: string
  /** The version of each source: equal versions mean equal documents. */
  readonly sources: ReadonlyMap<string, string>
  /**
   * The documents of these sources, in slices between which other work runs. Every document of a source comes
   * before the first of the next one.
   */
  readonly read: (sources: ReadonlyArray<string>) => AsyncIterable<ReadonlyArray<SearchDocument>>
  /** What `read` makes the documents of; null where the documents are made of no files. */
  readonly texts: TierTexts | null
}

/** Supplies the documents of one tier. */
export interface DocumentPort {
  readonly tier: Tier
  /** The newest content; null while it is not known yet. It is cheap while nothing changed. */
  readonly current: () => TierContent | null
  /** Registers a callback, which runs after each change of `current`. */
  readonly watch: (changed: () => void) => void
}

/** The port of a tier that nothing supplies documents for yet. */
export const emptyDocuments = (tier: Tier): DocumentPort => ({
  tier,
  current: () => noContent,
  watch: () => undefined,
})

const noContent: TierContent = {
  stamp: 'empty',
  sources: new Map(),
  read: async function* () {
    // A tier without sources has no documents.
  },
  texts: null,
}
