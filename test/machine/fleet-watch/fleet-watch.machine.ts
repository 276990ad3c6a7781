import { equal } from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'mocha'
import { claimConverged, hostsOf } from '#test/scenario/failover/steps.js'
import { printLog } from '#test/scenario/world/host.js'
import { openStory } from '#test/scenario/world/story.js'
import { jsonField } from '#test/support/json-field.js'
import { hasTool } from '../tool.js'
import { claimFired, claimNoAlert, claimResolved } from './alert-claims.js'
import { type FleetFault, faultWaves } from './faults.js'
import { askPanels } from './panels.js'
import { playTraffic, shutCourier } from './traffic.js'
import { openWatchedFleet, type WatchedFleet } from './watched-fleet.js'

const print = (text: string): void => void process.stdout.write(text)

/** Begins the faults, waits for their alerts, ends the faults, and waits until the alerts resolve. */
const playWave = async (fleet: WatchedFleet, wave: ReadonlyArray<FleetFault>): Promise<void> => {
  const { story } = fleet.world
  const sinceMs = Date.now()
  story.countFromNow()
  for (const { about, begin } of wave) {
    story.tell('fault', about)
    await begin(fleet)
  }
  const alerts = wave.flatMap(({ raises }) => raises)
  for (const alert of alerts) await claimFired(fleet, alert, sinceMs)
  for (const { about, end } of wave) {
    if (end === undefined) continue
    story.tell('operator', `ends: ${about}`)
    await end(fleet)
  }
  for (const alert of alerts) await claimResolved(fleet, alert)
}

const namesOf = (wave: ReadonlyArray<FleetFault>): string =>
  [...new Set(wave.flatMap(({ raises }) => raises.map(({ name }) => name)))].join(', ')

describe('a fleet of three built daemons, by a real Prometheus', function () {
  this.timeout(900_000)
  this.bail(true)
  const story = openStory(print, Date.now)
  let fleet: WatchedFleet | null = null
  const opened = (): WatchedFleet => {
    if (fleet === null) throw new Error('the fleet is not open')
    return fleet
  }
  before(async function () {
    if (!hasTool('prometheus')) return this.skip()
    fleet = await openWatchedFleet(story)
  })
  afterEach(function () {
    if (this.currentTest?.isFailed() !== true || fleet === null) return
    for (const host of hostsOf(fleet.world)) printLog(host, print)
  })
  after(async () => {
    await fleet?.close()
  })

  it('raises no alert while nothing is wrong', async () => {
    await playTraffic(opened())
    await claimNoAlert(opened())
  })

  for (const wave of faultWaves)
    it(`raises and resolves ${namesOf(wave)}`, async () => {
      await playWave(opened(), wave)
    })

  it('has lost no write, and raises no alert in the end', async () => {
    await claimConverged(opened().world, 'Erathia')
    await claimNoAlert(opened())
  })

  it('has something to show for every panel of every dashboard', async () => {
    const { waiting } = await shutCourier(opened())
    await askPanels(opened())
    equal(jsonField((await waiting).json, 'Result'), 'QUEUED')
  })
})
