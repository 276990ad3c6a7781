import { type RefusalOf, refuse } from '#protocol/refusal.js'

/** The contributor store (LAYOUT). */
export const contributorsPath = 'kontrybutorzy.md'

/**
 * What every write of a person is answered (A 2.1, A 4.6.1): the roster is edited by commits. `entity` is the person as
 * the request names them, `tag` the tag that it would set, null where it sets none.
 */
export const rosterStoreProperty = (
  entity: string,
  tag: string | null,
): RefusalOf<'RosterStoreProperty'> & { readonly entity: string; readonly file: string } =>
  refuse(
    'RosterStoreProperty',
    `People are kept in ${contributorsPath}: commit the change there, no route makes it.`,
    { entity, tag, file: contributorsPath },
  )
