import { isLeft } from 'fp-ts/lib/Either.js'
import type { CapabilityId } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { viewOf } from '#src/domain/identity/rights/grade.js'
import type { FleetKey } from '#src/domain/identity/tokens/fleet-keys.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { readTopology } from './topology.js'

/** What a peer token may do, whatever roles and grants say (D49). */
export const peerCapabilities = ['fleet.read', 'derive.read'] as const satisfies ReadonlyArray<CapabilityId>

const holds: ReadonlySet<string> = new Set(peerCapabilities)

const noTowns: ReadonlySet<string> = new Set()

const townsIn = perValue((file: SourceFile): ReadonlySet<string> => {
  const read = readTopology(file)
  return isLeft(read) ? noTowns : new Set(read.right.towns.keys())
})

/** The caller of a key's town. Its records show the key as the token, and the town as the name of it. */
const callerOf = perValue(({ kid, town }: FleetKey): Caller => {
  const token = { id: kid, name: town }
  return { kind: 'peer', gracz: null, gameId: null, token, holds, grade: 'full', view: viewOf(holds) }
})

/**
 * The caller of a peer token that this key signed. Null where the committed topology does not list the key's
 * town, or cannot be read: a host that left the fleet has no access, although its key is still published.
 */
export const callerOfTown = (key: FleetKey, topology: SourceFile | null): Caller | null =>
  topology !== null && townsIn(topology).has(key.town) ? callerOf(key) : null
