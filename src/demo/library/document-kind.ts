import { type Template, template } from '../template.js'

/** Whether a document is part of the game's world. */
export type DemoDiegesis = 'in-game' | 'out-of-game' | 'mixed'

/** Who vouches for a document. */
export type DemoAuthority = 'rada' | 'player-ip' | 'external'

/**
 * A section: its heading, null for the text below the title, and the sentences that it draws from. Slots: N, M, P are
 * people, K a town, L a place, G and H groups, I a thing.
 */
export interface DocumentPart {
  readonly heading: string | null
  readonly sentences: ReadonlyArray<Template>
  /** How many sentences a document has of it; all of them where it has fewer. */
  readonly count: number
}

/** Documents of one folder of the works tree that are written alike. */
export interface DocumentKind {
  readonly folder: string
  /** One for each document. */
  readonly titles: ReadonlyArray<Template>
  /** What the leading list states; null: the documents have no list. */
  readonly standing: { readonly diegesis: DemoDiegesis; readonly authority: DemoAuthority } | null
  readonly parts: ReadonlyArray<DocumentPart>
}

export const documentPart = (
  heading: string | null,
  count: number,
  sentences: ReadonlyArray<string>,
): DocumentPart => ({ heading, sentences: sentences.map(template), count })

/** The same title pattern for `count` documents, each with names of its own. */
export const repeatTitle = (title: string, count: number): ReadonlyArray<Template> =>
  Array.from({ length: count }, () => template(title))
