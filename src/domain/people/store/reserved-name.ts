import { nameKey } from '#protocol/atoms.js'

/**
 * Names that audit lines and commits use for actors that are no person (see
 * `docs/spec/identity.md#reserved-names`).
 */
export const reservedNames = ['machine', 'anonymous', 'named', 'nobody', 'kronika'] as const

/** Prefixes of chat accounts and autopilots in lines that name their actor. */
export const reservedPrefixes = ['chat:', 'autopilot:'] as const

/** A name reduced to its look: without marks above letters, wide forms and hidden characters. */
const lookOf = (name: string): string =>
  nameKey(name.normalize('NFKD').replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''))

const reserved: ReadonlySet<string> = new Set(reservedNames)

/**
 * Whether a heading of the contributor store looks like an actor of the daemon. Such a block signs nobody in.
 */
export const isReservedName = (name: string): boolean => {
  const look = lookOf(name)
  return reserved.has(look) || reservedPrefixes.some(prefix => look.startsWith(prefix))
}
