import { type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { BlockRecord } from '#src/domain/entities/reading/block-record.js'
import type { CloseLedger } from '../session.js'
import type { Meaning } from './meaning.js'

/**
 * The records of closed sessions under one heading: the blocks that had it, and the keys of those sessions.
 */
export interface Recorded {
  readonly blocks: ReadonlyArray<BlockRecord>
  readonly sessions: ReadonlySet<NameKey>
}

const blocksOf = ({ blocks, owners, purses, recipients }: Meaning): ReadonlyArray<BlockRecord> => [
  ...blocks,
  ...owners,
  ...purses.map(({ heading }) => ({ heading, type: 'Przedmiot' as const })),
  ...recipients.flatMap(one => one.blocks),
]

const nothing: Recorded = { blocks: [], sessions: new Set() }

const byHeading = perValue(({ meanings }: CloseLedger): ReadonlyMap<NameKey, Recorded> => {
  const found = new Map<NameKey, { blocks: Map<string, BlockRecord>; sessions: Set<NameKey> }>()
  for (const [session, meaning] of meanings)
    for (const { heading, type } of blocksOf(meaning)) {
      const key = nameKey(heading)
      const known = found.get(key) ?? { blocks: new Map(), sessions: new Set() }
      found.set(key, known)
      known.blocks.set(type, { heading, type })
      known.sessions.add(session)
    }
  return new Map(
    [...found].map(([key, { blocks, sessions }]) => [key, { blocks: [...blocks.values()], sessions }]),
  )
})

/** The records of the close ledger under a heading; collected once per ledger. */
export const recordsOfKey = (ledger: CloseLedger, key: NameKey): Recorded =>
  byHeading(ledger).get(key) ?? nothing
