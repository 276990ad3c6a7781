import type { Snowflake } from '#protocol/atoms.js'
import type { ChatCall } from '#protocol/chat/platform.js'

const read = (route: string, guildId: Snowflake): ChatCall => ({
  method: 'GET',
  route,
  major: guildId,
  path: route.replace('{guild_id}', guildId),
  body: null,
  isMessage: false,
})

export const listGuildRoles = (guildId: Snowflake): ChatCall => read('/guilds/{guild_id}/roles', guildId)

export const listGuildChannels = (guildId: Snowflake): ChatCall =>
  read('/guilds/{guild_id}/channels', guildId)

export interface Message {
  readonly channelId: Snowflake
  readonly content: string
  /**
   * Up to 25 characters. The platform treats a message sent again with the same nonce within minutes as the
   * same one.
   */
  readonly nonce: string
}

/**
 * The call that posts a message. It disables all pings, because names in a text of the lore are only names.
 */
export const createMessage = ({ channelId, content, nonce }: Message): ChatCall => ({
  method: 'POST',
  route: '/channels/{channel_id}/messages',
  major: channelId,
  path: `/channels/${channelId}/messages`,
  body: JSON.stringify({ content, nonce, enforce_nonce: true, allowed_mentions: { parse: [] } }),
  isMessage: true,
})

/** A text for the first answer to an interaction, which its token alone identifies. */
export interface FollowUp {
  readonly applicationId: Snowflake
  readonly token: string
  readonly content: string
}

/** The call that replaces the first answer to an interaction. It disables all pings and needs no bot token. */
export const editOriginal = ({ applicationId, token, content }: FollowUp): ChatCall => ({
  method: 'PATCH',
  route: '/webhooks/{webhook_id}/{webhook_token}/messages/@original',
  major: applicationId,
  path: `/webhooks/${applicationId}/${encodeURIComponent(token)}/messages/@original`,
  body: JSON.stringify({ content, allowed_mentions: { parse: [] } }),
  isMessage: false,
})
