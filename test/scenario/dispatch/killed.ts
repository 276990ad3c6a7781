import { deepEqual, equal } from 'node:assert/strict'
import { isDuplicate } from '#test/support/chat/worker-double.js'
import { eventually } from '#test/support/daemon.js'
import { answersTo, playerQuery } from './chat-side.js'
import { dispatchCase } from './dispatch-world.js'
import { awaitAnswers, claimEnacted } from './steps.js'

const burst = 20

export const killed = dispatchCase({
  name: 'killed',
  about: 'kill -9 between what a host does for an interaction and its mark on the disk',
  play: async world => {
    const { story, chat, worker, host } = world
    const query = playerQuery('900100200300400600')
    chat.script(() => undefined)
    equal(await worker.forward(query), 'accepted')
    await awaitAnswers(world, query, 1)
    await host.kill()
    story.tell('Erathia', 'is killed: the platform has the answer, and the host does not know')
    await host.start()
    story.tell('Erathia', 'runs again')
    await story.claim('the host sends the same answer again, which replaces the first', async () => {
      const answers = await awaitAnswers(world, query, 2)
      deepEqual([answers.length, new Set(answers).size], [2, 1])
    })
    await claimEnacted(world, host, 1)
    await story.claim('the interaction is known to the host that was killed', async () => {
      equal(isDuplicate(await worker.post(query)), true)
    })

    const queries = Array.from({ length: burst }, (_, nth) => playerQuery(String(900_100_200_300_000 + nth)))
    const answers = await Promise.all(queries.map(one => worker.post(one)))
    await host.kill()
    story.tell('Erathia', `is killed right behind ${burst} times 202`)
    deepEqual(
      answers.map(answer => answer?.status),
      queries.map(() => 202),
    )
    await host.start()
    await claimEnacted(world, host, burst + 1)
    await story.claim('each of the players reads an answer', async () => {
      await eventually(
        () => Promise.resolve(queries.map(one => answersTo(world, one))),
        all => all.every(texts => texts.length > 0 && new Set(texts).size === 1),
      )
    })
  },
})
