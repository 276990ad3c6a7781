import { nameKey } from '#protocol/atoms/name.js'

/** Names that audit lines and commits give to what is no person (see `docs/spec/identity.md#reserved-names`). */
export const reservedNames = ['machine', 'anonymous', 'named', 'nobody', 'kronika'] as const

/** What stands in front of accounts of the chat and of autopilots where a line names its actor. */
export const reservedPrefixes = ['chat:', 'autopilot:'] as const

/** What a reader takes for the same word: without marks above letters, wide forms and characters that do not show. */
const lookOf = (name: string): string =>
  nameKey(name.normalize('NFKD').replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''))

const reserved: ReadonlySet<string> = new Set(reservedNames)

/** Whether a heading of the contributor store reads as an actor of the daemon: its block signs nobody in. */
export const isReservedName = (name: string): boolean => {
  const look = lookOf(name)
  return reserved.has(look) || reservedPrefixes.some(prefix => look.startsWith(prefix))
}
