import { equal, ok } from 'node:assert/strict'
import { eventually } from '#test/support/daemon.js'
import type { FailoverCase } from './case.js'
import {
  acceptTakeover,
  announceFlip,
  awaitEnds,
  claimConverged,
  claimRefuses,
  claimRequests,
  claimWrites,
  hostsOf,
  hostsThatRun,
  readApex,
} from './steps.js'

export const claimantDies: FailoverCase = {
  name: 'claimant-dies',
  about: 'the host that takes over is killed between its push and the merge',
  // The forge checks for longer than it takes to kill a host, and to find it dark.
  options: { isAutomatic: true, forgeFlags: ['--checks-ms', '20000'] },
  play: async world => {
    const { hosts, forge, story } = world
    const { Erathia, Bracada, Deyja } = hosts
    await claimWrites(world, Erathia, 0)
    await Erathia.kill()
    story.countFromNow()
    story.tell('Erathia', 'is killed')
    await acceptTakeover(Bracada, { target: 'Bracada', force: true })
    await story.claim('Bracada opened a request for itself', async () => {
      const [request] = await eventually(forge.requests, requests => requests.length > 0)
      equal(request?.title, 'Fleet: Bracada takes over from Erathia')
      equal(request.state, 'opened')
    })
    await Bracada.kill()
    story.tell('Bracada', 'is killed')
    await story.claim('Deyja finishes the request, and makes itself the apex', async () => {
      ok((await awaitEnds(world, Deyja, 1)).includes('done'))
      equal(readApex(world), 'Deyja')
    })
    await claimRequests(world, ['merged'])
    await announceFlip(hostsThatRun(world), 'Deyja')
    await claimWrites(world, Deyja, 1)

    story.tell('all', 'are started again')
    await Promise.all([Erathia.start(), Bracada.start()])
    await announceFlip(hostsOf(world), 'Deyja')
    await claimConverged(world, 'Deyja')
    await story.claim('the takeover that Bracada goes on with ends, and flips nothing', async () => {
      const ends = await awaitEnds(world, Bracada, 1)
      ok(
        ends.every(end => end === 'superseded' || end === 'done'),
        ends.join(),
      )
    })
    await claimRequests(world, ['merged'])
    await claimRefuses(world, Bracada)
    await claimRefuses(world, Erathia)
    await claimWrites(world, Deyja, 2)
    await claimConverged(world, 'Deyja')
  },
}
