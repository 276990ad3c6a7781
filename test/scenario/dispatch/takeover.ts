import { deepEqual, equal } from 'node:assert/strict'
import { acceptTakeover, announceFlip, awaitApex, awaitTakeover } from '#test/scenario/failover/steps.js'
import { openCleanup } from '#test/scenario/world/cleanup.js'
import { printLog, type ScenarioHost } from '#test/scenario/world/host.js'
import type { ScenarioCase } from '#test/scenario/world/run-cases.js'
import type { Story } from '#test/scenario/world/story.js'
import { type FleetWorld, openFleetWorld } from '#test/scenario/world/world.js'
import {
  type Interaction,
  isDuplicate,
  workerDouble,
  workerTimeoutMs,
} from '#test/support/chat/worker-double.js'
import { botToken, chatFiles, chatSettings } from './chat-settings.js'
import { type ChatSide, openChatSide, playerQuery } from './chat-side.js'
import { awaitAnswers, claimAnswered, claimEnacted, claimValid } from './steps.js'

/** The stable name of the apex, behind which the worker finds a host. */
interface ApexName {
  host: ScenarioHost | null
}

const playTakeover = async (world: FleetWorld, side: ChatSide, name: ApexName): Promise<void> => {
  const { hosts, story } = world
  const { Erathia, Bracada, Deyja } = hosts
  const { chat, worker } = side
  name.host = Erathia
  const lost = playerQuery('900100200300400901')
  chat.script(() => undefined)
  equal(await worker.forward(lost), 'accepted')
  await awaitAnswers(side, lost, 1)
  await Erathia.kill()
  story.countFromNow()
  story.tell(
    'Erathia',
    'is killed: it has accepted an interaction, and does not know that the answer arrived',
  )
  await acceptTakeover(Bracada, { target: 'Bracada', force: true })
  await story.claim('the takeover of Bracada is done', async () => {
    equal((await awaitTakeover(Bracada)).status, 'done')
  })
  await announceFlip([Bracada, Deyja], 'Bracada')
  await awaitApex([Bracada, Deyja], 'Bracada')
  name.host = Bracada
  story.tell('worker', 'finds Bracada behind the name of the apex')

  // A worker that got no answer asks again behind its time-out; a forced takeover may be faster.
  const leftMs = lost.sentAtEpochMs + workerTimeoutMs - Date.now()
  await new Promise(resolve => setTimeout(resolve, Math.max(0, leftMs)))
  await story.claim('a replay behind the window is stale at the new apex, which enacts nothing', async () => {
    equal((await worker.post(lost))?.status, 410)
  })
  const next = playerQuery('900100200300400902')
  equal(await worker.forward(next), 'accepted')
  await claimEnacted(side, Bracada, 1)
  await claimAnswered(side, next)

  await Erathia.start()
  story.tell('Erathia', 'runs again')
  await announceFlip([Erathia], 'Bracada')
  await awaitApex([Erathia], 'Bracada')
  await story.claim('Erathia sends the answer that it owes, the same as before', async () => {
    const answers = await awaitAnswers(side, lost, 2)
    deepEqual([answers.length, new Set(answers).size], [2, 1])
  })
  await claimEnacted(side, Erathia, 1)
  const postTo = async (host: ScenarioHost, query: Interaction): Promise<boolean> =>
    isDuplicate(await workerDouble({ host: host.address }).post(query))
  await story.claim('a replay at Erathia is a duplicate', async () => {
    equal(await postTo(Erathia, lost), true)
  })
  const twice = playerQuery('900100200300400903')
  await story.claim(
    'two hosts that get one query within the window accept it each, and no host twice',
    async () => {
      const order = [Bracada, Erathia, Bracada, Erathia]
      const duplicates: Array<boolean> = []
      for (const host of order) duplicates.push(await postTo(host, twice))
      deepEqual(duplicates, [false, false, true, true])
    },
  )
  await story.claim('the player reads one answer, which the second host replaced by the same', async () => {
    const answers = await awaitAnswers(side, twice, 2)
    deepEqual([answers.length, new Set(answers).size], [2, 1])
  })
}

const openSides = async (story: Story, name: ApexName) => {
  const cleanup = openCleanup()
  try {
    const side = await openChatSide(story, () => {
      if (name.host === null) throw new Error('the name of the apex leads nowhere')
      return name.host.address()
    })
    cleanup.add(side.chat.close)
    const world = await openFleetWorld({
      story,
      files: chatFiles,
      integrations: { chat: chatSettings(side.chat.url) },
      env: { SVC_CHAT_BOT_TOKEN: botToken },
    })
    cleanup.add(world.close)
    return { side, world, close: cleanup.run }
  } catch (error) {
    await cleanup.run().catch(() => undefined)
    throw error
  }
}

export const replayAfterTakeover: ScenarioCase = {
  name: 'takeover',
  about: 'an interaction is accepted at the old apex, and replayed at the new one',
  play: async (story, print) => {
    const name: ApexName = { host: null }
    const { side, world, close } = await openSides(story, name)
    try {
      story.tell('all', 'run, and see each other')
      await playTakeover(world, side, name)
      await claimValid(side)
    } catch (error) {
      for (const host of Object.values(world.hosts)) printLog(host, print)
      throw error
    } finally {
      await close()
    }
  },
}
