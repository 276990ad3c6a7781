import { equal, ok } from 'node:assert/strict'
import { isDuplicate } from '#test/support/chat/worker-double.js'
import { jsonField } from '#test/support/json-field.js'
import { playerQuery } from './chat-side.js'
import { dispatchCase } from './dispatch-world.js'
import { claimAnswered, claimEnacted } from './steps.js'

export const lost202 = dispatchCase({
  name: 'lost-202',
  about: 'the answer to the worker is lost, and it asks again behind the window while the gate is shut',
  notShown: 'a close or a report, which this build does not enact; a query passes a shut gate by itself too',
  play: async world => {
    const { story, worker, host, link } = world
    const query = playerQuery('900100200300400506')
    link.lose(true)
    story.tell('link', 'loses what the host answers')
    const forwarded = worker.forward(query)
    await claimEnacted(world, host, 1)
    await claimAnswered(world, query)
    await host.ask('/admin/mode', { method: 'POST', body: '{"mode":"read-only"}' })
    story.tell('Erathia', 'is read-only')
    ok(link.lostBytes() > 0)
    link.lose(false)
    story.tell('link', 'carries answers again')
    await story.claim('the second attempt of the worker is a duplicate', async () => {
      equal(await forwarded, 'accepted')
      ok(isDuplicate(await worker.post(query)))
    })
    await story.claim('an interaction as old that the host does not know is stale', async () => {
      const stale = await worker.post({ ...query, id: '900100200300400507' })
      equal(stale?.status, 410)
      ok(Number(jsonField(stale.body, 'ageMs')) > Number(jsonField(stale.body, 'windowMs')))
    })
    await claimEnacted(world, host, 1)
    await claimAnswered(world, query)
  },
})
