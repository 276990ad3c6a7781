import { randomBytes } from 'node:crypto'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { verifyJws } from '#src/adapters/jose.js'
import { tokenFields } from '#src/domain/events/audit-of.js'
import { callerByApiKey } from '#src/domain/identity/credentials/api-keys.js'
import {
  type FindTokenRecord,
  isExpired,
  loginCaller,
  loginToken,
  namedCaller,
  namedToken,
  type TokenRecord,
  tokenHash,
} from '#src/domain/identity/credentials/tokens.js'
import {
  type CredentialKind,
  type FoldedRefusals,
  foldRefusals,
  refusalFoldRule,
} from '#src/domain/limits/fold-refusals.js'
import {
  fleetResolver,
  type Prefix,
  type Resolve,
  type TellShown,
} from '#src/http/credentials/authenticate.js'
import type { Cancel, KernelClock } from '#src/kernel/time/clock.js'
import type {
  Login,
  LoginStore,
  MintFleet,
  MintLogin,
  MintPeer,
  NamedToken,
  NamedTokenStore,
  NamedTokens,
} from '#src/ports/identity.js'
import type { Audit, Meter } from '#src/ports/records.js'
import type { Log } from '../records/records.js'
import type { Checkout } from '../start/checkout.js'
import { orDiskRefused } from '../start/environment.js'

/** Writes refused credentials to the log and the audit stream, grouped (ADR 1021). */
export interface RefusalTeller {
  readonly tellToken: (network: string, requestId: string, method: string) => void
  readonly tellSignIn: (signIn: 'game' | 'chat', network: string, reason: string | null) => void
  /** Writes the counts of the current window, for a shutdown. */
  readonly end: () => void
}

/** Runs once after a delay; the timer does not keep the process alive. */
export const afterUnref: KernelClock['after'] = (delayMs, run) => {
  const timer = setTimeout(run, delayMs).unref()
  return () => clearTimeout(timer)
}

export const refusalTeller = ({ log, audit, nowMs, after }: RefusalPorts): RefusalTeller => {
  const fold = foldRefusals(refusalFoldRule)
  let cancel: Cancel = () => undefined
  const write = (fields: AuditFields): void =>
    audit({ action: 'credential.refused', actor: 'nobody', ...fields })
  const tellCounts = (all: ReadonlyArray<FoldedRefusals>): void => {
    for (const { kind, count, fromMs, toMs } of all) {
      const counted = { ...signInOf(kind), count, from: instantOf(fromMs), to: instantOf(toMs) }
      write(counted)
      log.warn('http.credential_refused', counted)
    }
  }
  const end = (): void => {
    cancel()
    tellCounts(fold.end(nowMs()))
  }
  const hasOwnLine = (kind: CredentialKind, network: string): boolean => {
    const step = fold.add(kind, network, nowMs())
    tellCounts(step.folded)
    if (step.isFirst) {
      cancel()
      cancel = after(refusalFoldRule.windowMs, end)
    }
    return step.hasOwnLine
  }
  return {
    tellToken: (network, requestId, method) => {
      if (!hasOwnLine('token', network)) return
      write({ requestId, method })
      log.warn('http.credential_refused', { requestId, method })
    },
    tellSignIn: (signIn, network, reason) => {
      if (hasOwnLine(signIn, network)) write({ signIn, reason })
    },
    end,
  }
}

/** The tokens that this host mints and accepts, beside the machine token. */
export interface HostTokens {
  /** The hash of the machine token. */
  readonly machineHash: Buffer
  readonly kinds: Readonly<Partial<Record<Prefix, Resolve>>>
  readonly mintLogin: MintLogin
  readonly mintPeer: MintPeer
  readonly named: NamedTokens
}

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
export const hostTokens = (setup: {
  readonly machineHash: Buffer
  readonly runtime: Checkout['runtime']
  readonly config: Config
  readonly bootMs: number
  readonly audit: Audit
  readonly mintFleet: MintFleet
  readonly mintPeer: MintPeer
}): HostTokens => {
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

/** The logins of this host: in memory for requests, on disk before their tokens are shown (D41). */
export interface Logins {
  readonly find: FindTokenRecord<Login>
  readonly mint: MintLogin
}

/** Loads the logins of the store. A login that the disk refuses is not minted. */
export const hostLogins = ({
  store,
  ttlMs,
  mintFleet,
  bootMs,
}: {
  readonly store: LoginStore
  readonly ttlMs: number
  readonly mintFleet: MintFleet
  /** Logins that have expired by then are not loaded. */
  readonly bootMs: number
}): Logins => {
  const held = new Map<string, TokenRecord<Login>>()
  for (const [hash, login] of store.outstanding(bootMs)) held.set(hash, keptOf(hash, login))
  return {
    find: hash => held.get(hash) ?? null,
    mint: async (who, nowMs) => {
      const token = loginToken(randomBytes(secretBytes))
      const hash = tokenHash(token).toString('hex')
      const { gameId, chatId } = who
      const login: Login = { gameId, chatId, createdMs: nowMs, expiresMs: nowMs + ttlMs }
      const swept = orDiskRefused('The login', () => store.keep(hash, login))
      if (isLeft(swept)) return swept
      for (const expired of swept.right) held.delete(expired)
      held.set(hash, keptOf(hash, login))
      return right({ token, expiresMs: login.expiresMs, fleet: await mintFleet(who, nowMs) })
    },
  }
}

/** The named tokens of this host: in memory for requests, on disk before they are shown. */
export interface HostNamedTokens extends NamedTokens {
  readonly find: FindTokenRecord<NamedToken>
}

/** Loads the named tokens of the store. Every mint and revocation goes to the audit stream. */
export const hostNamedTokens = (store: NamedTokenStore, audit: Audit, bootMs: number): HostNamedTokens => {
  const held = new Map<string, TokenRecord<NamedToken>>()
  for (const [hash, token] of store.outstanding(bootMs)) held.set(hash, keptTokenOf(hash, token))
  return {
    find: hash => held.get(hash) ?? null,
    mint: (wanted, nowMs) => {
      const id = randomBytes(idBytes).toString('hex')
      const token = namedToken(id, randomBytes(secretBytes))
      const hash = tokenHash(token).toString('hex')
      const { byToken, ...kept } = { ...wanted, id, createdMs: nowMs }
      const { by: actor, name } = wanted
      const line = {
        action: 'token.mint',
        actor,
        ...tokenFields(byToken),
        id,
        name,
        capabilities: wanted.capabilities.join(' '),
      } as const
      const swept = orDiskRefused('The token', () => store.keep(hash, kept, line))
      if (isLeft(swept)) return swept
      for (const expired of swept.right) held.delete(expired)
      held.set(hash, keptTokenOf(hash, kept))
      audit(line)
      return right({ token, kept })
    },
    list: nowMs =>
      [...held.values()].map(({ right: token }) => token).filter(token => !isExpired(token, nowMs)),
    revoke: (id, by, nowMs) => {
      const line = { action: 'token.revoke', actor: by.name, ...tokenFields(by.token), id } as const
      const gone = orDiskRefused('The revocation', () => store.forget(id, line, nowMs))
      if (isLeft(gone)) return gone
      for (const [hash, kept] of held) if (kept.right.id === id) held.delete(hash)
      audit(line)
      return gone
    },
  }
}

type AuditFields = Readonly<Record<string, string | number | null>>

interface RefusalPorts {
  readonly log: Pick<Log, 'warn'>
  readonly audit: Audit
  readonly nowMs: KernelClock['nowMs']
  readonly after: KernelClock['after']
}

const signInOf = (kind: CredentialKind): AuditFields => (kind === 'token' ? {} : { signIn: kind })

const methods = { sess_: 'session', fsess_: 'fleet', apik_: 'api', named_: 'named' } as const

const secretBytes = 32

const keptOf = (hash: string, login: Login): TokenRecord<Login> => ({
  hash: Buffer.from(hash, 'hex'),
  right: login,
})

const idBytes = 8

const keptTokenOf = (hash: string, token: NamedToken): TokenRecord<NamedToken> => ({
  hash: Buffer.from(hash, 'hex'),
  right: token,
})
