import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type NameKey, requirePath } from '#protocol/atoms.js'
import { parseJson, readJson } from '#src/domain/json/json-text.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { ledgerKey } from '#src/domain/lore/session-header.js'
import { atOnce, forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { type CloseEntry, type CloseLedger, Meaning } from './session.js'

export const closeLedgerPath = requirePath('.svc/close/ledger.jsonl')

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

/** Runs `parseJsonLinesInSlices` to its end without yielding. */
export const readJsonLines = <A>(...args: Parameters<typeof parseJsonLinesInSlices<A>>): JsonLines<A> =>
  atOnce(parseJsonLinesInSlices<A>(...args))

/** A row of the close ledger. Rows written before meanings were recorded have no `meaning`. */
const CloseLine = t.intersection([
  t.type({
    header: t.string,
    op: t.keyof({ close: null, distribute: null }),
    at: t.string,
    by: t.string,
    source: t.keyof({ adoption: null, close: null }),
  }),
  t.partial({ meaning: t.unknown }),
])

/** The valid lines of a JSON-lines file; every other line that is not blank is a finding. */
interface JsonLines<A> {
  readonly items: ReadonlyArray<A>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * Parses a JSON-lines file. `kind` and `suggestion` are used in the finding of an invalid line. Yields
 * between lines.
 */
const parseJsonLinesInSlices = function* <A>(
  file: SourceFile | null,
  codec: t.Type<A, unknown, unknown>,
  finding: { readonly kind: string; readonly suggestion: string },
): Sliced<JsonLines<A>> {
  const items: Array<A> = []
  const findings: Array<Finding> = []
  if (file === null) return { items, findings }
  yield* forEachInSlices(rawLines(file.text).entries(), ([at, line]) => {
    if (line.trim() === '') return
    const item = codec.decode(parseJson(line))
    if (isLeft(item))
      findings.push({
        ...finding,
        severity: 'error',
        file: file.path,
        line: at + 1,
        subject: null,
        reason: 'Wiersz nie jest wpisem tego pliku i został pominięty.',
      })
    else items.push(item.right)
  })
  return { items, findings }
}
