import { deepEqual, ok } from 'node:assert/strict'
import { eventually } from '#test/support/daemon.js'
import type { FailoverCase } from './case.js'
import { awaitFailover } from './dark-apex.js'
import { awaitApex, claimConverged, claimRefuses, claimRequests, claimWrites, writeOn } from './steps.js'

export const pause: FailoverCase = {
  name: 'pause',
  about: 'the process of the apex is stopped (SIGSTOP) until another host is the apex',
  options: { isAutomatic: true },
  play: async world => {
    const { hosts, story, events } = world
    const { Erathia, Bracada, Deyja } = hosts
    await claimWrites(world, Erathia, 0)
    await events.read()
    const before = events.of('Erathia').length
    Erathia.pause()
    story.countFromNow()
    story.tell('Erathia', 'is stopped')
    const next = await awaitFailover(world, [Bracada, Deyja], 'Erathia')
    Erathia.resume()
    story.tell('Erathia', 'goes on')
    await story.claim('Erathia refuses writes, or takes what is merged later', async () => {
      ok([200, 403].includes(await writeOn(world, Erathia, 1)))
    })
    await story.claim('Erathia finds its pause, converges by itself, and is a replica', async () => {
      await eventually(
        () => Promise.resolve(Erathia.log()),
        log => log.includes('"event":"host_paused"'),
      )
      await awaitApex([Erathia], next)
    })
    await claimRefuses(world, Erathia)
    await claimConverged(world, next)
    await story.claim('no job ran on Erathia after its pause', async () => {
      await events.read()
      const after = events.of('Erathia').slice(before)
      deepEqual(
        after.filter(({ kind }) => kind === 'job:started'),
        [],
      )
    })
    await claimRequests(world, ['merged'])
  },
}
