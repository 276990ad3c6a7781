import { equal } from 'node:assert/strict'
import type { FleetWorld, TownName } from '#test/scenario/world/world.js'
import type { ForgeFault } from '#test/support/forge/forge-faults.js'
import type { FailoverCase } from './case.js'
import {
  acceptTakeover,
  announceFlip,
  awaitTakeover,
  claimConverged,
  claimRequests,
  claimWrites,
  hostsOf,
} from './steps.js'

interface Trouble {
  readonly what: string
  readonly faults: ReadonlyArray<ForgeFault>
  readonly to: TownName
}

/** Each is met by a takeover of its own; every request is checked slowly, and squashed. */
const troubles: ReadonlyArray<Trouble> = [
  {
    what: '500 of the first call of each kind',
    faults: [
      { on: 'list', do: 500 },
      { on: 'open', do: 500 },
      { on: 'read', do: 500 },
      { on: 'merge', do: 500 },
    ],
    to: 'Deyja',
  },
  {
    what: '429 of the first call, of the opening and of the merge',
    faults: [
      { on: 'list', do: 429, retryAfter: '1' },
      { on: 'open', do: 429, retryAfter: '2' },
      { on: 'merge', do: 429 },
    ],
    to: 'Bracada',
  },
  {
    what: 'no answer to an opening and to a merge that were done',
    faults: [
      { on: 'open', do: 'lose' },
      { on: 'merge', do: 'lose' },
    ],
    to: 'Erathia',
  },
]

const takeOverThrough = async (
  world: FleetWorld,
  { what, faults, to }: Trouble,
  nth: number,
): Promise<void> => {
  const { hosts, forge, story } = world
  await forge.disturb(...faults)
  story.countFromNow()
  story.tell('forge', what)
  await acceptTakeover(hosts[to], { target: to, force: true })
  await story.claim(`the takeover by ${to} is done`, async () => {
    equal((await awaitTakeover(hosts[to])).status, 'done')
  })
  await announceFlip(hostsOf(world), to)
  await claimConverged(world, to)
  await claimWrites(world, hosts[to], nth)
}

export const forge: FailoverCase = {
  name: 'forge',
  about: 'the forge fails, limits, loses answers, checks slowly and squashes',
  options: { cooldownHours: 0, forgeFlags: ['--checks-ms', '2500', '--squash'] },
  play: async world => {
    await claimWrites(world, world.hosts.Erathia, 0)
    for (const [at, trouble] of troubles.entries()) await takeOverThrough(world, trouble, at + 1)
    await claimConverged(world, 'Erathia')
    await claimRequests(
      world,
      troubles.map(() => 'merged'),
    )
    await world.story.claim('every request was squashed', async () => {
      for (const { isSquashed } of await world.forge.requests()) equal(isSquashed, true)
    })
  },
}
