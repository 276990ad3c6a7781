import type { ChannelCensus, ChannelPair, Gracz, RosterItem } from '#protocol/lore/people.js'
import type { View } from '#src/domain/callers/caller.js'
import type { Character } from './characters.js'
import type { Channel, Contributor, People, Roster } from './roster.js'

/**
 * A listed person as the roster shows them (A 2.3): no key, no capability, and topics only where the view
 * allows them.
 */
export const rosterItem = (one: Contributor, view: View): RosterItem => ({
  name: one.person.name,
  gameId: one.gameId ?? '',
  poprzednieId: one.retiredIds,
  roles: unique(one.roles.map(role => role.name)),
  status: one.status,
  chat: one.chat.channels.map(reference),
  ...(view.mayReadRestricted ? { tematy: one.tematy } : {}),
  alias: one.aliases,
})

/** A Gracz, listed or not. */
export const graczAnswer = (one: Contributor, own: ReadonlyArray<Character>, view: View): Gracz => ({
  Name: one.person.name,
  Type: 'Gracz',
  GameId: one.gameId,
  PoprzednieId: one.retiredIds,
  Standing: one.standing,
  Status: one.status,
  Roles: unique(one.roles.map(role => role.name)),
  Chat: one.chat.channels.map(reference),
  ...(view.mayReadRestricted ? { Tematy: one.tematy } : {}),
  Aliases: one.aliases,
  Characters: own.filter(character => character.status !== 'Usunięty').map(character => character.name),
  File: one.person.file,
  Line: one.person.line,
})

/** The first channel of a person; nulls when there is none. */
export const channelPair = (one: Contributor): ChannelPair => {
  const first = one.chat.channels[0]
  return { name: one.person.name, channel: first?.channel ?? null, category: first?.category ?? null }
}

/**
 * The census of A 4.6.3: three states among the listed, and the blocks that are not listed, including further
 * blocks under a heading. `blocks` is the sum of `total`, `unlisted` and `retired`.
 */
export const channelCensus = (roster: Roster, { repeated }: People): ChannelCensus => {
  const count = (state: Contributor['chat']['state']): number =>
    roster.listed.filter(one => one.chat.state === state).length
  const standing = (wanted: Contributor['standing']): number =>
    roster.all.filter(one => one.standing === wanted).length
  return {
    count: roster.listed.length,
    total: roster.listed.length,
    set: count('set'),
    declined: count('declined'),
    missing: count('missing'),
    unlisted: standing('unlisted') + repeated.length,
    retired: standing('retired'),
    blocks: roster.all.length + repeated.length,
    items: roster.listed.map(one => ({ ...channelPair(one), state: one.chat.state })),
  }
}

const reference = ({ category, channel }: Channel): string => `${category}/${channel}`

const unique = (all: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(all)]
