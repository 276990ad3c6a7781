import { recordListText } from '#src/lore/record-list.js'
import type { Binding } from './bindings.js'

const byId = (one: Binding, other: Binding): number =>
  one.gameId < other.gameId ? -1 : one.gameId > other.gameId ? 1 : 0

/**
 * `.svc/bindings.json`: a binding a line, ordered by game id, so that one set has one text and writes of two hosts
 * rarely meet. Fields that this daemon does not know stay.
 */
export const bindingsText = (bindings: ReadonlyArray<Binding>): string =>
  recordListText({}, 'bindings', [...bindings].sort(byId))
