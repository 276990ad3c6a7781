import { foldSigns, nfc, type Snowflake } from '#protocol/atoms.js'
import type { PlatformChannel } from '#protocol/chat/platform.js'

/** The channels of a guild that have a name; `count` is how many of several. */
export type FoundChannel =
  | { readonly _tag: 'Found'; readonly id: Snowflake }
  | { readonly _tag: 'Missing' }
  | { readonly _tag: 'Several'; readonly count: number }

const categoryType = 4
/** Channels of texts and of announcements: the only ones that a message is sent to. */
const textTypes: ReadonlyArray<number> = [0, 5]

interface ChannelName {
  readonly category: string
  readonly channel: string
}

const channelsBy = (
  keyOf: (name: string) => string,
  channels: ReadonlyArray<PlatformChannel>,
  name: ChannelName,
): ReadonlyArray<PlatformChannel> => {
  const [category, channel] = [keyOf(name.category), keyOf(name.channel)]
  const parents = new Set(
    channels.filter(one => one.type === categoryType && keyOf(one.name) === category).map(one => one.id),
  )
  return channels.filter(
    ({ type, name: own, parent_id: parent }) =>
      textTypes.includes(type) && keyOf(own) === channel && typeof parent === 'string' && parents.has(parent),
  )
}

/**
 * Finds the channel of a name below the categories of a name. Names are compared letter by letter in NFC; where no
 * channel has such a name, by `foldSigns`.
 */
export const findChannel = (channels: ReadonlyArray<PlatformChannel>, name: ChannelName): FoundChannel => {
  const written = channelsBy(nfc, channels, name)
  const found = written.length > 0 ? written : channelsBy(foldSigns, channels, name)
  const [first, ...others] = found
  if (first === undefined) return { _tag: 'Missing' }
  return others.length > 0 ? { _tag: 'Several', count: found.length } : { _tag: 'Found', id: first.id }
}
