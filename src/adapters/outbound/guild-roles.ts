import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { ChatFailure } from '#protocol/chat/failure.js'
import type { GuildRole, GuildRoles, RolesUnreadable } from '#src/ports/identity/guild-roles.js'

type Read = Either<RolesUnreadable, ReadonlyArray<GuildRole>>

interface Fetch {
  readonly beganMs: number
  readonly read: Promise<Read>
}

export interface GuildRolesSetup {
  /** Fetches the current roles from the platform. Never rejects. */
  readonly fetch: () => Promise<Either<ChatFailure, ReadonlyArray<GuildRole>>>
  /** `integrations.chat.role_cache_ttl_min`. */
  readonly ttlMs: number
  readonly monotonicMs: () => number
  /** Called with the reason of a failed fetch: callers only learn that it failed. */
  readonly failed: (failure: ChatFailure) => void
}

/**
 * The roles of the guild, cached for `ttlMs` from the start of their fetch. One fetch runs at a time: a
 * caller that comes meanwhile shares it, and starts another one only if its roles do not suffice.
 */
export const guildRoles = ({ fetch, ttlMs, monotonicMs, failed }: GuildRolesSetup): GuildRoles => {
  let kept: { readonly beganMs: number; readonly roles: ReadonlyArray<GuildRole> } | null = null
  let flight: Fetch | null = null

  const begin = (): Fetch => {
    const beganMs = monotonicMs()
    const read = fetch().then((fetched): Read => {
      flight = null
      if (isLeft(fetched)) {
        failed(fetched.left)
        return left({ _tag: 'roles_unreadable', detail: fetched.left.detail })
      }
      kept = { beganMs, roles: fetched.right }
      return right(fetched.right)
    })
    flight = { beganMs, read }
    return flight
  }

  return async suffice => {
    const calledMs = monotonicMs()
    if (kept !== null && calledMs - kept.beganMs < ttlMs && suffice(kept.roles)) return right(kept.roles)
    const shared = flight
    if (shared === null) return begin().read
    const read = await shared.read
    if (isLeft(read) || suffice(read.right)) return read
    const later: Fetch | null = flight
    return (later ?? begin()).read
  }
}
