import { equal } from 'node:assert/strict'
import { isDuplicate } from '#test/support/chat/worker-double.js'
import { playerQuery } from './chat-side.js'
import { dispatchCase } from './dispatch-world.js'
import { claimAnswered, claimEnacted } from './steps.js'

const copies = 100

export const storm = dispatchCase({
  name: 'storm',
  about: `${copies} copies of one interaction arrive at once`,
  play: async world => {
    const { story, worker, host } = world
    const query = playerQuery('900100200300400501')
    story.tell('worker', `sends ${copies} copies of ${query.id}`)
    const answers = await Promise.all(Array.from({ length: copies }, () => worker.post(query)))
    await story.claim(`each copy is answered with 202, and one of them without duplicate`, () => {
      equal(answers.filter(answer => answer?.status === 202).length, copies)
      equal(answers.filter(answer => !isDuplicate(answer)).length, 1)
    })
    await claimEnacted(world, host, 1)
    await claimAnswered(world, query)
  },
})
