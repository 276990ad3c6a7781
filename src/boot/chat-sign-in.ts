import type { KeyKeeperMessage } from '#actors/key-keeper/messages.js'
import type { Config } from '#protocol/config/keys.js'
import { verifyJws } from '#src/adapters/jose.js'
import type { ChatSignIn } from '#src/http/id-token.js'
import type { Ref } from '#src/kernel/ref.js'
import { keyUrl, signingKeys } from './signing-keys.js'

/** Chat sign-in of this host: off unless it is told the client, the issuer and where the keys are (A 4.3). */
export const chatSignInOf = (config: Config, keeper: Ref<KeyKeeperMessage>): ChatSignIn => {
  const clientId = config['integrations.chat.client_id']
  const issuer = config['integrations.chat.issuer']
  const isOn = clientId !== '' && issuer !== '' && keyUrl(config, 'jwks') !== ''
  return {
    rules: isOn ? { clientId, issuer } : null,
    keysBy: signingKeys(keeper).chat,
    verify: verifyJws,
  }
}
