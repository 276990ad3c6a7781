import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type NameKey, requirePath } from '#protocol/atoms.js'
import { readJson } from '#src/domain/json/json-text.js'
import { ledgerKey } from '#src/domain/lore/session-header.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { atOnce, forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { Meaning } from './closing/meaning.js'
import { parseJsonLinesInSlices } from './json-lines.js'
import type { CloseEntry, CloseLedger } from './session.js'

export const closeLedgerPath = requirePath('.svc/close/ledger.jsonl')

/** A row of the close ledger. Rows written before meanings were recorded have no `meaning`. */
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

/** Parses `.svc/close/ledger.jsonl` (LAYOUT); empty for null. Yields between lines. */
export const parseCloseLedgerInSlices = function* (file: SourceFile | null): Sliced<CloseLedger> {
  const { items, findings } = yield* parseJsonLinesInSlices(file, CloseLine, {
    kind: 'CloseLedgerLine',
    suggestion: 'Przywróć wiersz z historii: sesja, którą zamykał, liczy się jako otwarta.',
  })
  const entries: Array<CloseEntry> = []
  const keys = { close: new Set<NameKey>(), distribute: new Set<NameKey>() }
  const meanings = new Map<NameKey, Meaning>()
  yield* forEachInSlices(items, ({ header, op, at, by, source, meaning: recorded }) => {
    const meaning = Meaning.is(recorded) ? recorded : null
    entries.push({ header, op, at, by, source, meaning })
    const key = ledgerKey(header)
    keys[op].add(key)
    // For a session that two hosts closed, its first row with a meaning counts (D51).
    if (op === 'close' && meaning !== null && !meanings.has(key)) meanings.set(key, meaning)
  })
  return { entries, closed: keys.close, distributed: keys.distribute, meanings, findings }
}

/** Runs `parseCloseLedgerInSlices` to its end without yielding. */
export const parseCloseLedger = (file: SourceFile | null): CloseLedger =>
  atOnce(parseCloseLedgerInSlices(file))

/** The row in a line of the ledger; null when the line is no valid row. */
export const closeRowOf = (line: string): t.TypeOf<typeof CloseLine> | null => {
  const read = readJson(line)
  return isLeft(read) || !CloseLine.is(read.right) ? null : read.right
}

/** Whether a line closes a session without recording the meaning of its effects. */
export const lacksMeaning = (line: string): boolean => {
  const row = closeRowOf(line)
  return row !== null && row.op === 'close' && !Meaning.is(row.meaning)
}

/** The line with a meaning. Every other field stays, also those that a later release wrote. */
export const withMeaning = (line: string, meaning: Meaning): string => {
  const row = closeRowOf(line)
  return row === null ? line : JSON.stringify({ ...row, meaning })
}
