import { left, right } from 'fp-ts/lib/Either.js'
import { escapeChatText, packTexts } from '#src/domain/chat/attempts.js'
import type { Notice } from '#src/domain/lore/changes.js'
import { personNamed, rosterOf } from '#src/domain/people/roster.js'
import { type MonthAward, noticeOf } from '#src/domain/points/award.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * The notices of a batch (FORMATS 6.5): for each player the characters in their order, in as few messages as take them
 * whole. The key is the batch, the player and the part. A character without a player is a notice that goes nowhere.
 */
export const awardNotices = (
  snapshot: Snapshot,
  batch: string,
  awards: ReadonlyArray<MonthAward>,
): ReadonlyArray<Notice> => {
  const owned = new Map<string, Array<MonthAward>>()
  const ownerless: Array<Notice> = []
  for (const award of awards) {
    const { character, player } = award
    if (player !== null) owned.set(player, [...(owned.get(player) ?? []), award])
    else
      ownerless.push({
        operation: 'pu',
        key: JSON.stringify([batch, null, character]),
        entity: character,
        to: left(`The Postać "${character}" has no Gracz. Give it an owner with @należy_do.`),
        text: awardText(award, '?'),
      })
  }
  const ofPlayers = [...owned].flatMap(([player, own]) => {
    const to = addressOfPlayer(snapshot, player)
    return packTexts(own.map(award => awardText(award, player))).map(
      (text, part): Notice => ({
        operation: 'pu',
        key: JSON.stringify([batch, player, part + 1]),
        entity: player,
        to,
        text,
      }),
    )
  })
  return [...ofPlayers, ...ownerless]
}

/** The channel of a Gracz today, or why there is none. */
export const addressOfPlayer = ({ people, day }: Snapshot, player: string): Notice['to'] => {
  const person = personNamed(people, player)
  const [channel] =
    (person === null ? undefined : rosterOf(people, day).of.get(person)?.chat.channels) ?? []
  return channel === undefined ? left(noChannel(player)) : right(channel)
}

const awardText = (award: MonthAward, player: string): string =>
  noticeOf({ ...award, character: escapeChatText(award.character), player: escapeChatText(player) })

const noChannel = (name: string): string =>
  `"${name}" has no channel: its @chat is missing, is not category/channel, or is BRAK.`
