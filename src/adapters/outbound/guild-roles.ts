import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import type { ChatFailure } from '#protocol/chat/platform.js'
import type { GuildRole, GuildRoles, RolesUnreadable } from '#src/ports/chat.js'
import { keepFetched } from './keep-fetched.js'

type Read = Either<RolesUnreadable, ReadonlyArray<GuildRole>>

export interface GuildRolesSetup {
  /** Fetches the current roles from the platform. Never rejects. */
  readonly fetch: () => Promise<Either<ChatFailure, ReadonlyArray<GuildRole>>>
  /** `integrations.chat.role_cache_ttl_min`. */
  readonly ttlMs: number
  readonly monotonicMs: () => number
  /** Called with the reason of a failed fetch: callers only learn that it failed. */
  readonly failed: (failure: ChatFailure) => void
}

/** The roles of the guild, kept for `ttlMs` as by `keepFetched`. */
export const guildRoles = ({ fetch, failed, ...setup }: GuildRolesSetup): GuildRoles => {
  const roles = keepFetched({
    ...setup,
    fetch: async (): Promise<Read> => {
      const fetched = await fetch()
      if (!isLeft(fetched)) return fetched
      failed(fetched.left)
      return left({ _tag: 'roles_unreadable', detail: fetched.left.detail })
    },
  })
  return roles.read
}
