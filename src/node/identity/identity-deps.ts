import type { IdentityDeps } from '#src/http/handlers/identity.js'
import { chatOf, guildRolesOf } from '../chat/chat-port.js'
import type { NodeParts } from '../tree/node-parts.js'
import { apiKeyDesk } from './api-key-desk.js'
import { chatSignInOf } from './sign-in/chat-sign-in.js'
import { firstShowingIn } from './sign-in/first-showing.js'
import { gameSignInOf } from './sign-in/game-sign-in.js'
import { tellAttempt } from './sign-in/sign-in-attempts.js'

/** What the front needs for sign-in, tokens and the chat. */
export const identityDeps = (parts: NodeParts): IdentityDeps => {
  const { config, metrics, tokens } = parts
  const { runtime } = parts.checkout
  const { chat, keys } = parts.tree.doors
  return {
    challenges: runtime.challenges,
    mintLogin: tokens.mintLogin,
    attempted: tellAttempt(metrics.meter, parts.refusals),
    gameSignIn: gameSignInOf(config, keys),
    chatSignIn: chatSignInOf(config, keys),
    isFirstShowing: firstShowingIn(runtime.shownIdTokens),
    namedTokens: tokens.named,
    apiKeys: apiKeyDesk(runtime.claims),
    chat: {
      guildId: config['integrations.chat.guild_id'],
      signInEnabled: config['integrations.chat.client_id'] !== '',
    },
    guildRoles: guildRolesOf(config, chatOf(config, parts.secrets, chat), parts.log),
  }
}
