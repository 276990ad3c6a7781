import type { Row } from '#src/lore/row.js'
import { isCredentialTag, isTopicTag, opensChannel } from '#src/lore/withheld-tags.js'
import type { Entity } from './entity.js'

/**
 * Whether an entity answer carries the row. Credentials are in no answer (D36); restricted topics need
 * `player.restricted.read` and are served by the routes of people and characters (A 2.3).
 */
export const isShown = ({ tag, value }: Row): boolean =>
  !isCredentialTag(tag) && !opensChannel(tag, value) && !isTopicTag(tag)

/** The rows of an entity that are served. */
export const shownRows = (entity: Entity): ReadonlyArray<Row> => entity.rows.filter(isShown)
