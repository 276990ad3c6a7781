import type { ChatSelfReport, WhoamiByChat } from '#protocol/chat/workflows.js'
import { resolveCapabilities } from '../rights/grade.js'
import { type IdentityGround, identitiesOf } from '../rights/identities.js'

/** The chat settings of this host; `guildId` is empty when registration is off. */
export interface ChatSettings {
  readonly guildId: string
  readonly signInEnabled: boolean
}

/**
 * The answer to a chat account about itself only (A 2.2). It has the number of the account's capabilities,
 * never their names.
 */
export const selfReport = (
  ground: IdentityGround,
  settings: ChatSettings,
  { chatId, guildId }: WhoamiByChat,
): ChatSelfReport => {
  const gameId = ground.bindings.byChat.get(chatId)?.gameId ?? null
  const known = gameId === null ? null : identitiesOf(ground).byGameId(gameId)
  const isOfGuild = guildId !== undefined && guildId !== '' && settings.guildId !== ''
  return {
    chatId,
    linked: gameId !== null,
    gameId: gameId ?? '',
    gracz: known?.identity.name ?? '',
    graczResolves: known !== null,
    guildMatches: isOfGuild ? guildId === settings.guildId : null,
    signInEnabled: settings.signInEnabled,
    registrationEnabled: settings.guildId !== '',
    capabilityCount: known === null ? 0 : resolveCapabilities(known.holds).length,
  }
}
