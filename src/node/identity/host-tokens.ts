import type { Config } from '#protocol/config.js'
import { verifyJws } from '#src/adapters/jose.js'
import { callerByApiKey } from '#src/domain/identity/api-keys.js'
import { loginCaller, namedCaller } from '#src/domain/identity/tokens.js'
import {
  fleetResolver,
  type Prefix,
  type Resolve,
  type TellShown,
} from '#src/http/credentials/authenticate.js'
import type { MintFleet, MintLogin, MintPeer, NamedTokens } from '#src/ports/identity.js'
import type { Audit, Meter } from '#src/ports/records.js'
import type { Checkout } from '../start/checkout.js'
import { hostLogins } from './logins.js'
import { hostNamedTokens } from './named-tokens.js'

/** The tokens that this host mints and accepts, beside the machine token. */
export interface HostTokens {
  /** The hash of the machine token. */
  readonly machineHash: Buffer
  readonly kinds: Readonly<Partial<Record<Prefix, Resolve>>>
  readonly mintLogin: MintLogin
  readonly mintPeer: MintPeer
  readonly named: NamedTokens
}

export interface TokenSetup {
  readonly machineHash: Buffer
  readonly runtime: Checkout['runtime']
  readonly config: Config
  readonly bootMs: number
  readonly audit: Audit
  readonly mintFleet: MintFleet
  readonly mintPeer: MintPeer
}

const methods = { sess_: 'session', fsess_: 'fleet', apik_: 'api', named_: 'named' } as const

/**
 * Counts, for each token that was shown, whether it was accepted. A refused `fsess_` token counts as `fleet`,
 * because its type is not verified.
 */
export const countShown =
  (meter: Meter): TellShown =>
  (prefix, caller) =>
    meter.count('svc_auth_attempts_total', {
      method: caller?.kind === 'peer' ? 'peer' : methods[prefix],
      result: caller === null ? 'refused' : 'accepted',
    })

/** Loads the tokens of a host from its runtime database. */
export const hostTokens = (setup: TokenSetup): HostTokens => {
  const { machineHash, runtime, config, bootMs, audit, mintFleet, mintPeer } = setup
  const logins = hostLogins({
    store: runtime.logins,
    ttlMs: config['integrations.game.session_ttl_s'] * 1000,
    mintFleet,
    bootMs,
  })
  const named = hostNamedTokens(runtime.namedTokens, audit, bootMs)
  return {
    machineHash,
    kinds: {
      sess_: loginCaller(logins.find),
      fsess_: fleetResolver(verifyJws),
      apik_: (token, snapshot) => (snapshot === null ? null : callerByApiKey(token, snapshot)),
      named_: namedCaller(named.find),
    },
    mintLogin: logins.mint,
    mintPeer,
    named,
  }
}
