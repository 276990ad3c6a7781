import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { LanguageData } from '#src/domain/names/language-data.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'
import type { LemmaTable } from './lemma-offsets.js'

/** A file with the lemmas that its sidecar states. */
export interface SearchText {
  readonly file: SourceFile
  readonly stated: LemmaTable | null
}

/** What is read of a copy of a session to make its documents. */
export type CopyPlace = Pick<
  SessionCopy,
  'header' | 'key' | 'line' | 'endLine' | 'date' | 'dateEnd' | 'title'
>

/** The documents that are made of the text at `at` of a group. */
export type TextCut =
  | { readonly _tag: 'Lore' | 'Works'; readonly at: number }
  | { readonly _tag: 'Session'; readonly at: number; readonly copy: CopyPlace }
  | { readonly _tag: 'Pdf'; readonly at: number; readonly confidenceFloor: number }

/** A few texts, and the documents that are made of them, in their order. Every value can be cloned. */
export interface TextGroup {
  readonly texts: ReadonlyArray<SearchText>
  readonly cuts: ReadonlyArray<TextCut>
}

/** The texts of a tier, for another thread to make documents of. */
export interface TierTexts {
  /** Lemmas of the language data. */
  readonly lemmas: LanguageData['lemmas']
  /** The texts of these sources, in groups that make the documents of `TierContent.read` in its order. */
  readonly groups: (sources: ReadonlyArray<string>) => AsyncIterable<TextGroup>
}
