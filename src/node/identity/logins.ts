import { randomBytes } from 'node:crypto'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { type FindTokenRecord, loginToken, type TokenRecord, tokenHash } from '#src/domain/identity/tokens.js'
import type { Login, LoginStore, MintFleet, MintLogin } from '#src/ports/identity.js'
import { orDiskRefused } from '../start/disk-refusal.js'

/** The logins of this host: in memory for requests, on disk before their tokens are shown (D41). */
export interface Logins {
  readonly find: FindTokenRecord<Login>
  readonly mint: MintLogin
}

export interface LoginSetup {
  readonly store: LoginStore
  readonly ttlMs: number
  readonly mintFleet: MintFleet
  /** Logins that have expired by then are not loaded. */
  readonly bootMs: number
}

const secretBytes = 32

const keptOf = (hash: string, login: Login): TokenRecord<Login> => ({
  hash: Buffer.from(hash, 'hex'),
  right: login,
})

/** Loads the logins of the store. A login that the disk refuses is not minted. */
export const hostLogins = ({ store, ttlMs, mintFleet, bootMs }: LoginSetup): Logins => {
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
