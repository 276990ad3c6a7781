import { equal } from 'node:assert/strict'
import { isDuplicate } from '#test/support/chat/worker-double.js'
import { playerQuery } from './chat-side.js'
import { type DispatchWorld, dispatchCase } from './dispatch-world.js'
import { claimAnswered, claimEnacted } from './steps.js'

const copies = 100

/** Sends all copies of one query at once. `count`: the queries that the host has accepted then. */
export const sendCopies = async (world: DispatchWorld, id: string, count: number): Promise<void> => {
  const { story, worker, host } = world
  const query = playerQuery(id)
  story.tell('worker', `sends ${copies} copies of ${query.id}`)
  const answers = await Promise.all(Array.from({ length: copies }, () => worker.post(query)))
  await story.claim(`each copy is answered with 202, and one of them without duplicate`, () => {
    equal(answers.filter(answer => answer?.status === 202).length, copies)
    equal(answers.filter(answer => !isDuplicate(answer)).length, 1)
  })
  await claimEnacted(world, host, count)
  await claimAnswered(world, query)
}

export const storm = dispatchCase({
  name: 'storm',
  about: `${copies} copies of one interaction arrive at once`,
  play: world => sendCopies(world, '900100200300400501', 1),
})
