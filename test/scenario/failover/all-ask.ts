import { deepEqual, ok } from 'node:assert/strict'
import type { FailoverCase } from './case.js'
import {
  acceptTakeover,
  announceFlip,
  awaitEnds,
  awaitLooks,
  claimConverged,
  claimRequests,
  claimWrites,
  hostsOf,
  readApex,
} from './steps.js'

export const allAsk: FailoverCase = {
  name: 'all-ask',
  about: 'all three hosts ask for a takeover at one moment',
  options: {},
  play: async world => {
    const { hosts, story } = world
    const all = hostsOf(world)
    await claimWrites(world, hosts.Erathia, 0)
    story.countFromNow()
    await awaitLooks(all)
    await Promise.all([
      acceptTakeover(hosts.Erathia, { target: 'Deyja', force: true }),
      acceptTakeover(hosts.Bracada, { target: 'Bracada', force: true }),
      acceptTakeover(hosts.Deyja, { target: 'Deyja', force: true }),
    ])
    await story.claim('each takeover is done, or was superseded by the one that is', async () => {
      const ends = (await Promise.all(all.map(host => awaitEnds(world, host, 1)))).flat()
      ok(ends.includes('done'), ends.join())
      deepEqual(
        [...new Set(ends)].filter(end => end !== 'done' && end !== 'superseded'),
        [],
      )
    })
    await claimRequests(world, ['merged'])
    const apex = readApex(world)
    await announceFlip(all, apex)
    await claimConverged(world, apex)
    await claimWrites(world, hosts[apex], 1)
    await claimConverged(world, apex)
  },
}
