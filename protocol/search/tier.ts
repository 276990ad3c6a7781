import * as t from 'io-ts'

/** The tiers of search, each an index of its own (B 4.4), in the order in which answers name them. */
export const tiers = ['lore', 'session', 'speech', 'external'] as const
export type Tier = (typeof tiers)[number]
export const Tier = t.keyof({ lore: null, session: null, speech: null, external: null }, 'Tier')

/** The packages that rank: wink-bm25-text-search, and FTS5 of SQLite. */
export const searchEngines = ['wink', 'fts5'] as const
export type SearchEngine = (typeof searchEngines)[number]
export const SearchEngine = t.keyof({ wink: null, fts5: null }, 'SearchEngine')
