import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { rankCandidates } from '#src/domain/fleet/candidates.js'
import { firstFleetState, fleetStateOf } from '#src/domain/fleet/fleet-state.js'
import { cardMinutesOf } from '#src/domain/fleet/peers.js'
import { fleetSource, fleetText, townViewWith } from '#test/support/fleet/topologies.js'
import { realHost } from './host-clocks.js'
import { knownTowns } from './view.js'

const towns = ['Avlee', 'Bracada', 'Deyja'] as const

/** The fleet as a town sees it when every town converged at the same time, under the apex Avlee. */
const rankingOf = (town: string, syncAgeMs: number): ReadonlyArray<string> => {
  const version = { source: fleetSource(fleetText('Avlee', 1, towns)), fence: null }
  const state = fleetStateOf(version, { ...firstFleetState(town, null), hasConverged: true })
  const others = towns.filter(other => other !== town)
  const seen = townViewWith({ syncAgeMinutes: cardMinutesOf(syncAgeMs) })
  const view = knownTowns({
    host: realHost,
    config: { 'server.sync_max_age_min': 60 },
    sync: { ageMs: () => syncAgeMs },
    fleet: { state: () => state },
    peers: {
      intervalMs: 60_000,
      table: {
        records: () => new Map(),
        views: () => new Map(others.map(other => [other, seen])),
        healthScore: () => 0,
        watch: () => undefined,
        noteReach: () => undefined,
        isIsolated: () => false,
      },
    },
  }).view()
  return view === null ? [] : rankCandidates(view)
}

describe('the fleet as a host sees it', () => {
  it('ranks towns that converged at one time by name, on every host', () => {
    for (const town of ['Bracada', 'Deyja'])
      for (const ageMs of [14_000, 16_000, 186_001])
        deepEqual(rankingOf(town, ageMs), ['Bracada', 'Deyja'], `${town} at ${ageMs} ms`)
  })
})
