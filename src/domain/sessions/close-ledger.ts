import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { fixedPath } from '#protocol/atoms/path.js'
import { readJson } from '#src/domain/json/json-text.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { Meaning } from './closing/meaning.js'
import { slicedJsonLines } from './json-lines.js'
import type { CloseEntry, CloseLedger } from './session.js'

export const closeLedgerPath = fixedPath('.svc/close/ledger.jsonl')

/** A row of the close ledger. Rows written before meanings were recorded have none. */
export const CloseLine = t.intersection([
  t.type({
    header: t.string,
    op: t.keyof({ close: null, distribute: null }),
    at: t.string,
    by: t.string,
    source: t.keyof({ adoption: null, close: null }),
  }),
  t.partial({ meaning: t.unknown }),
])

const keysOf = (entries: ReadonlyArray<CloseEntry>, op: CloseEntry['op']): ReadonlySet<string> =>
  new Set(entries.filter(entry => entry.op === op).map(entry => sessionKey(entry.header)))

/** What each closed session meant, by key; a session that two hosts closed meant what its first row says (D51). */
const meaningsOf = (entries: ReadonlyArray<CloseEntry>): ReadonlyMap<string, Meaning> => {
  const meanings = new Map<string, Meaning>()
  for (const { header, op, meaning } of entries) {
    const key = sessionKey(header)
    if (op === 'close' && meaning !== null && !meanings.has(key)) meanings.set(key, meaning)
  }
  return meanings
}

/** `.svc/close/ledger.jsonl` (LAYOUT); null when the repository has none. Rests between its lines. */
export const slicedCloseLedger = function* (file: SourceFile | null): Sliced<CloseLedger> {
  const { items, findings } = yield* slicedJsonLines(file, CloseLine, {
    kind: 'CloseLedgerLine',
    suggestion: 'Przywróć wiersz z historii: sesja, którą zamykał, liczy się jako otwarta.',
  })
  const entries = items.map(
    ({ header, op, at, by, source, meaning }): CloseEntry => ({
      header,
      op,
      at,
      by,
      source,
      meaning: Meaning.is(meaning) ? meaning : null,
    }),
  )
  return {
    entries,
    closed: keysOf(entries, 'close'),
    distributed: keysOf(entries, 'distribute'),
    meanings: meaningsOf(entries),
    findings,
  }
}

/** The same at one go. */
export const parseCloseLedger = (file: SourceFile | null): CloseLedger => atOnce(slicedCloseLedger(file))

/** The row that a line of the ledger holds; null when it holds none. */
export const closeRowOf = (line: string): t.TypeOf<typeof CloseLine> | null => {
  const read = readJson(line)
  return isLeft(read) || !CloseLine.is(read.right) ? null : read.right
}

/** Whether a line closes a session without saying what its effects meant. */
export const lacksMeaning = (line: string): boolean => {
  const row = closeRowOf(line)
  return row !== null && row.op === 'close' && !Meaning.is(row.meaning)
}

/** The line with a meaning; every other field stays, those of later releases too. */
export const withMeaning = (line: string, meaning: Meaning): string => {
  const row = closeRowOf(line)
  return row === null ? line : JSON.stringify({ ...row, meaning })
}
