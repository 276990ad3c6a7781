import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { Snowflake } from '#protocol/atoms.js'
import type { ChatFailure } from '#protocol/chat/platform.js'
import type { Config } from '#protocol/config.js'
import { keepFetched } from '#src/adapters/outbound/fetch-text.js'
import { type FoundChannel, findChannel } from '#src/domain/chat/attempts.js'
import { noGuild } from '#src/domain/chat/failures.js'
import type { ChatPort } from '#src/ports/chat.js'
import type { ChannelName } from '#src/ports/records.js'

/** The channels of the configured guild by their names. */
export interface GuildChannels {
  /** Finds a channel in what is kept; where it is missing, in channels that are fetched once more. */
  readonly find: (name: ChannelName) => Promise<Either<ChatFailure, FoundChannel>>
  /** The next search fetches: a channel that is kept is gone. */
  readonly forget: () => void
}

/** The channels of the guild, kept for `integrations.chat.channel_cache_ttl_min`. */
export const guildChannelsOf = (
  config: Config,
  chat: Pick<ChatPort, 'guildChannels'>,
  monotonicMs: () => number,
): GuildChannels => {
  const guildId = Snowflake.decode(config['integrations.chat.guild_id'])
  if (isLeft(guildId)) return { find: () => Promise.resolve(left(noGuild)), forget: () => undefined }
  const channels = keepFetched({
    fetch: () => chat.guildChannels(guildId.right),
    ttlMs: config['integrations.chat.channel_cache_ttl_min'] * 60_000,
    monotonicMs,
  })
  return {
    find: async name => {
      const read = await channels.read(known => findChannel(known, name)._tag !== 'Missing')
      return isLeft(read) ? read : right(findChannel(read.right, name))
    },
    forget: channels.forget,
  }
}
