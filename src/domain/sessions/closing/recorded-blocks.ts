import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { BlockRecord } from '#src/domain/entities/reading/block-record.js'
import type { CloseLedger } from '../session.js'
import type { Meaning } from './meaning.js'

/** What closed sessions keep by one heading: the blocks that bore it, and the keys of those sessions. */
export interface Recorded {
  readonly blocks: ReadonlyArray<BlockRecord>
  readonly sessions: ReadonlySet<string>
}

const blocksOf = ({ blocks, owners, purses, recipients }: Meaning): ReadonlyArray<BlockRecord> => [
  ...blocks,
  ...owners,
  ...purses.map(({ heading }) => ({ heading, type: 'Przedmiot' as const })),
  ...recipients.flatMap(one => one.blocks),
]

const nothing: Recorded = { blocks: [], sessions: new Set() }

const byHeading = perValue(({ meanings }: CloseLedger): ReadonlyMap<NameKey, Recorded> => {
  const found = new Map<NameKey, { blocks: Map<string, BlockRecord>; sessions: Set<string> }>()
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

/** What the close ledger keeps by a heading; gathered once while the ledger stands. */
export const recordedBy = (ledger: CloseLedger, key: NameKey): Recorded =>
  byHeading(ledger).get(key) ?? nothing
