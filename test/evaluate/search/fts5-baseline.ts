import Database from 'better-sqlite3'
import type { KnownText } from './known-items.js'

/** FTS5 as it comes: `unicode61` without diacritics, and words joined by OR. */
export interface Fts5Baseline {
  /** The ids of the first ten texts, the best first. */
  readonly search: (words: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly close: () => void
}

export const openFts5Baseline = (texts: ReadonlyArray<KnownText>): Fts5Baseline => {
  const database = new Database(':memory:')
  database.exec(
    "CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, text, tokenize = 'unicode61 remove_diacritics 2')",
  )
  const insert = database.prepare('INSERT INTO texts (id, text) VALUES (?, ?)')
  database.transaction(() => {
    for (const { id, text } of texts) insert.run(id, text)
  })()
  const rank = database
    .prepare<[string], string>('SELECT id FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), id LIMIT 10')
    .pluck()
  return {
    search: words => rank.all(words.map(word => `"${word}"`).join(' OR ')),
    close: () => database.close(),
  }
}
