import { randomBytes } from 'node:crypto'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { tokenFields } from '#src/domain/events/audit-of.js'
import {
  type FindTokenRecord,
  isExpired,
  namedToken,
  type TokenRecord,
  tokenHash,
} from '#src/domain/identity/tokens.js'
import type { NamedToken, NamedTokenStore, NamedTokens } from '#src/ports/identity.js'
import type { Audit } from '#src/ports/records.js'
import { orDiskRefused } from '../start/disk-refusal.js'

/** The named tokens of this host: in memory for requests, on disk before they are shown. */
export interface HostNamedTokens extends NamedTokens {
  readonly find: FindTokenRecord<NamedToken>
}

const idBytes = 8
const secretBytes = 32

const keptTokenOf = (hash: string, token: NamedToken): TokenRecord<NamedToken> => ({
  hash: Buffer.from(hash, 'hex'),
  right: token,
})

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
