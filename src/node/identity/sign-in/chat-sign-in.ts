import type { KeyKeeperMessage } from '#actors/key-keeper.js'
import type { Config, ConfigName } from '#protocol/config.js'
import { verifyJws } from '#src/adapters/jose.js'
import type { ChatSignIn } from '#src/http/credentials/authenticate.js'
import type { Ref } from '#src/kernel/actor/ref.js'
import { signInKeys } from './sign-in-keys.js'

const needed = [
  'integrations.chat.client_id',
  'integrations.chat.issuer',
  'integrations.chat.jwks_url',
] as const satisfies ReadonlyArray<ConfigName>

/** The empty settings that keep chat sign-in off. */
const empty = (config: Config): ReadonlyArray<ConfigName> => needed.filter(key => config[key] === '')

/** The missing settings where at least one of them is set: the operator probably forgot them. */
export const listUnsetForChat = (config: Config): ReadonlyArray<ConfigName> => {
  const missing = empty(config)
  return missing.length === needed.length ? [] : missing
}

/** Chat sign-in of this host: off unless client, issuer and key URL are configured (A 4.3). */
export const chatSignInOf = (config: Config, keeper: Ref<KeyKeeperMessage>): ChatSignIn => {
  const { chat, verified } = signInKeys(keeper)
  return {
    rules:
      empty(config).length === 0
        ? { clientId: config['integrations.chat.client_id'], issuer: config['integrations.chat.issuer'] }
        : null,
    keysBy: chat,
    verified,
    verify: verifyJws,
  }
}
