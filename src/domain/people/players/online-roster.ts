import { GameId, isNick, nameKey } from '#protocol/atoms.js'
import type { OnlinePlayer, PlayerKey } from '#protocol/people.js'
import { parseJson } from '#src/domain/json/parse-json.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'

/** A key as one text, for maps. */
export const playerKeyText = (key: PlayerKey): string =>
  key.by === 'nick' ? `nick ${key.key}` : `gameId ${key.gameId}`

/** The most rows of one roster. */
export const rosterRowsMax = 50_000

/** An id as text. A number counts as its digits; null for anything else. */
export const idText = (value: unknown): string | null => {
  const text = Number.isSafeInteger(value) ? String(value) : value
  return GameId.is(text) ? text.trim() : null
}

const fieldOf = (row: object, name: string): unknown => Object.getOwnPropertyDescriptor(row, name)?.value

/** A row `{nick, gameId, charId}`; null where a field is missing or has another type. */
export const playerOf = (row: unknown): OnlinePlayer | null => {
  if (typeof row !== 'object' || row === null) return null
  const nick = fieldOf(row, 'nick')
  const [gameId, charId] = [idText(fieldOf(row, 'gameId')), idText(fieldOf(row, 'charId'))]
  if (!isNick(nick) || gameId === null || charId === null) return null
  return { nick: nick.trim(), nickKey: nameKey(nick), gameId, charId }
}

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
