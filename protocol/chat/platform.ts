import * as t from 'io-ts'
import { Snowflake } from '../atoms/snowflake.js'
import { shortListOf } from '../list.js'

/** The fields of the platform's answers that this host reads; others are dropped. */
export const PlatformRole = t.strict({ id: Snowflake, name: t.string }, 'PlatformRole')

/** A channel or a category (type 4); `parent_id` names the category of a channel. */
export const PlatformChannel = t.exact(
  t.intersection([
    t.type({ id: Snowflake, type: t.number, name: t.string }),
    t.partial({ parent_id: t.union([Snowflake, t.null]) }),
  ]),
  'PlatformChannel',
)
export type PlatformChannel = t.TypeOf<typeof PlatformChannel>

/** Twice as many as a guild can have: 250 roles, 500 channels. */
const rowsMax = 1_000
export const PlatformRoles = shortListOf(PlatformRole, rowsMax)
export const PlatformChannels = shortListOf(PlatformChannel, rowsMax)

export const PlatformMessage = t.strict({ id: Snowflake, channel_id: Snowflake }, 'PlatformMessage')

/** Body of an answer of 4xx; that of a 429 has the last two. */
export const PlatformError = t.partial(
  { code: t.number, retry_after: t.number, global: t.boolean },
  'PlatformError',
)
