import type { Either } from 'fp-ts/lib/Either.js'
import type { Snowflake } from '#protocol/atoms.js'
import type { ChatCall, ChatFailure, Heard, PlatformChannel } from '#protocol/chat/platform.js'
import type { GuildRole } from './identity/guild-roles.js'

export interface ChatMessage {
  readonly channelId: Snowflake
  readonly content: string
  /**
   * Up to 25 characters. The platform treats a second message with the same nonce within minutes as the same
   * message.
   */
  readonly nonce: string
}

/**
 * The chat platform, as this host calls it (A 4.4). Never rejects; every call is answered within its time
 * limit.
 */
export interface ChatPort {
  readonly guildRoles: (guildId: Snowflake) => Promise<Either<ChatFailure, ReadonlyArray<GuildRole>>>
  /** Channels and categories of the guild. */
  readonly guildChannels: (guildId: Snowflake) => Promise<Either<ChatFailure, ReadonlyArray<PlatformChannel>>>
  /** Sends a text that pings no member; returns the id of the message. */
  readonly createMessage: (message: ChatMessage) => Promise<Either<ChatFailure, Snowflake>>
}

/** Makes one attempt of a call, at most `timeoutMs` long. Never rejects. */
export type MakeCall = (call: ChatCall, timeoutMs: number, signal: AbortSignal) => Promise<Heard>
