import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { FleetState } from '#src/domain/fleet/fleet-state.js'
import { testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import { fleetDuty } from './fleet.js'

const apex: FleetState = {
  town: 'Tuzmer',
  role: 'primary',
  topology: null,
  fence: null,
  obeyed: null,
  hasConverged: true,
  findings: [],
}

describe('the tick of a workload', () => {
  it('obeys the next owner that is committed, without a restart', async () => {
    const front = await testFront({ snapshot: worldOf({ '.svc/format.json': '{"format": 2}' }) })
    try {
      const { whyNoTick, whyNoDuty } = fleetDuty({
        snapshot: front.world,
        config: { 'server.sync_max_age_min': 60 },
        fleet: { state: () => apex },
        sync: { ageMs: () => 0 },
      })
      const setOwner = async (owner: string) =>
        (
          await front.client.ask('/config/schedules/map_checkup', {
            method: 'PATCH',
            body: JSON.stringify({ owner }),
          })
        ).status
      equal(whyNoTick('map_checkup'), null)
      for (const owner of ['off', 'ci']) {
        equal(await setOwner(owner), 200)
        equal(whyNoTick('map_checkup'), 'not_owner')
      }
      equal(await setOwner('fleet'), 200)
      equal(whyNoTick('map_checkup'), null)
      equal(whyNoTick('settlement'), 'not_owner')
      equal(whyNoDuty(), null)
    } finally {
      await front.close()
    }
  })

  it('does not run before the first snapshot', () => {
    const { whyNoTick } = fleetDuty({
      snapshot: () => null,
      config: { 'server.sync_max_age_min': 60 },
      fleet: { state: () => apex },
      sync: { ageMs: () => 0 },
    })
    equal(whyNoTick('map_checkup'), 'not_converged')
  })
})
