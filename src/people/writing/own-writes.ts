import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { OwnScope } from '#src/identity/rights/own-scope.js'

/** A write that is not the caller's own (A 5.2). */
export const notOwn = (detail: string): RefusalOf<'Forbidden'> =>
  refuse('Forbidden', detail, { required: 'player.write' })

/** Refuses whom a Postać is not; null where it may be written. `scope` null: the caller may write everybody's. */
export const characterRefused = (scope: OwnScope | null, name: string): RefusalOf<'Forbidden'> | null =>
  scope === null || scope.isOwnCharacter(name)
    ? null
    : notOwn('The Postać is not one of the caller’s own Gracz.')

const owner = 'należy_do'

/**
 * Not for the player to say (ADR 0113): the points that a Postać begins with, and the file that its rows are read from,
 * for there its points and its owner may stand.
 */
const granted: ReadonlySet<string> = new Set(['pu_startowe', 'ref'])

/** Refuses a tag that own-only callers do not write, and an owner that is not they themselves. */
export const tagRefused = (
  scope: OwnScope | null,
  tag: string,
  value: string | null,
): RefusalOf<'Forbidden'> | null => {
  if (scope === null) return null
  if (granted.has(tag)) return notOwn(`@${tag} is written by who may write every Postać.`)
  const own = tag !== owner || (value !== null && scope.isSelf(value))
  return own ? null : notOwn('A Postać stays with its own Gracz.')
}
