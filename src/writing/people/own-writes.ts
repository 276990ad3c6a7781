import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { OwnScope } from '#src/domain/identity/rights/own-scope.js'

/** A write that is not the caller's own (A 5.2). */
export const notOwn = (detail: string): RefusalOf<'Forbidden'> =>
  refuse('Forbidden', detail, { required: 'player.write' })

/** Refuses whom a Postać is not; null where it may be written. `scope` null: the caller may write everybody's. */
export const characterRefused = (scope: OwnScope | null, name: string): RefusalOf<'Forbidden'> | null =>
  scope === null || scope.isOwnCharacter(name)
    ? null
    : notOwn('The Postać is not one of the caller’s own Gracz.')
