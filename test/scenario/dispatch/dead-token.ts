import { equal } from 'node:assert/strict'
import { errorBody } from '#test/support/chat/chat-double.js'
import { jsonField } from '#test/support/json-field.js'
import { channel } from './chat-settings.js'
import { answersTo, playerQuery } from './chat-side.js'
import { dispatchCase } from './dispatch-world.js'
import { awaitEvent, claimAnswered, claimEnacted } from './steps.js'

export const deadToken = dispatchCase({
  name: 'dead-token',
  about: 'the platform refuses the token of one interaction (401, code 50027)',
  play: async world => {
    const { story, chat, worker, host } = world
    const dead = playerQuery('900100200300400504')
    chat.script({ status: 401, body: errorBody('Invalid Webhook Token', 50_027) })
    equal(await worker.forward(dead), 'accepted')
    await story.claim('the host gives up this answer at once', async () => {
      await awaitEvent(host, 'follow_up_failed')
      equal(answersTo(world, dead).length, 1)
    })
    await story.claim('the next notice leaves at once, by the token of the bot', async () => {
      const body = JSON.stringify({ ...channel, message: 'Cześć' })
      const { json } = await host.ask('/chat/send', { method: 'POST', body })
      equal(jsonField(json, 'Result'), 'SENT')
      equal(host.log().includes('chat_token_refused'), false)
    })
    const next = playerQuery('900100200300400505')
    equal(await worker.forward(next), 'accepted')
    await claimAnswered(world, next)
    await claimEnacted(world, host, 2)
  },
})
