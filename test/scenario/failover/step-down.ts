import { equal } from 'node:assert/strict'
import { topologyPath } from '#src/domain/fleet/topology.js'
import type { FailoverCase } from './case.js'
import {
  acceptTakeover,
  announceFlip,
  awaitTakeover,
  claimConverged,
  claimRefuses,
  claimRequests,
  claimWrites,
  hostsOf,
  readApex,
  readRole,
} from './steps.js'

export const stepDown: FailoverCase = {
  name: 'step-down',
  about: 'the apex hands its role over while it is alive',
  options: {},
  play: async world => {
    const { hosts, person, story, topology } = world
    const { Erathia } = hosts
    await claimWrites(world, Erathia, 0)
    person.publish({ [topologyPath]: topology('Erathia', 1, { Erathia: { steppingDown: true } }) })
    await announceFlip([Erathia], 'Erathia')
    await Erathia.ask('/sync', { method: 'POST', body: '{}' })
    await story.claim('Erathia steps down, and still takes writes', async () => {
      equal(await readRole(Erathia), 'stepping-down')
    })
    await claimWrites(world, Erathia, 1)
    story.countFromNow()
    await acceptTakeover(Erathia)
    await story.claim('the takeover that Erathia asked for is done, though Erathia is seen', async () => {
      equal((await awaitTakeover(Erathia)).status, 'done')
    })
    const apex = readApex(world)
    await announceFlip(hostsOf(world), apex)
    await claimConverged(world, apex)
    await claimRequests(world, ['merged'], 2)
    await claimRefuses(world, Erathia)
    await claimWrites(world, hosts[apex], 2)
    await claimConverged(world, apex)
  },
}
