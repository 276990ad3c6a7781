import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { OwnScope } from '#src/domain/identity/readable.js'

/** The 403 for a write of a Postać that does not belong to the caller (A 5.2). */
export const notOwn = (detail: string): RefusalOf<'Forbidden'> =>
  refuse('Forbidden', detail, { required: 'player.write' })

/**
 * The 403 for a caller whom the Postać does not belong to; null when the write is allowed. `scope` null: the
 * caller may write all.
 */
export const characterRefused = (scope: OwnScope | null, name: string): RefusalOf<'Forbidden'> | null =>
  scope === null || scope.isOwnCharacter(name)
    ? null
    : notOwn('With your rights you may write only the Postacie of your own Gracz.')
