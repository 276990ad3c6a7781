import type { Sqlite } from '../runtime/sqlite.js'

/** The words of an index with their numbers, and the sums of changes of their frequencies. */
export interface WordBook {
  /** The number of a word, which gets one here where it has none. */
  readonly idOf: (word: string) => number
  /** Notes that one document more, or less, has the word, and how often. */
  readonly count: (id: number, by: 1 | -1, most: number) => void
  /** Writes the sums. */
  readonly flush: () => void
}

export const openWordBook = (sqlite: Sqlite): WordBook => {
  const find = sqlite.prepare('SELECT id FROM word WHERE word = ?')
  const insert = sqlite.prepare('INSERT INTO word (word, documents, most) VALUES (?, 0, 1)')
  const update = sqlite.prepare('UPDATE word SET documents = documents + ?, most = max(most, ?) WHERE id = ?')
  const ids = new Map<string, number>()
  const changes = new Map<number, { by: number; most: number }>()
  return {
    idOf: word => {
      const known = ids.get(word)
      if (known !== undefined) return known
      if (find.column(word).length === 0) insert.run(word)
      const id = Number(find.column(word)[0])
      ids.set(word, id)
      return id
    },
    count: (id, by, most) => {
      const change = changes.get(id) ?? { by: 0, most: 1 }
      change.by += by
      change.most = Math.max(change.most, most)
      changes.set(id, change)
    },
    flush: () => {
      for (const [id, { by, most }] of changes) update.run(by, most, id)
      changes.clear()
    },
  }
}
