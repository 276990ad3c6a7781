/** One write that a client asked for: `text` stands nowhere else in the world. */
export interface Entry {
  readonly text: string
  /** `acked` by a 2xx, with the commit it named; `open` when no answer came or another one. */
  readonly fate: { readonly _tag: 'acked'; readonly commit: string } | { readonly _tag: 'open' }
}

/** What the clients know: the truth that the repository is held against. */
export interface Ledger {
  readonly entries: ReadonlyArray<Entry>
  /** A text that was in no write before. */
  readonly fresh: () => string
  readonly record: (entry: Entry) => void
}

export const openLedger = (): Ledger => {
  const entries: Array<Entry> = []
  let count = 0
  return {
    entries,
    fresh: () => {
      count += 1
      return `wpis-${String(count).padStart(5, '0')}`
    },
    record: entry => void entries.push(entry),
  }
}
