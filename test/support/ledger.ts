import { refRowOf } from '#protocol/lore/ledger.js'
import type { Ledger } from '#src/domain/ledger/calendar.js'
import { ledgerOf } from '#src/domain/ledger/ledger-file.js'
import { stateOf } from '#src/domain/ledger/state.js'
import { day, sourceFile } from './world.js'

/** A line of a ledger file as an object. */
export type LedgerFields = Readonly<Record<string, unknown>>

export const cited = [{ post: 'forum/1', author: 'Sandro', quote: 'Ogłaszam.' }]

export const line = (
  seq: number,
  date: string,
  op: string,
  subject: string,
  more: LedgerFields = {},
): LedgerFields => ({
  seq,
  date,
  op,
  subject,
  evidence: cited,
  ...more,
})

export const linesText = (lines: ReadonlyArray<LedgerFields>): string =>
  lines.map(each => JSON.stringify(each)).join('\n')

export const ledgerFrom = (ref: string, lines: ReadonlyArray<LedgerFields>): Ledger =>
  ledgerOf([sourceFile(`governance/ledger/${ref}.jsonl`, linesText(lines))], { path: 'works', commit: null })

export const stateAt = (ref: string, lines: ReadonlyArray<LedgerFields>, at: string) => {
  const row = refRowOf(ref)
  if (row === null) throw new Error(`no ref ${ref}`)
  return stateOf(ledgerFrom(ref, lines), row, day(at))
}

export const kindsOfFindings = (ref: string, lines: ReadonlyArray<LedgerFields>): ReadonlyArray<string> =>
  ledgerFrom(ref, lines).findings.map(finding => finding.kind)
