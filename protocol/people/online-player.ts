import * as t from 'io-ts'

/** A player as the roster or the ledger shows them. `nickKey` is the key of the nick, by which it is compared. */
export const OnlinePlayer = t.readonly(
  t.type({ nick: t.string, nickKey: t.string, gameId: t.string, charId: t.string }),
  'OnlinePlayer',
)
export type OnlinePlayer = t.TypeOf<typeof OnlinePlayer>

/** The key by which a request asks for a player: that of a nick, or a game id. */
export const PlayerKey = t.union(
  [
    t.readonly(t.type({ by: t.literal('nick'), key: t.string })),
    t.readonly(t.type({ by: t.literal('gameId'), gameId: t.string })),
  ],
  'PlayerKey',
)
export type PlayerKey = t.TypeOf<typeof PlayerKey>
