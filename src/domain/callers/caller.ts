import type { CapabilityId } from '#protocol/atoms.js'
import type { TokenRef } from '#protocol/identity/sign-in.js'

/** How far a capability reaches for a caller (A 5.2). */
export type Grade = 'full' | 'own' | 'none'

/** The sender of a request. `gracz` is the caller's own Gracz; null for a machine, a town or an operator's token. */
export interface Caller {
  readonly kind: 'anonymous' | 'machine' | 'session' | 'fleet' | 'peer' | 'named' | 'api'
  readonly gracz: string | null
  readonly gameId: string | null
  /** The named token of the request, or the key and town of a peer token; absent for every other kind of caller. */
  readonly token?: TokenRef
  /** The ids held, including `<resource>.all` forms. */
  readonly holds: ReadonlySet<string>
  /**
   * How far the caller holds the capability of the matched row. With `own`, handlers limit the answer to the
   * caller's own.
   */
  readonly grade: Grade
  readonly view: View
}

/** The name in records of a write: the caller's Gracz, else the kind of caller. */
export const callerName = ({ gracz, kind }: Pick<Caller, 'gracz' | 'kind'>): string => gracz ?? kind

/** What the answer may show beyond the route's own capability; a part of the memo and ETag key (D10). */
export interface View {
  /** The caller may read restricted topics: `player.restricted.read` (A 5). */
  readonly mayReadRestricted: boolean
  /** The caller may read session blocks inside lore files: `session.read` (D15). */
  readonly sessions: boolean
  /** The caller may search transcripts of play: `log.read`. */
  readonly logs: boolean
  /** The caller may search the works tree: `external.read`. */
  readonly external: boolean
  /**
   * The capabilities, beyond those of the rows that list findings, with which the caller reads the files of some
   * findings; absent: none. Only rows with `findings` depend on it.
   */
  readonly opens?: ReadonlyArray<CapabilityId>
}

/**
 * Everything that an answer with a validator may depend on of the caller: its memo and ETag key is made of
 * exactly this (D10). `gracz` is null unless `grade` is `own`.
 */
export interface Reader {
  readonly grade: Grade
  readonly gracz: string | null
  readonly view: View
}

export type { CapabilityId }
