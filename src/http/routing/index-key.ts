import type { Route } from '#protocol/route.js'
import { indexKeyOf } from '#src/domain/search/search-page.js'
import type { FrontDeps } from './deps.js'

/** The stamps of the indexes of search, for a row that they are part of the key of. */
export const indexKey = (deps: FrontDeps, row: Route): string =>
  row.indexed === true ? `\n${indexKeyOf(deps.node.search.asker.states())}` : ''
