import { tiers } from '#protocol/atoms.js'
import type { AskOnLine } from '#src/node/search/threads/messages.js'
import { type SearchExchange, searchExchange } from '#src/node/search/tier-asker.js'
import type { MemorySearch } from './search-in-memory.js'

/** Gives askers lines to a search in memory, in place of the threads of the tiers. */
export const exchangeOver = ({ search: { asker } }: MemorySearch): SearchExchange => {
  const exchange = searchExchange(tiers)
  for (const tier of tiers)
    exchange.connect(
      tier,
      port => {
        port.on('message', ({ id, question }: AskOnLine) => {
          void asker.rank(tier, question).then(({ _tag, ...answer }) => {
            if (_tag === 'Ranked') port.postMessage({ id, ...answer })
          })
        })
        port.unref()
      },
      asker.states()[tier],
    )
  return exchange
}
