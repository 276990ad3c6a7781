import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { fleetSource, fleetText } from '#test/support/fleet/topologies.js'
import { type FleetState, firstFleetState, fleetStateOf, modeOfFleet } from './fleet-state.js'

const fence = { commit: 'c1', blob: 'b1' }
const follow = (state: FleetState, text: string): FleetState =>
  fleetStateOf({ source: fleetSource(text), fence }, state)

describe('the fleet state', () => {
  it('is that of a careful replica before the file was read, and alone without a town', () => {
    const first = firstFleetState('Erathia', null)
    deepEqual([first.role, first.topology, modeOfFleet(first)], ['replica', null, 'ReadOnly'])
    const alone = firstFleetState('', null)
    deepEqual([alone.role, modeOfFleet(alone)], ['alone', 'ReadWrite'])
  })

  it('obeys the file, and keeps what it obeyed when the file is gone', () => {
    const primary = follow(firstFleetState('Erathia', null), fleetText('Erathia', 3))
    deepEqual(primary.obeyed, { apex: 'Erathia', term: 3, termBefore: null })
    equal(modeOfFleet(primary), 'ReadOnly')
    equal(modeOfFleet({ ...primary, hasConverged: true }), 'ReadWrite')
    const gone = fleetStateOf({ source: { _tag: 'Absent' }, fence: null }, primary)
    deepEqual([gone.role, gone.obeyed, gone.fence], ['lost', primary.obeyed, null])
  })

  it('reports a flip that left the term until an edit raises it', () => {
    const flipped = follow(
      follow(firstFleetState('Deyja', null), fleetText('Erathia', 3)),
      fleetText('Deyja', 3),
    )
    const again = follow(flipped, fleetText('Deyja', 3))
    const raised = follow(again, fleetText('Deyja', 4))
    deepEqual(
      [flipped, again, raised].map(({ role, findings }) => [role, findings.map(({ kind }) => kind)]),
      [
        ['primary', ['TermNotRaised']],
        ['primary', ['TermNotRaised']],
        ['primary', []],
      ],
    )
  })
})
