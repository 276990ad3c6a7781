import type { LegacyRow } from './registry-row.js'

/** Words of the legacy layout: the brand word of the game in lower case, or null to match any word. */
export interface LegacyLabels {
  readonly game: string | null
}

/**
 * Whether a row is the game id under its legacy name `@<game>id`. Without a configured word any `@<word>id`
 * with a short number counts; account ids of chat platforms have seventeen digits and more.
 */
export const isGameId = (row: LegacyRow, labels: LegacyLabels): boolean => {
  if (row.tag === 'gameid') return true
  if (labels.game !== null) return row.tag === `${labels.game.toLowerCase()}id`
  return /^\p{L}{2,40}id$/u.test(row.tag) && /^\d{1,12}$/u.test(row.value)
}
