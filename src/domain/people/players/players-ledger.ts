import { requirePath } from '#protocol/atoms.js'
import type { OnlinePlayer } from '#protocol/people.js'
import { parseJson } from '#src/domain/json/parse-json.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { firstFindings } from '#src/domain/lore/first-findings.js'
import { visitLinesInSlices } from '#src/domain/lore/lines/visit-lines.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { forEachNestedInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { sortInSlices } from '#src/domain/slicing/sort-in-slices.js'
import { playerOf } from './online-roster.js'

export const playersLedgerPath = requirePath('.svc/players/ledger.jsonl')

/** A line of the ledger: from `since` on, the account had this nick and this character. */
export interface PlayerRow extends OnlinePlayer {
  /** As written: a day, or an instant with its offset. */
  readonly since: string
  /** The same in milliseconds since 1970; a day begins at midnight UTC. */
  readonly sinceMs: number
}

/** The ledger of players (D57): which nicks a game id had. */
export interface PlayersLedger {
  /** The rows of each game id, oldest first; of one moment the later line is the newer row. */
  readonly byGameId: ReadonlyMap<string, ReadonlyArray<PlayerRow>>
  /** By the key of a nick the game ids that had it, the one that has it now or had it last first. */
  readonly byNick: ReadonlyMap<string, ReadonlyArray<string>>
  readonly findings: ReadonlyArray<Finding>
}

export const emptyPlayersLedger: PlayersLedger = { byGameId: new Map(), byNick: new Map(), findings: [] }

/** The most lines of the ledger that are read; blank lines do not count. */
export const playersLedgerLinesMax = 150_000
/** The longest line of a row; a nick has at most 200 characters, an id 64. */
const lineCharsMax = 2000

const moment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** Milliseconds since 1970 of a day or an instant; null for another text and for a day that no month has. */
const msOf = (text: unknown): number | null => {
  if (typeof text !== 'string' || !moment.test(text)) return null
  const ms = Date.parse(text)
  const dayMs = Date.parse(text.slice(0, 10))
  const isDay = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(text.slice(0, 10))
  return isDay && !Number.isNaN(ms) ? ms : null
}

const rowOf = (line: string): PlayerRow | null => {
  // What is no object is skipped without the cost of an exception.
  if (line.length > lineCharsMax || !line.trimStart().startsWith('{')) return null
  const value = parseJson(line)
  const player = playerOf(value)
  if (player === null || typeof value !== 'object' || value === null || !('since' in value)) return null
  const { since } = value
  const sinceMs = msOf(since)
  return sinceMs === null || typeof since !== 'string' ? null : { ...player, since, sinceMs }
}

const badLine =
  (file: SourceFile) =>
  (line: number): Finding => ({
    kind: 'PlayersLedgerLine',
    severity: 'error',
    file: file.path,
    line,
    subject: null,
    reason: 'Wiersz nie jest wpisem rejestru graczy z polami gameId, nick, charId i since; został pominięty.',
    suggestion: 'Popraw wiersz albo przywróć go z historii.',
  })

const furtherLines = (file: SourceFile, line: number): Finding => ({
  kind: 'PlayersLedgerAboveBound',
  severity: 'error',
  file: file.path,
  line,
  subject: null,
  reason: `Rejestr graczy ma więcej niż ${playersLedgerLinesMax} wierszy; ten i dalsze zostały pominięte.`,
  suggestion: 'Usuń wiersze o postaciach, których nikt już nie szuka.',
})

/** When a game id had a nick: last, and whether it has it now. */
interface Holder {
  readonly gameId: string
  readonly isCurrent: boolean
  readonly lastMs: number
}

const compareHolders = (one: Holder, other: Holder): number =>
  Number(other.isCurrent) - Number(one.isCurrent) ||
  other.lastMs - one.lastMs ||
  (one.gameId < other.gameId ? -1 : 1)

const holdersOf = function* (
  byGameId: PlayersLedger['byGameId'],
): Sliced<ReadonlyMap<string, ReadonlyArray<Holder>>> {
  const holders = new Map<string, Array<Holder>>()
  yield* forEachNestedInSlices(byGameId, function* ([gameId, rows]): Sliced<void> {
    const last = new Map<string, number>()
    for (const [at, row] of rows.entries()) {
      last.set(row.nickKey, row.sinceMs)
      if (at % 1024 === 1023) yield
    }
    const current = rows.at(-1)?.nickKey
    let added = 0
    for (const [nick, lastMs] of last) {
      added += 1
      if (added % 1024 === 0) yield
      const holder = { gameId, isCurrent: nick === current, lastMs }
      const known = holders.get(nick)
      if (known === undefined) holders.set(nick, [holder])
      else known.push(holder)
    }
  })
  return holders
}

/**
 * Parses `.svc/players/ledger.jsonl`; empty for null. A line that is no row is a finding and is skipped. Never
 * throws; yields between lines.
 */
export const readPlayersLedgerInSlices = function* (file: SourceFile | null): Sliced<PlayersLedger> {
  if (file === null) return emptyPlayersLedger
  const bad: Array<number> = []
  const above: Array<Finding> = []
  let read = 0
  const written = new Map<string, Array<PlayerRow>>()
  yield* visitLinesInSlices(file.text, (raw, line) => {
    if (raw.trim() === '') return true
    if (read === playersLedgerLinesMax) {
      above.push(furtherLines(file, line))
      return false
    }
    read += 1
    const row = rowOf(raw)
    if (row === null) bad.push(line)
    else {
      const known = written.get(row.gameId)
      if (known === undefined) written.set(row.gameId, [row])
      else known.push(row)
    }
    return true
  })
  const byGameId = new Map<string, ReadonlyArray<PlayerRow>>()
  yield* forEachNestedInSlices(written, function* ([gameId, rows]): Sliced<void> {
    const sorted =
      rows.length === 1 ? rows : yield* sortInSlices(rows, (one, other) => one.sinceMs - other.sinceMs)
    byGameId.set(gameId, sorted)
  })
  const byNick = new Map<string, ReadonlyArray<string>>()
  yield* forEachNestedInSlices(yield* holdersOf(byGameId), function* ([nick, holders]): Sliced<void> {
    const sorted = holders.length === 1 ? holders : yield* sortInSlices(holders, compareHolders)
    byNick.set(
      nick,
      sorted.map(({ gameId }) => gameId),
    )
  })
  return { byGameId, byNick, findings: [...firstFindings(bad, badLine(file)), ...above] }
}
