import { randomBytes } from 'node:crypto'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { orDiskRefused } from '#src/boot/disk-refusal.js'
import type { FindKept, Kept } from '#src/identity/tokens/kept-token.js'
import { tokenHash } from '#src/identity/tokens/machine-token.js'
import { sessionToken } from '#src/identity/tokens/session-token.js'
import type { MintFleet, MintSession, Session, SessionStore } from '#src/ports/sessions.js'

/** The sessions of this host: in memory for every request, on disk before they are told (D41). */
export interface Sessions {
  readonly find: FindKept<Session>
  readonly mint: MintSession
}

export interface SessionSetup {
  readonly store: SessionStore
  readonly ttlMs: number
  readonly mintFleet: MintFleet
  /** Sessions that have expired by then are not taken up. */
  readonly bootMs: number
}

const secretBytes = 32

const keptOf = (hash: string, session: Session): Kept<Session> => ({
  hash: Buffer.from(hash, 'hex'),
  right: session,
})

/** Takes up the sessions of the store. A session that the disk refuses is not minted. */
export const hostSessions = ({ store, ttlMs, mintFleet, bootMs }: SessionSetup): Sessions => {
  const held = new Map<string, Kept<Session>>()
  for (const [hash, session] of store.outstanding(bootMs)) held.set(hash, keptOf(hash, session))
  return {
    find: hash => held.get(hash) ?? null,
    mint: async (who, nowMs) => {
      const token = sessionToken(randomBytes(secretBytes))
      const hash = tokenHash(token).toString('hex')
      const { gameId, chatId } = who
      const session: Session = { gameId, chatId, createdMs: nowMs, expiresMs: nowMs + ttlMs }
      const swept = orDiskRefused('The session', () => store.keep(hash, session))
      if (isLeft(swept)) return swept
      for (const expired of swept.right) held.delete(expired)
      held.set(hash, keptOf(hash, session))
      return right({ token, expiresMs: session.expiresMs, fleet: await mintFleet(who, nowMs) })
    },
  }
}
