import { type RefusalOf, refuse } from '#protocol/refusal.js'

/** The contributor store (LAYOUT). */
export const contributorsPath = 'kontrybutorzy.md'

/**
 * The refusal of every write to a person (A 2.1, A 4.6.1), because the roster is edited by commits. `entity`
 * is the person as the request names them, `tag` the tag that it would set; null when it sets none.
 */
export const rosterStoreProperty = (
  entity: string,
  tag: string | null,
): RefusalOf<'RosterStoreProperty'> & { readonly entity: string; readonly file: string } =>
  refuse('RosterStoreProperty', `No route changes people. Edit ${contributorsPath} and commit the change.`, {
    entity,
    tag,
    file: contributorsPath,
  })
