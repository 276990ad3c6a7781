import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import { rosterOf } from '#src/domain/people/roster.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** The people of a snapshot on its day; computed once per snapshot. */
export const rosterAt = perValue((snapshot: Snapshot) => rosterOf(snapshot.people, snapshot.day))

/** The refusal for a name that no Gracz has. */
export const personNotFound = ({ entities }: Snapshot, name: string): RefusalOf<'PersonNotFound'> =>
  refuse('PersonNotFound', `No Gracz has the heading or alias "${name}".`, {
    nearest: nearestBlocks(entities, name, 'Gracz'),
  })
