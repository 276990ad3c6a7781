import { join } from 'node:path'
import type { Loaded } from '#actors/corpus-keeper/load.js'
import type { Tier } from '#protocol/atoms.js'
import { type MissFile, openMissFile } from '#src/adapters/search/miss-file.js'
import type { DocumentPort } from '#src/domain/search/document.js'
import type { SearchDeps } from '#src/http/handlers/search.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { Log } from '#src/node/records/log.js'
import type { Checkout } from '#src/node/start/checkout.js'
import type { TreeSource } from '#src/ports/git.js'
import { type Cell, makeCell } from '#src/snapshot/cell.js'
import type { NodeSearch } from '../node-search.js'
import { documentsOf } from './content-ports.js'
import { passagesFromTrees } from './read-passage.js'
import { recordOutcomes } from './record-outcomes.js'

/** The texts that search reads, and the queries that found nothing. */
export interface HostSearch {
  readonly documents: (tier: Tier) => DocumentPort
  /** Set once the trees of the configuration are open. */
  readonly works: Cell<TreeSource>
  readonly misses: MissFile
}

export const hostSearch = (
  held: Cell<Loaded>,
  checkout: Pick<Checkout, 'state'>,
  log: Pick<Log, 'warn'>,
): HostSearch => {
  const works = makeCell<TreeSource>()
  return {
    documents: documentsOf({
      held,
      works: works.get,
      breathe: daemonBreather(),
      warn: log.warn,
    }),
    works,
    misses: openMissFile(join(checkout.state, 'search', 'zero-results.jsonl'), error => {
      log.warn('zero_results_not_written', { reason: String(error) })
    }),
  }
}

/** What the rows of search need of this host, on the main thread. */
export const searchDeps = (
  { works, misses }: HostSearch,
  { asker }: Pick<NodeSearch, 'asker'>,
  checkout: Pick<Checkout, 'source'>,
): SearchDeps => ({
  search: {
    asker,
    readPassage: passagesFromTrees(checkout.source, works.get, daemonBreather()),
    record: recordOutcomes(misses),
  },
  misses: misses.misses,
})
