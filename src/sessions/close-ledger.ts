import * as t from 'io-ts'
import { atOnce, type Sliced } from '#src/lore/sliced.js'
import type { SourceFile } from '#src/lore/source-file.js'
import { sessionKey } from '#src/sessions/reading/header.js'
import { slicedJsonLines } from './json-lines.js'
import type { CloseEntry, CloseLedger } from './session.js'

const Line = t.type({
  header: t.string,
  op: t.keyof({ close: null, distribute: null }),
  at: t.string,
  by: t.string,
  source: t.keyof({ adoption: null, close: null }),
})

const keysOf = (entries: ReadonlyArray<CloseEntry>, op: CloseEntry['op']): ReadonlySet<string> =>
  new Set(entries.filter(entry => entry.op === op).map(entry => sessionKey(entry.header)))

/** `.svc/close/ledger.jsonl` (DECISIONS, Files); null when the repository has none. Rests between its lines. */
export const slicedCloseLedger = function* (file: SourceFile | null): Sliced<CloseLedger> {
  const { items, findings } = yield* slicedJsonLines<CloseEntry>(file, Line, {
    kind: 'CloseLedgerLine',
    suggestion: 'Przywróć wiersz z historii: sesja, którą zamykał, liczy się jako otwarta.',
  })
  const entries = items.map(({ header, op, at, by, source }) => ({ header, op, at, by, source }))
  return { entries, closed: keysOf(entries, 'close'), distributed: keysOf(entries, 'distribute'), findings }
}

/** The same at one go. */
export const parseCloseLedger = (file: SourceFile | null): CloseLedger => atOnce(slicedCloseLedger(file))
