import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { fleetText } from '#test/support/fleet/topologies.js'
import { type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'

const path = '.svc/fleet.json'
const textOf = (apex: string, change: object): string =>
  JSON.stringify(JSON.parse(fleetText(apex, 1, undefined, { Nighon: change })), null, 2)

describe('a file that is never merged', () => {
  let world: SyncWorld
  afterEach(() => world.dispose())

  it('stands as published where both sides changed it, though git could merge the lines', async () => {
    world = syncWorld({ [path]: textOf('Avlee', {}), 'README.md': 'lore\n' })
    const one = await world.host('one')
    const other = await world.host('other')
    const published = textOf('Bracada', {})
    const [flip] = [one.write({ [path]: published }), await one.sync()]
    const mine = other.write({ [path]: textOf('Avlee', { eligible: false }) })
    const report = await other.sync()
    deepEqual([report.lastAction, other.file(path)], ['conflict_parked', published.trim()])
    const [parked] = report.parked
    equal(other.git('show', `${parked?.commit}:${path}`), textOf('Avlee', { eligible: false }))
    for (const commit of [flip, mine]) other.git('merge-base', '--is-ancestor', commit, 'HEAD')
  })

  it('is published where this host alone changed it', async () => {
    world = syncWorld({ [path]: textOf('Avlee', {}), 'README.md': 'lore\n' })
    const one = await world.host('one')
    const other = await world.host('other')
    one.write({ 'README.md': 'another line\n' })
    await one.sync()
    const mine = textOf('Avlee', { eligible: false })
    other.write({ [path]: mine })
    equal((await other.sync()).lastAction, 'merged')
    equal(other.git('show', `${world.remoteHead()}:${path}`), mine)
  })
})
