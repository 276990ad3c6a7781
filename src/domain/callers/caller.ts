import type { CapabilityId } from '#protocol/atoms/capability.js'
import type { TokenRef } from '#protocol/identity/named-token.js'

/** How far a capability carries a caller (A 5.2). */
export type Grade = 'full' | 'own' | 'none'

/** Who sends a request. `gracz` is the caller's own Gracz, null for a machine or an operator's token. */
export interface Caller {
  readonly kind: 'anonymous' | 'machine' | 'session' | 'fleet' | 'named' | 'api'
  readonly gracz: string | null
  readonly gameId: string | null
  /** The named token that the request came with; absent for every other kind of caller. */
  readonly token?: TokenRef
  /** Ids held, `<resource>.all` forms included. */
  readonly holds: ReadonlySet<string>
  /** How the capability of the matched row is held: handlers scope to the caller's own on `own`. */
  readonly grade: Grade
  readonly view: View
}

/** Who a write is by: their Gracz, else the kind of caller. */
export const nameOf = ({ gracz, kind }: Pick<Caller, 'gracz' | 'kind'>): string => gracz ?? kind

/** What the answer may show beyond the route's own capability: part of the memo and ETag key (D10). */
export interface View {
  /** `player.restricted.read`: the field `Tematy zastrzeżone` (A 5). */
  readonly restricted: boolean
  /** `session.read`: session blocks inside lore files (D15). */
  readonly sessions: boolean
}

/**
 * All that an answer with a validator may know of who asks: its memo and ETag key is made of exactly this (D10).
 * `gracz` is null unless `grade` is `own`.
 */
export interface Reader {
  readonly grade: Grade
  readonly gracz: string | null
  readonly view: View
}

export type { CapabilityId }
