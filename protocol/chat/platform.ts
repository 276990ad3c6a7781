import * as t from 'io-ts'
import { Snowflake } from '../atoms/snowflake.js'

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

export const PlatformMessage = t.strict({ id: Snowflake, channel_id: Snowflake }, 'PlatformMessage')

/** Body of an answer of 4xx; that of a 429 has the last two. */
export const PlatformError = t.partial(
  { code: t.number, retry_after: t.number, global: t.boolean },
  'PlatformError',
)
