import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type FleetState, firstFleetState, fleetStateOf } from '#src/domain/fleet/fleet-state.js'
import { fleetSource, fleetText } from '#test/support/fleet/topologies.js'
import { followRole, modeCell } from './role.js'

const stateWith = (apex: string, hasConverged = true): FleetState =>
  fleetStateOf(
    { source: fleetSource(fleetText(apex, 1)), fence: null },
    { ...firstFleetState('Deyja', null), hasConverged },
  )
const [apex, waiting, replica] = [stateWith('Deyja'), stateWith('Deyja', false), stateWith('Avlee')]
const byPerson = { mode: 'ReadWrite', detail: null } as const
const closedByPerson = { mode: 'ReadOnly', detail: null } as const

describe('the mode of a host in a fleet', () => {
  it('follows the role, and says why writes are refused', () => {
    const mode = modeCell('ReadOnly', 'at the start')
    const { follow } = followRole(mode, true)
    follow(waiting, false)
    equal(mode.get().mode, 'ReadOnly')
    follow(apex, false)
    deepEqual(mode.get(), { mode: 'ReadWrite', detail: null })
    follow(replica, true)
    equal(mode.get().mode, 'ReadOnly')
    equal(mode.get().detail?.includes('Send the write to the apex, Avlee, at '), true)
  })

  it('leaves an override of a person until the role changes', () => {
    const mode = modeCell('ReadOnly', 'at the start')
    const { follow } = followRole(mode, true)
    follow(replica, false)
    mode.set(byPerson)
    follow(replica, false)
    equal(mode.get(), byPerson)
    follow(apex, true)
    mode.set(closedByPerson)
    follow(apex, false)
    equal(mode.get(), closedByPerson)
    follow(replica, true)
    follow(apex, true)
    equal(mode.get().mode, 'ReadWrite')
  })

  it('leaves server.read_only to the first role of a start', () => {
    const mode = modeCell('ReadOnly')
    const { follow } = followRole(mode, false)
    follow(waiting, false)
    follow(apex, false)
    deepEqual(mode.get(), closedByPerson)
    follow(stateWith('Deyja'), true)
    equal(mode.get().mode, 'ReadWrite')
  })

  it('is settled in a turn of the gate, over a mode that a person set in an earlier one (S18)', () => {
    let turns = 0
    const mode = modeCell('ReadWrite')
    const { follow, settle } = followRole(mode, true, () => {
      turns += 1
    })
    follow(apex, false)
    deepEqual([turns, settle()], [0, null])
    follow(replica, true)
    equal(mode.get().mode, 'ReadOnly')
    mode.set(byPerson)
    equal(settle()?.mode, 'ReadOnly')
    deepEqual([turns, mode.get().mode, settle()], [1, 'ReadOnly', null])
    follow(apex, true)
    follow(replica, true)
    equal(settle()?.mode, 'ReadOnly')
    deepEqual([turns, settle()], [3, null])
  })

  it('is not settled over a gate that the disk closed meanwhile, nor reported for it', () => {
    const mode = modeCell('ReadOnly', 'at the start')
    const { follow, settle } = followRole(mode, true)
    follow(apex, true)
    const byDisk = { mode: 'ReadOnly', detail: 'The disk refuses writes.' } as const
    mode.set(byDisk)
    deepEqual([settle(), mode.get()], [null, byDisk])
  })

  it('never opens a gate that the disk closed', () => {
    const mode = modeCell('ReadWrite')
    const { follow } = followRole(mode, true)
    const byDisk = { mode: 'ReadOnly', detail: 'The disk refuses writes.' } as const
    mode.set(byDisk)
    follow(replica, true)
    follow(apex, true)
    equal(mode.get(), byDisk)
  })
})
