import type { ChatSettings } from '#src/domain/identity/announcements.js'
import type { GameSignIn } from '#src/http/credentials/game-sign-in.js'
import type { ChatSignIn } from '#src/http/credentials/id-token.js'
import type { GuildRoles } from '#src/ports/chat.js'
import type {
  ApiKeyDesk,
  Challenges,
  IsFirstShowing,
  MintLogin,
  NamedTokens,
  TellAttempt,
} from '#src/ports/identity.js'

interface SignInDeps {
  /** Outstanding challenges of sign-in, on this host (A 4.3). */
  readonly challenges: Challenges
  /** Mints the tokens of a sign-in (A 4.3). */
  readonly mintLogin: MintLogin
  /** Called at the end of every sign-in. */
  readonly attempted: TellAttempt
}

export interface GameSignInDeps extends SignInDeps {
  readonly gameSignIn: GameSignIn
}

export interface ChatSignInDeps extends SignInDeps {
  readonly chatSignIn: ChatSignIn
  /** Asked for an id token without a nonce, just before it opens a session (D42). */
  readonly isFirstShowing: IsFirstShowing
}

export interface TokensDeps {
  readonly namedTokens: NamedTokens
}

export interface ApiKeysDeps {
  /** Creates api keys and hands them over (D39). */
  readonly apiKeys: ApiKeyDesk
}

export interface ChatWorkflowsDeps {
  /** The chat settings of the configuration. */
  readonly chat: ChatSettings
  /** Roles of the guild, for the by-chat workflows (A 4.4). */
  readonly guildRoles: GuildRoles
}

export type IdentityDeps = GameSignInDeps & ChatSignInDeps & TokensDeps & ApiKeysDeps & ChatWorkflowsDeps
