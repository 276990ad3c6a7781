import { deepEqual, equal } from 'node:assert/strict'
import type { FleetWorld, TownName } from '#test/scenario/world/world.js'
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
} from './steps.js'

/** Moves the role from one town to the other, which asks for it by force. */
const moveApex = async (world: FleetWorld, from: TownName, to: TownName, nth: number): Promise<void> => {
  const { hosts, story } = world
  await acceptTakeover(hosts[to], { target: to, force: true })
  await story.claim(`the takeover by ${to} is done`, async () => {
    equal((await awaitTakeover(hosts[to])).status, 'done')
  })
  await announceFlip(hostsOf(world), to)
  await claimConverged(world, to)
  await claimRefuses(world, hosts[from])
  await claimWrites(world, hosts[to], nth)
}

export const backAgain: FailoverCase = {
  name: 'back-again',
  about: 'the role goes to another town, back, and there once more',
  options: { cooldownHours: 0 },
  play: async world => {
    await claimWrites(world, world.hosts.Erathia, 0)
    await moveApex(world, 'Erathia', 'Deyja', 1)
    await moveApex(world, 'Deyja', 'Erathia', 2)
    await moveApex(world, 'Erathia', 'Deyja', 3)
    await claimConverged(world, 'Deyja')
    await claimRequests(world, ['merged', 'merged', 'merged'])
    await world.story.claim('each version of the topology has a branch of its own', async () => {
      const terms = (await world.forge.requests()).map(({ source }) => source.replace(/-[0-9a-f]+$/, ''))
      deepEqual(terms, ['fleet/takeover/1', 'fleet/takeover/2', 'fleet/takeover/3'])
    })
  },
}
