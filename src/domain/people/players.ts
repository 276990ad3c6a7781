import { GameId, isNick, nameKey, playerListMax, type ResolvedPlayer, requirePath } from '#protocol/atoms.js'
import type { OnlinePlayer, PlayerKey } from '#protocol/lore/people.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { parseJson } from '#src/domain/json/json-text.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import { type SourceFile, visitLinesInSlices } from '#src/domain/lore/layout.js'
import {
  forEachInSlices,
  forEachNestedInSlices,
  type Sliced,
  sortInSlices,
} from '#src/domain/slicing/sliced.js'

export const playersLedgerPath = requirePath('.svc/players/ledger.jsonl')

/** The ledger of players (D57): which nicks a game id had. */
export interface PlayersLedger {
  /** The rows of each game id, oldest first; of one moment the later line is the newer row. */
  readonly byGameId: ReadonlyMap<string, ReadonlyArray<PlayerRow>>
  /** By the key of a nick the game ids that had it, the one that has it now or had it last first. */
  readonly byNick: ReadonlyMap<string, ReadonlyArray<string>>
  readonly findings: ReadonlyArray<Finding>
}

/** The most lines of the ledger that are read; blank lines do not count. */
export const playersLedgerLinesMax = 150_000

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

/** A key as one text, for maps. */
export const playerKeyText = (key: PlayerKey): string =>
  key.by === 'nick' ? `nick ${key.key}` : `gameId ${key.gameId}`

/** The most rows of one roster. */
export const rosterRowsMax = 50_000

/**
 * Reads the roster of the world: a JSON list of rows. Null where the text is no list, has too many rows, or
 * has rows and no valid one. Further fields are ignored, and so is an invalid row beside valid ones.
 */
export const readRosterInSlices = function* (text: string): Sliced<ReadonlyArray<OnlinePlayer> | null> {
  const rows = parseJson(text)
  if (!Array.isArray(rows) || rows.length > rosterRowsMax) return null
  const players: Array<OnlinePlayer> = []
  yield
  yield* forEachInSlices(rows, row => {
    const player = playerOf(row)
    if (player !== null) players.push(player)
  })
  return players.length === 0 && rows.length > 0 ? null : players
}

/** The first player of a roster for each thing sought, by `playerKeyText`. */
export const findPlayers = (
  players: ReadonlyArray<OnlinePlayer>,
  sought: ReadonlyArray<PlayerKey>,
): ReadonlyMap<string, OnlinePlayer> => {
  const nicks = new Map<string, string>()
  const ids = new Map<string, string>()
  for (const one of sought)
    if (one.by === 'nick') nicks.set(one.key, playerKeyText(one))
    else ids.set(one.gameId, playerKeyText(one))
  const found = new Map<string, OnlinePlayer>()
  for (const player of players)
    for (const text of [nicks.get(player.nickKey), ids.get(player.gameId)])
      if (text !== undefined && !found.has(text)) found.set(text, player)
  return found
}

/**
 * The player of the ledger whom a request means; null where the ledger has none. Of several game ids that had
 * the nick, the one that has it now or had it last is answered, and the others are listed.
 */
export const findRecordedPlayer = (ledger: PlayersLedger, sought: PlayerKey): ResolvedPlayer | null => {
  const gameIds = sought.by === 'nick' ? (ledger.byNick.get(sought.key) ?? []) : [sought.gameId]
  const [gameId = '', ...others] = gameIds
  const rows = ledger.byGameId.get(gameId) ?? noRows
  const current = rows.at(-1)
  if (current === undefined) return null
  const named = sought.by === 'nick' ? rows.findLast(row => row.nickKey === sought.key) : undefined
  return {
    gameId,
    nick: (named ?? current).nick,
    currentNick: current.nick,
    charId: current.charId,
    recorded: true,
    ...listsOf(rows, others),
  }
}

/** A player whom only the roster has under what was sought; the ledger may know earlier nicks of the game id. */
export const onlinePlayer = (
  ledger: PlayersLedger,
  { nick, gameId, charId }: OnlinePlayer,
): ResolvedPlayer => ({
  gameId,
  nick,
  currentNick: nick,
  charId,
  recorded: false,
  ...listsOf(ledger.byGameId.get(gameId) ?? noRows, []),
})

/** A line of the ledger: from `since` on, the account had this nick and this character. */
interface PlayerRow extends OnlinePlayer {
  /** As written: a day, or an instant with its offset. */
  readonly since: string
  /** The same in milliseconds since 1970; a day begins at midnight UTC. */
  readonly sinceMs: number
}

const emptyPlayersLedger: PlayersLedger = { byGameId: new Map(), byNick: new Map(), findings: [] }

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

/** An id as text. A number counts as its digits; null for anything else. */
const idText = (value: unknown): string | null => {
  const text = Number.isSafeInteger(value) ? String(value) : value
  return GameId.is(text) ? text.trim() : null
}

const fieldOf = (row: object, name: string): unknown => Object.getOwnPropertyDescriptor(row, name)?.value

/** A row `{nick, gameId, charId}`; null where a field is missing or has another type. */
const playerOf = (row: unknown): OnlinePlayer | null => {
  if (typeof row !== 'object' || row === null) return null
  const nick = fieldOf(row, 'nick')
  const [gameId, charId] = [idText(fieldOf(row, 'gameId')), idText(fieldOf(row, 'charId'))]
  if (!isNick(nick) || gameId === null || charId === null) return null
  return { nick: nick.trim(), nickKey: nameKey(nick), gameId, charId }
}

type Rows = ReadonlyArray<PlayerRow>
type Changes = ResolvedPlayer['charIdChanges']

/** The moments at which the character of an account became another one, oldest first. */
const charIdChangesIn = perValue((rows: Rows): Changes => {
  const changes: Array<Changes[number]> = []
  let before: PlayerRow | null = null
  for (const row of rows) {
    if (before !== null && before.charId !== row.charId)
      changes.push({ from: before.charId, to: row.charId, since: row.since })
    before = row
  }
  return changes
})

const noRows: Rows = []

const listsOf = (
  rows: Rows,
  otherGameIds: ReadonlyArray<string>,
): Pick<
  ResolvedPlayer,
  'history' | 'historyTotal' | 'charIdChanges' | 'charIdChangesTotal' | 'otherGameIds' | 'otherGameIdsTotal'
> => {
  const changes = charIdChangesIn(rows)
  return {
    history: rows.slice(-playerListMax).map(({ nick, charId, since }) => ({ nick, charId, since })),
    historyTotal: rows.length,
    charIdChanges: changes.slice(-playerListMax),
    charIdChangesTotal: changes.length,
    otherGameIds: otherGameIds.slice(0, playerListMax),
    otherGameIdsTotal: otherGameIds.length,
  }
}
