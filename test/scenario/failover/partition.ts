import { ok } from 'node:assert/strict'
import { forgeName } from '#test/scenario/world/network.js'
import type { FleetWorld } from '#test/scenario/world/world.js'
import { eventually } from '#test/support/daemon.js'
import type { FailoverCase } from './case.js'
import { awaitFailover } from './dark-apex.js'
import {
  announceFlip,
  awaitApex,
  claimAgreed,
  claimConverged,
  claimRefuses,
  claimRequests,
  claimWrites,
  hostsOf,
  writeOn,
} from './steps.js'

/** Cuts Erathia from these places, lets the others take over, and restores the links. */
const playPartition = async (world: FleetWorld, places: ReadonlyArray<string>): Promise<void> => {
  const { hosts, network, story } = world
  const { Erathia, Bracada, Deyja } = hosts
  await claimWrites(world, Erathia, 0)
  for (const place of places) network.cut('Erathia', place)
  story.countFromNow()
  story.tell('Erathia', `is cut from ${places.join(', ')}, and alive`)
  const next = await awaitFailover(world, [Bracada, Deyja], 'Erathia')
  await story.claim('Erathia refuses writes, or takes what is merged later', async () => {
    ok([200, 403].includes(await writeOn(world, Erathia, 1)))
  })
  await claimWrites(world, hosts[next], 2)
  network.restore('Erathia', forgeName)
  story.tell('Erathia', 'reaches the forge, and no other host')
  await story.claim('Erathia obeys the flip as soon as it reads the remote', async () => {
    // A converge that was under way when the link was restored fails, and the next one does not.
    await eventually(
      () => Erathia.ask('/sync', { method: 'POST', body: '{}' }),
      ({ status }) => status === 200,
    )
    await awaitApex([Erathia], next)
  })
  await claimRefuses(world, Erathia)
  for (const place of places) network.restore('Erathia', place)
  story.tell('all', 'reach each other again')
  await announceFlip(hostsOf(world), next)
  await claimConverged(world, next)
  await claimRequests(world, ['merged'])
  await claimWrites(world, hosts[next], 4)
  await claimAgreed(world, next)
}

export const partition: FailoverCase = {
  name: 'partition',
  about: 'the apex is alive, and reaches neither the other hosts nor the forge',
  options: { isAutomatic: true },
  play: world => playPartition(world, ['Bracada', 'Deyja', forgeName]),
}

export const partitionWithForge: FailoverCase = {
  name: 'partition-with-forge',
  about: 'the apex is alive, and reaches the forge and no other host',
  options: { isAutomatic: true },
  play: world => playPartition(world, ['Bracada', 'Deyja']),
}
