import { playerListMax, type ResolvedPlayer } from '#protocol/atoms.js'
import type { OnlinePlayer, PlayerKey } from '#protocol/people.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { PlayerRow, PlayersLedger } from './players-ledger.js'

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
