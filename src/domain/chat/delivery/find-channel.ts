import { nfc } from '#protocol/atoms/nfc.js'
import type { Snowflake } from '#protocol/atoms/snowflake.js'
import type { PlatformChannel } from '#protocol/chat/platform.js'

/** The channels of a guild that have a name; `count` is how many of several. */
export type FoundChannel =
  | { readonly _tag: 'Found'; readonly id: Snowflake }
  | { readonly _tag: 'Missing' }
  | { readonly _tag: 'Several'; readonly count: number }

const categoryType = 4
/** Channels of texts and of announcements: the only ones that a message is sent to. */
const textTypes: ReadonlyArray<number> = [0, 5]

/** Finds the channel of a name below the categories of a name. Names are compared in NFC, letter by letter. */
export const findChannel = (
  channels: ReadonlyArray<PlatformChannel>,
  name: { readonly category: string; readonly channel: string },
): FoundChannel => {
  const [category, channel] = [nfc(name.category), nfc(name.channel)]
  const parents = new Set(
    channels.filter(one => one.type === categoryType && nfc(one.name) === category).map(one => one.id),
  )
  const found = channels.filter(
    ({ type, name: own, parent_id: parent }) =>
      textTypes.includes(type) && nfc(own) === channel && typeof parent === 'string' && parents.has(parent),
  )
  const [first, ...others] = found
  if (first === undefined) return { _tag: 'Missing' }
  return others.length > 0 ? { _tag: 'Several', count: found.length } : { _tag: 'Found', id: first.id }
}
