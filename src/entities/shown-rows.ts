import type { Row } from '#src/lore/row.js'
import type { Entity } from './entity.js'

/**
 * Tags that no entity answer carries: key hashes and webhooks are credentials (D36), restricted topics need
 * `player.restricted.read` and are served by the routes of people and characters (A 2.3).
 */
const hidden: ReadonlySet<string> = new Set(['klucz_api', 'prfwebhook', 'tematy', 'tematy_zastrzezone'])

/** Whether a row of the tag may be shown to whoever reads entities. */
export const isShown = (row: Row): boolean => !hidden.has(row.tag)

/** The rows of an entity that are served. */
export const shownRows = (entity: Entity): ReadonlyArray<Row> => entity.rows.filter(isShown)
