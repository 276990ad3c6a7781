import type { KeyKeeperMessage } from '#actors/key-keeper.js'
import type { Config } from '#protocol/config.js'
import type { GameSignIn } from '#src/http/credentials/authenticate.js'
import type { Ref } from '#src/kernel/actor/ref.js'
import { keyUrl, signInKeys } from './sign-in-keys.js'

/** Game sign-in of this host: off unless the URL of the game's key is configured (A 4.3). */
export const gameSignInOf = (config: Config, keeper: Ref<KeyKeeperMessage>): GameSignIn => ({
  rules:
    keyUrl(config, 'game') === ''
      ? null
      : {
          digest: config['integrations.game.signature_digest'],
          skewS: config['integrations.game.auth_timestamp_skew_s'],
          requireChallenge: config['integrations.game.require_challenge'],
        },
  key: signInKeys(keeper).game,
})
