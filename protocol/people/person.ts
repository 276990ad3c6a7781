import * as t from 'io-ts'
import { Status } from '#protocol/atoms/vocabulary.js'
import { IntegrityFinding } from '#protocol/finding.js'
import { listOf } from '#protocol/list.js'

const TextOrNull = t.union([t.string, t.null])
const Texts = t.readonlyArray(t.string)

/**
 * A person of the roster (A 2.3). `roles`, `status` and `alias` are those of the day. `chat` are channels as
 * `category/channel`. `tematy` is absent for a caller without `player.restricted.read`, null when there are
 * none.
 */
export const RosterItem = t.intersection(
  [
    t.type({
      name: t.string,
      gameId: t.string,
      poprzednieId: Texts,
      roles: Texts,
      status: Status,
      chat: Texts,
      alias: Texts,
    }),
    t.partial({ tematy: TextOrNull }),
  ],
  'RosterItem',
)
export type RosterItem = t.TypeOf<typeof RosterItem>

export const RosterAnswer = listOf(RosterItem, 'Roster')

/** The standing of a block of the store on the day (A 4.6.3). Only `listed` people are on the roster. */
export const Standing = t.keyof({ listed: null, unlisted: null, retired: null }, 'Standing')

/** A Gracz (A 2.3). `GameId` is null for a person who is not listed. `Tematy` as in the roster. */
export const Gracz = t.intersection(
  [
    t.type({
      Name: t.string,
      Type: t.literal('Gracz'),
      GameId: TextOrNull,
      PoprzednieId: Texts,
      Standing,
      Status,
      Roles: Texts,
      Chat: Texts,
      Aliases: Texts,
      /** Headings of the Postacie that are not deleted. */
      Characters: Texts,
      File: t.string,
      Line: t.number,
    }),
    t.partial({ Tematy: TextOrNull }),
  ],
  'Gracz',
)
export type Gracz = t.TypeOf<typeof Gracz>

/** The first channel of a person; both null when unset or declined (A 2.3). */
export const ChannelPair = t.type(
  { name: t.string, channel: TextOrNull, category: TextOrNull },
  'ChannelPair',
)
export type ChannelPair = t.TypeOf<typeof ChannelPair>

const ChannelState = t.keyof({ set: null, declined: null, missing: null }, 'ChannelState')

/**
 * The census of channels (A 4.6.3, D21): `total` = set + declined + missing, `blocks` = total + unlisted +
 * retired.
 */
export const ChannelCensus = t.type(
  {
    count: t.number,
    total: t.number,
    set: t.number,
    declined: t.number,
    missing: t.number,
    unlisted: t.number,
    retired: t.number,
    blocks: t.number,
    items: t.readonlyArray(
      t.type(
        { name: t.string, state: ChannelState, channel: TextOrNull, category: TextOrNull },
        'ChannelCensusItem',
      ),
    ),
  },
  'ChannelCensus',
)
export type ChannelCensus = t.TypeOf<typeof ChannelCensus>

export const ContributorFindings = listOf(IntegrityFinding, 'ContributorFindings')
