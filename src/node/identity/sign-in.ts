import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import type {
  KeyKeeperMessage,
  KeyKeeperPorts,
  KeysAnswer,
  KeysFetched,
  KeyTtls,
} from '#actors/key-keeper.js'
import type { Config, ConfigName } from '#protocol/host/config.js'
import type { FetchTrouble } from '#protocol/host/outbound.js'
import { verifyJws } from '#src/adapters/jose.js'
import { fetchText } from '#src/adapters/outbound/fetch-text.js'
import { keyPrint } from '#src/domain/identity/credentials/key-documents.js'
import { ask, type Ref, tell } from '#src/kernel/actor/ref.js'
import { chatUserAgent } from '#src/node/package-files.js'
import { orDiskRefused } from '#src/node/start/environment.js'
import type { HostNode } from '#src/node/tree/node.js'
import type {
  ChatSignIn,
  GameSignIn,
  IsFirstShowing,
  KeySource,
  KeysAway,
  ShownIdTokenStore,
  SignInKey,
  SignInKeys,
  TellAttempt,
  VerifyKey,
} from '#src/ports/identity.js'
import type { Meter } from '#src/ports/records.js'
import type { RefusalTeller } from './tokens.js'

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

/** Whether this host sees an id token for the first time, by its store. */
export const firstShowingIn =
  (store: ShownIdTokenStore): IsFirstShowing =>
  (text, refusedFromMs, nowMs) =>
    orDiskRefused('The sign-in', () => store.keep(text, refusedFromMs, nowMs))

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

/** The ports of the key keeper on this host. */
export const keyKeeperPorts = ({ config, log, metrics, version }: HostNode): KeyKeeperPorts => ({
  fetchKeys: async (source, signal) =>
    outcomeOf(
      await fetchText(
        keyUrl(config, source),
        limits,
        signal,
        source === 'jwks' ? chatUserAgent(version) : null,
      ),
    ),
  fetched: (source, told) => {
    metrics.meter.count('svc_auth_key_fetches_total', { source, result: told.result })
    if (told.result === 'ok') log.info('key_fetched', { source, keys: told.keys.map(printKey) })
    else log.warn('key_fetch_failed', { source, result: told.result })
  },
})

/** Counts every sign-in, and writes refused credentials to the audit stream, grouped (SECURITY, ADR 1021). */
export const tellAttempt =
  (meter: Meter, { tellSignIn }: Pick<RefusalTeller, 'tellSignIn'>): TellAttempt =>
  (method, result, reason, network) => {
    meter.count('svc_auth_attempts_total', { method, result })
    if (result === 'refused') tellSignIn(method, network, reason)
  }

/** How long keys are cached, and which sources are configured. */
export const keyTtls = (config: Config): KeyTtls => {
  const kept = (source: KeySource, ttlMs: number): KeyTtls[KeySource] =>
    keyUrl(config, source) === '' ? null : { ttlMs }
  return {
    game: kept('game', config['integrations.game.signing_key_cache_ttl_s'] * 1_000),
    jwks: kept('jwks', config['integrations.chat.jwks_cache_ttl_min'] * 60_000),
  }
}

const needed = [
  'integrations.chat.client_id',
  'integrations.chat.issuer',
  'integrations.chat.jwks_url',
] as const satisfies ReadonlyArray<ConfigName>

/** The empty settings that keep chat sign-in off. */
const empty = (config: Config): ReadonlyArray<ConfigName> => needed.filter(key => config[key] === '')

const limits = { timeoutMs: 5_000, bytesMax: 64 * 1024 }

const outcomeOf = (fetched: Either<FetchTrouble, string>): KeysFetched['outcome'] =>
  isLeft(fetched) ? { _tag: 'Failed', why: fetched.left } : { _tag: 'Text', text: fetched.right }

/** Public data that shows in the log whether the key or the signature was wrong. */
const printKey = ({ kid, key }: SignInKey) => ({ kid, spki: keyPrint(key) })

/** Longer than a fetch may take. */
const askDeadlineMs = 8_000

/** The URL of a source's keys; empty: this host has none. */
const keyUrl = (config: Config, source: KeySource): string =>
  config[source === 'game' ? 'integrations.game.signing_key_url' : 'integrations.chat.jwks_url']

const rs256Keys = (keys: ReadonlyArray<SignInKey>): ReadonlyArray<VerifyKey> =>
  keys.map(({ key }) => ({ alg: 'RS256', key }))

const away: KeysAway = { _tag: 'KeysAway', why: 'unreachable' }

/** The keys for sign-in. A keeper that is down, full or abandoned counts as having no keys. */
const signInKeys = (keeper: Ref<KeyKeeperMessage>): SignInKeys => {
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
