import { join } from 'node:path'
import type { SearchTierMessage } from '#actors/search-tier.js'
import type { Tier } from '#protocol/atoms.js'
import type { Config } from '#protocol/config.js'
import type { DocumentPort } from '#src/domain/search/document.js'
import { tiersOfConfig } from '#src/domain/search/query.js'
import type { RankAnswer, SearchAsker } from '#src/domain/search/search-page.js'
import type { RebuildSearch } from '#src/http/handlers/search.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Meter } from '#src/ports/records.js'
import type { Log } from '../records/log.js'
import type { Checkout } from '../start/checkout.js'
import { emptyDocuments } from './document-ports.js'
import { rebuildThrough } from './rebuild-search.js'
import { type SearchDesk, searchDesk } from './search-desk.js'
import type { OpenSearchThreads } from './threads/open-search-threads.js'
import { tierAsker } from './tier-asker.js'

export interface NodeSearchSetup {
  readonly config: Config
  readonly checkout: Pick<Checkout, 'state'>
  readonly open: OpenSearchThreads
  readonly tier: Ref<SearchTierMessage>
  readonly meter: Meter
  readonly log: Log
  /** Absent: no tier has documents. */
  readonly documents?: (tier: Tier) => DocumentPort
}

/** The search of a node: its threads, and the asker of the main thread. */
export interface NodeSearch {
  readonly desk: SearchDesk
  readonly asker: SearchAsker
  readonly rebuild: RebuildSearch
}

const tagOf = (answer: RankAnswer): string => answer._tag.toLowerCase()

const withMeter = (asker: SearchAsker, meter: Meter): SearchAsker => ({
  ...asker,
  rank: async (tier, question) => {
    const sinceMs = realClock.monotonicMs()
    const answer = await asker.rank(tier, question)
    meter.count('svc_search_questions_total', { tier, result: tagOf(answer) })
    meter.observe('svc_search_question_seconds', { tier }, (realClock.monotonicMs() - sinceMs) / 1000)
    return answer
  },
})

/** Makes the search of a node. Starts nothing: that does its actor. */
export const nodeSearch = (setup: NodeSearchSetup): NodeSearch => {
  const { checkout, config, documents = emptyDocuments, log, meter, open, tier } = setup
  const tiers = tiersOfConfig(config['server.search_index'])
  const desk = searchDesk({
    tiers,
    folder: join(checkout.state, 'search'),
    documents,
    open,
    tell: message => void tell(tier, message),
    clock: realClock,
    meter,
    log,
  })
  const asker = tierAsker()
  desk.exchange.join(asker.notice)
  return { desk, asker: withMeter(asker, meter), rebuild: rebuildThrough(tier, tiers) }
}
