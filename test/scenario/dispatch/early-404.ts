import { deepEqual, equal } from 'node:assert/strict'
import { errorBody } from '#test/support/chat/chat-double.js'
import { answersTo, playerQuery } from './chat-side.js'
import { dispatchCase } from './dispatch-world.js'
import { awaitAnswers, awaitEvent, claimEnacted } from './steps.js'

/** The platform knows no first answer yet, which the worker makes. */
const missing = { status: 404, body: errorBody('Unknown Message', 10_008) }
const triesMax = 5

export const early404 = dispatchCase({
  name: 'early-404',
  about: 'the answer of the host reaches the platform before the first one of the worker',
  play: async world => {
    const { story, chat, worker, host } = world
    const late = playerQuery('900100200300400502')
    chat.script(missing, missing)
    story.tell('worker', 'is slow to answer the chat; two calls of the host are too early')
    equal(await worker.forward(late), 'accepted')
    await story.claim('the host tries again, and the player reads the third try', async () => {
      const answers = await awaitAnswers(world, late, 3)
      deepEqual([answers.length, new Set(answers).size], [3, 1])
    })
    await claimEnacted(world, host, 1)

    chat.script(...Array.from({ length: triesMax + 1 }, () => missing))
    story.tell('worker', 'does not answer the chat at all')
    const never = playerQuery('900100200300400503')
    equal(await worker.forward(never), 'accepted')
    await story.claim(
      `the host gives the answer up at the ${triesMax}th 404, and undoes nothing`,
      async () => {
        await awaitEvent(host, 'follow_up_failed')
        equal(answersTo(world, never).length, triesMax)
      },
    )
    await claimEnacted(world, host, 2)
  },
})
