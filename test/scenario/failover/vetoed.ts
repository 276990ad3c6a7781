import { deepEqual, equal } from 'node:assert/strict'
import { topologyPath } from '#src/domain/fleet/topology.js'
import type { FailoverCase } from './case.js'
import {
  acceptTakeover,
  announceFlip,
  awaitEnds,
  awaitTakeover,
  claimConverged,
  claimRequests,
  claimWrites,
  hostsOf,
} from './steps.js'

export const vetoed: FailoverCase = {
  name: 'vetoed',
  about: 'a person closes the request of a takeover',
  options: {},
  play: async world => {
    const { hosts, forge, person, story, topology } = world
    const { Erathia, Bracada, Deyja } = hosts
    await forge.disturb({ on: 'open', do: 'veto' })
    await acceptTakeover(Deyja, { target: 'Deyja', force: true })
    await story.claim('the takeover fails as vetoed', async () => {
      deepEqual(await awaitEnds(world, Deyja, 1), ['vetoed'])
    })
    await acceptTakeover(Bracada, { target: 'Bracada', force: true })
    await story.claim('the veto holds on another host, for this version of the topology', async () => {
      deepEqual(await awaitEnds(world, Bracada, 1), ['vetoed'])
    })
    await claimRequests(world, ['closed'])
    await claimConverged(world, 'Erathia')
    await claimWrites(world, Erathia, 0)

    person.publish({ [topologyPath]: topology('Bracada', 2) })
    story.tell('a person', 'makes Bracada the apex')
    await announceFlip(hostsOf(world), 'Bracada')
    await claimConverged(world, 'Bracada')
    await acceptTakeover(Deyja, { target: 'Deyja', force: true })
    await story.claim('the veto does not hold for the next version of the topology', async () => {
      equal((await awaitTakeover(Deyja)).status, 'done')
    })
    await announceFlip(hostsOf(world), 'Deyja')
    await claimConverged(world, 'Deyja')
    await claimRequests(world, ['closed', 'merged'], 2)
    await claimWrites(world, Deyja, 1)
    await claimConverged(world, 'Deyja')
  },
}
