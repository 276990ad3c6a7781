import * as t from 'io-ts'

const nickCharsMax = 200

/** Whether a text can be a nick in the game: one line of at most 200 visible characters. */
export const isNick = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.length <= nickCharsMax &&
  text.trim() !== '' &&
  !/[\p{C}\u2028\u2029]/u.test(text)

/** The most entries of each list of an answer of `/players/resolve`; the newest are listed. */
export const playerListMax = 100

const PlayerNick = t.type({ nick: t.string, charId: t.string, since: t.string }, 'PlayerNick')

const CharIdChange = t.type({ from: t.string, to: t.string, since: t.string }, 'CharIdChange')

/**
 * A player by a nick or a game id (A 4.6.5). `recorded` is false for a player whom only the roster of the
 * world has.
 */
export const ResolvedPlayer = t.type(
  {
    gameId: t.string,
    nick: t.string,
    currentNick: t.string,
    charId: t.string,
    recorded: t.boolean,
    history: t.readonlyArray(PlayerNick),
    historyTotal: t.number,
    charIdChanges: t.readonlyArray(CharIdChange),
    charIdChangesTotal: t.number,
    otherGameIds: t.readonlyArray(t.string),
    otherGameIdsTotal: t.number,
  },
  'ResolvedPlayer',
)
export type ResolvedPlayer = t.TypeOf<typeof ResolvedPlayer>
