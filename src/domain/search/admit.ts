import type { DocumentHead } from './document.js'
import type { RankFilter } from './ranking.js'

/** What a filter looks at, beside the days. */
export type Facet = Pick<DocumentHead, 'kind' | 'diegesis' | 'visibility'>

const isListed = (list: ReadonlyArray<string> | null, value: string | null): boolean =>
  list === null || (value !== null && list.includes(value))

export const admitsFacet = ({ kinds, diegesis, visibilities }: RankFilter, facet: Facet): boolean =>
  isListed(kinds, facet.kind) &&
  isListed(diegesis, facet.diegesis) &&
  isListed(visibilities, facet.visibility)

/** Whether a filter admits days; a filter with a bound admits no undated document. */
export const admitsDays = ({ days }: RankFilter, day: DocumentHead['day']): boolean =>
  days === null ||
  (day !== null &&
    (days.from === undefined || day.to >= days.from) &&
    (days.to === undefined || day.from <= days.to))

export const admitsDocument = (filter: RankFilter, head: DocumentHead): boolean =>
  admitsFacet(filter, head) && admitsDays(filter, head.day)

/** Whether the filter admits every document. */
export const isOpenFilter = ({ kinds, diegesis, days, visibilities }: RankFilter): boolean =>
  kinds === null && diegesis === null && days === null && visibilities === null
