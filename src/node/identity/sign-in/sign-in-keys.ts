import { isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import type { KeyKeeperMessage, KeyKeeperSetup, KeysAnswer } from '#actors/key-keeper.js'
import type { Config } from '#protocol/config.js'
import { ask, type Ref, tell } from '#src/kernel/actor/ref.js'
import type { KeySource, KeysAway, SignInKey, SignInKeys, VerifyKey } from '#src/ports/identity.js'

/** Longer than a fetch may take. */
const askDeadlineMs = 8_000

/** The URL of a source's keys; empty: this host has none. */
export const keyUrl = (config: Config, source: KeySource): string =>
  config[source === 'game' ? 'integrations.game.signing_key_url' : 'integrations.chat.jwks_url']

/** How long keys are cached, and which sources are configured. */
export const keyKeeperSetup = (config: Config): KeyKeeperSetup => {
  const kept = (source: KeySource, ttlMs: number): KeyKeeperSetup[KeySource] =>
    keyUrl(config, source) === '' ? null : { ttlMs }
  return {
    game: kept('game', config['integrations.game.signing_key_cache_ttl_s'] * 1_000),
    jwks: kept('jwks', config['integrations.chat.jwks_cache_ttl_min'] * 60_000),
  }
}

const rs256Keys = (keys: ReadonlyArray<SignInKey>): ReadonlyArray<VerifyKey> =>
  keys.map(({ key }) => ({ alg: 'RS256', key }))

const away: KeysAway = { _tag: 'KeysAway', why: 'unreachable' }

/** The keys for sign-in. A keeper that is down, full or abandoned counts as having no keys. */
export const signInKeys = (keeper: Ref<KeyKeeperMessage>): SignInKeys => {
  const asked = async (source: KeySource, kid: string | null): Promise<KeysAnswer> => {
    const answer = await ask<KeyKeeperMessage, KeysAnswer>(
      keeper,
      replyTo => ({ _tag: 'Ask', source, kid, replyTo }),
      askDeadlineMs,
    )
    return isLeft(answer) ? left(away) : answer.right
  }
  return {
    game: async () => {
      const keys = await asked('game', null)
      if (isLeft(keys)) return keys
      const [first] = keys.right
      return first === undefined ? left(away) : right(first.key)
    },
    chat: async kid => map(rs256Keys)(await asked('jwks', kid)),
    verified: kid => void tell(keeper, { _tag: 'Verified', source: 'jwks', kid }),
  }
}
