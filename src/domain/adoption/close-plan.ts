import type { Day, Instant, NameKey } from '#protocol/atoms.js'
import { ledgerKey, ledgerKeyOf } from '#src/domain/lore/session-header.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { closeRowOf, lacksMeaning, withMeaning } from '#src/domain/sessions/close-ledger.js'
import type { Meaning } from '#src/domain/sessions/closing/meaning.js'
import { type ClosingGround, recordMeaningsInSlices } from '#src/domain/sessions/closing/record-meaning.js'
import { mapInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { closingGroundInSlices } from './adopted-view.js'
import { extendText } from './ledger-plan.js'
import { treeOfFiles } from './sources.js'

/** For each row of the close ledger without a meaning, by its text: the files of the commit that added it. */
export type PastRows = ReadonlyMap<string, ReadonlyMap<string, SourceFile>>

type Files = ReadonlyMap<string, SourceFile>

const keyOfRow = (row: string): NameKey => ledgerKey(closeRowOf(row)?.header ?? '')

/**
 * The meanings of rows by their text, each computed from the repository at the time when the row was added.
 */
const meaningsOfRows = function* (past: PastRows): Sliced<ReadonlyMap<string, Meaning>> {
  const rowsOf = new Map<Files, Array<string>>()
  for (const [row, files] of past) {
    const rows = rowsOf.get(files)
    if (rows === undefined) rowsOf.set(files, [row])
    else rows.push(row)
  }
  const found = new Map<string, Meaning>()
  for (const [files, rows] of rowsOf) {
    const ground = yield* closingGroundInSlices(treeOfFiles(files.values()))
    const meanings = yield* recordMeaningsInSlices(ground, new Set(rows.map(keyOfRow)))
    for (const row of rows) {
      const meaning = meanings.get(keyOfRow(row))
      if (meaning !== undefined) found.set(row, meaning)
    }
  }
  return found
}

/**
 * The ledger with a meaning in each row that lacked one and whose commit could be read; every other byte is
 * kept.
 */
const upgradeText = function* (file: SourceFile | undefined, past: PastRows): Sliced<string | null> {
  const rows = new Map([...past].filter(([row]) => lacksMeaning(row)))
  if (file === undefined || rows.size === 0) return null
  const meanings = yield* meaningsOfRows(rows)
  return file.text
    .split('\n')
    .map(raw => {
      const line = raw.replace(/\r$/u, '')
      const meaning = meanings.get(line)
      return meaning === undefined ? raw : withMeaning(line, meaning) + raw.slice(line.length)
    })
    .join('\n')
}

/**
 * The close ledger with every session older than adoption closed, so that nothing is delivered or transferred
 * again. Only the first adoption closes sessions: in a stamped repository a session without a line is open,
 * and rows of an earlier release get the meaning of their sessions (D61). Null when nothing changes.
 */
export const planCloseLedger = function* (
  file: SourceFile | undefined,
  ground: ClosingGround,
  at: { readonly now: Instant; readonly today: Day; readonly stamped: boolean },
  past: PastRows,
): Sliced<string | null> {
  if (at.stamped) {
    const text = yield* upgradeText(file, past)
    return text === file?.text ? null : text
  }
  const { closed } = ground.closeLedger
  const old = ground.sessions.all.filter(
    session => session.date < at.today && !closed.has(ledgerKeyOf(session)),
  )
  const meanings = yield* recordMeaningsInSlices(ground, new Set(old.map(ledgerKeyOf)))
  const lines = yield* mapInSlices(old, session =>
    JSON.stringify({
      header: session.header,
      op: 'close',
      at: at.now,
      by: 'adoption',
      source: 'adoption',
      transfers: [],
      intel: [],
      meaning: meanings.get(ledgerKeyOf(session)),
    }),
  )
  return extendText(file, lines)
}
