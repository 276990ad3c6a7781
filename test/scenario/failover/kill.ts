import { deepEqual, equal } from 'node:assert/strict'
import { moveFirst, moveHere } from '#test/kill-points/asks.js'
import { historyViolations } from '#test/kill-points/history.js'
import { names } from '#test/kill-points/lore.js'
import { forgeName } from '#test/scenario/world/network.js'
import { gitIn } from '#test/support/repository.js'
import type { FailoverCase } from './case.js'
import { awaitFailover } from './dark-apex.js'
import {
  announceFlip,
  claimAgreed,
  claimConverged,
  claimRefuses,
  claimRequests,
  claimWrites,
  hostsOf,
  readRole,
  requireClient,
} from './steps.js'

/** The entity that the old apex and the new one both move. */
const disputed = names[2] ?? ''

export const kill: FailoverCase = {
  name: 'kill',
  about: 'kill -9 of the apex, which has commits that it has not pushed',
  options: { isAutomatic: true },
  play: async world => {
    const { hosts, network, story, ledger, bare } = world
    const { Erathia, Bracada, Deyja } = hosts
    await claimWrites(world, Erathia, 0)
    network.cut('Erathia', forgeName)
    await claimWrites(world, Erathia, 1)
    await moveHere(requireClient(Erathia), ledger, disputed)
    const unpushed = Erathia.head()
    await Erathia.kill()
    story.countFromNow()
    story.tell('Erathia', 'is killed, with two commits that are not pushed')
    network.restore('Erathia', forgeName)

    const next = await awaitFailover(world, [Bracada, Deyja], 'Erathia')
    await moveFirst(requireClient(hosts[next]), ledger, disputed)
    await claimAgreed(world, next)

    story.tell('Erathia', 'is started again')
    await Erathia.start()
    await story.claim('Erathia returns as a replica', async () => {
      equal(await readRole(Erathia), 'replica')
    })
    await claimRefuses(world, Erathia)
    await announceFlip(hostsOf(world), next)
    await claimConverged(world, next)
    await story.claim(
      'what Erathia had not pushed is merged, and the change that was disputed is parked',
      async () => {
        equal((await Erathia.sync()).parked.length, 1)
        deepEqual(historyViolations(Erathia.path, ledger), [])
        gitIn(bare, 'merge-base', '--is-ancestor', unpushed, 'main')
      },
    )
    await claimRequests(world, ['merged'])
  },
}
