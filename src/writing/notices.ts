import { left, right } from 'fp-ts/lib/Either.js'
import { escapeChatText, packTexts } from '#src/domain/chat/attempts.js'
import { findRecorded } from '#src/domain/entities/reading.js'
import type { Notice } from '#src/domain/lore/changes.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { type Channel, channelOn, personNamed, rosterOf } from '#src/domain/people/roster.js'
import { type MonthAward, noticeOf } from '#src/domain/points/award.js'
import { intelTargetKey } from '#src/domain/sessions/intel-recipients.js'
import { type Meaning, type Session, sessionWithoutTopics } from '#src/domain/sessions/session.js'
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

/** The Intel of a session as messages, and whom of its recipients none reaches. */
export interface IntelMessages {
  readonly notices: ReadonlyArray<Notice>
  readonly withoutAddress: ReadonlyArray<{ readonly target: string; readonly name: string }>
}

/**
 * The messages of the Intel of a session: one for each entry and channel, with the recipients that have the channel
 * today. `recipients` are those of each target, on record or to be recorded with the close (FORMATS 4.6). An entry
 * that names restricted topics or has a credential is left out, as in every answer.
 */
export const intelMessages = (
  snapshot: Snapshot,
  session: Session,
  recipients: Meaning['recipients'],
): IntelMessages => {
  const reachedBy = new Map(
    recipients.map(({ target, blocks }) => [intelTargetKey(target), reach(snapshot, blocks)]),
  )
  const entries = sessionWithoutTopics(session).intel
  const notices = entries.flatMap(({ target, message }) =>
    [...(reachedBy.get(intelTargetKey(target))?.channels ?? [])].flatMap(([id, { channel, names }]) =>
      packTexts([intelHead(session, names), message]).map(
        (text, part): Notice => ({
          operation: 'Intel',
          key: JSON.stringify([ledgerKeyOf(session), target, message, id, part + 1]),
          entity: names[0] ?? '',
          to: right(channel),
          text,
        }),
      ),
    ),
  )
  const withoutAddress = [...new Set(entries.map(({ target }) => target))].flatMap(target =>
    (reachedBy.get(intelTargetKey(target))?.missing ?? []).map(name => ({ target, name })),
  )
  return { notices, withoutAddress }
}

/** The channel of a Gracz today, or why there is none. */
export const addressOfPlayer = ({ people, day }: Snapshot, player: string): Notice['to'] => {
  const person = personNamed(people, player)
  const [channel] = (person === null ? undefined : rosterOf(people, day).of.get(person)?.chat.channels) ?? []
  return channel === undefined ? left(noChannel(player)) : right(channel)
}

const awardText = (award: MonthAward, player: string): string =>
  noticeOf({ ...award, character: escapeChatText(award.character), player: escapeChatText(player) })

interface Reached {
  /** By the names of the channel. */
  readonly channels: ReadonlyMap<string, { readonly channel: Channel; readonly names: Array<string> }>
  readonly missing: ReadonlyArray<string>
}

/** The channels of blocks today, each with the headings that have it. */
const reach = (
  { entities, people, day }: Snapshot,
  blocks: Meaning['recipients'][number]['blocks'],
): Reached => {
  const channels = new Map<string, { readonly channel: Channel; readonly names: Array<string> }>()
  const missing: Array<string> = []
  for (const block of blocks) {
    const entity = findRecorded(entities, block)
    const channel = entity === null ? null : channelOn(people, entity, day)
    const name = entity?.name ?? block.heading
    if (channel === null) {
      missing.push(name)
      continue
    }
    const id = JSON.stringify([channel.category, channel.channel])
    const known = channels.get(id)
    if (known === undefined) channels.set(id, { channel, names: [name] })
    else known.names.push(name)
  }
  return { channels, missing }
}

/** The most recipients that a message names. */
const namedMax = 10

const intelHead = ({ title, date }: Session, names: ReadonlyArray<string>): string => {
  const named = names.slice(0, namedMax).map(escapeChatText).join(', ')
  const more = names.length > namedMax ? ` i jeszcze ${names.length - namedMax}` : ''
  return `Intel z sesji „${escapeChatText(title)}” (${date}) dla: ${named}${more}`
}

const noChannel = (name: string): string =>
  `"${name}" has no channel: its @chat is missing, is not category/channel, or is BRAK.`
