import * as t from 'io-ts'
import { EntityAnswer } from '#protocol/entities/entity.js'

/**
 * A page of a search of entities (B 2.1). `truncated` is true when the page has not all. Of the items
 * `MatchedToken` is the spelling that matched and `MatchStage` how.
 */
export const EntitySearch = t.type(
  {
    query: t.string,
    count: t.number,
    total: t.number,
    offset: t.number,
    limit: t.number,
    truncated: t.boolean,
    items: t.readonlyArray(EntityAnswer),
  },
  'EntitySearch',
)
export type EntitySearch = t.TypeOf<typeof EntitySearch>
