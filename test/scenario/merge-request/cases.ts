import { deepEqual, equal } from 'node:assert/strict'
import { forgeName } from '#test/scenario/world/network.js'
import type { ScenarioCase } from '#test/scenario/world/run-cases.js'
import { jsonField } from '#test/support/json-field.js'
import { gitIn, headIn } from '#test/support/repository.js'
import {
  awaitSync,
  claimNothingLost,
  claimPublished,
  claimQuiet,
  claimStates,
  hostTown,
  publishBranch,
  requestCase,
  writeNth,
} from './publish-story.js'

const open = requestCase({
  name: 'open',
  about: 'a request waits for people, gets more commits, and is adopted after kill -9',
  forgeFlags: ['--blocked-by', 'not_approved'],
  play: async world => {
    const { story, host, bare } = world
    const main = headIn(bare, 'refs/heads/main')
    await writeNth(world, 0)
    await story.claim('the request is open, and both rows name it', async () => {
      const { request } = await awaitSync(world, ({ lastAction }) => lastAction === 'mr_waits_for_forge')
      deepEqual([request?.iid, request?.state, request?.status], [1, 'opened', 'not_approved'])
      const health = jsonField((await host.ask('/health', { token: null })).json, 'sync')
      deepEqual(jsonField(health, 'request'), { iid: 1, state: 'opened' })
    })
    await writeNth(world, 1)
    await awaitSync(world, ({ unpublished }) => unpublished === 2)
    await host.kill()
    story.tell(hostTown, 'is killed')
    await host.start()
    story.tell(hostTown, 'runs again')
    await writeNth(world, 2)
    await story.claim(
      'the branch of the request has every commit, and the followed branch none',
      async () => {
        await awaitSync(world, () => gitIn(bare, 'rev-parse', publishBranch) === host.head())
        equal(headIn(bare, 'refs/heads/main'), main)
      },
    )
    await claimStates(world, ['opened'])
    await claimNothingLost(world)
  },
})

const merged = requestCase({
  name: 'merged',
  about: 'the forge checks, then merges with a merge commit, while a person publishes too',
  forgeFlags: ['--checks-ms', '2500'],
  play: async world => {
    const { person, story } = world
    await writeNth(world, 0)
    await awaitSync(world, ({ lastAction }) => lastAction === 'mr_waits_for_forge')
    await writeNth(world, 6)
    person.publish({ 'uwagi.md': 'Od osoby.\n' })
    story.tell('a person', 'publishes a file')
    await claimPublished(world)
    await claimStates(world, ['merged'])
    await claimQuiet(world)
    await writeNth(world, 1)
    await claimPublished(world)
    await claimStates(world, ['merged', 'merged'])
  },
})

const squashed = requestCase({
  name: 'squashed',
  about: 'the forge squashes each request, and the host writes to the same entities between and meanwhile',
  forgeFlags: ['--checks-ms', '2500', '--squash'],
  play: async world => {
    for (let round = 1; round <= 3; round += 1) {
      await writeNth(world, 0)
      await writeNth(world, 1)
      await awaitSync(world, ({ request }) => request?.state === 'opened')
      await writeNth(world, 0)
      await claimPublished(world)
      await claimQuiet(world)
    }
    await world.story.claim('every request was squashed, and nothing is parked', async () => {
      for (const { state, isSquashed } of await world.forge.requests())
        deepEqual([state, isSquashed], ['merged', true])
      deepEqual((await world.host.sync()).parked, [])
    })
  },
})

const closed = requestCase({
  name: 'closed',
  about: 'a person closes the request; the next write opens another one with everything',
  forgeFlags: ['--checks-ms', '1500'],
  play: async world => {
    const { story, forge, person, host } = world
    await forge.disturb({ on: 'open', do: 'veto' })
    await writeNth(world, 0)
    await story.claim('the host reports it, and keeps the commit', async () => {
      const { request } = await awaitSync(world, ({ lastAction }) => lastAction === 'request_closed')
      deepEqual([request?.iid, request?.state], [1, 'closed'])
    })
    person.publish({ 'uwagi.md': 'Od osoby.\n' })
    equal((await host.ask('/sync', { method: 'POST', body: '{}' })).status, 200)
    await claimQuiet(world)
    await claimStates(world, ['closed'])
    await claimNothingLost(world)
    await writeNth(world, 1)
    await claimPublished(world)
    await claimStates(world, ['closed', 'merged'])
  },
})

/** An hour is shortened: the interval is a fifteenth of its default, and so are the pauses between two attempts. */
const awayMs = 45_000

const away = requestCase({
  name: 'away',
  about: 'the forge refuses, loses answers, and is away for a shortened hour',
  forgeFlags: ['--checks-ms', '1500'],
  play: async world => {
    const { story, forge, network } = world
    await forge.disturb(
      { on: 'list', do: 503, times: 2 },
      { on: 'open', do: 'garble' },
      { on: 'merge', do: 'garble' },
    )
    story.tell('forge', 'answers 503, then garbles the answers to an opening and a merge that were done')
    await writeNth(world, 0)
    await claimPublished(world)
    await claimStates(world, ['merged'])
    network.cut(hostTown, forgeName)
    story.tell('forge', 'is away')
    const untilMs = Date.now() + awayMs
    for (let nth = 1; Date.now() < untilMs; nth = (nth % 11) + 1) {
      await writeNth(world, nth)
      await new Promise(resolve => setTimeout(resolve, 5_000))
    }
    network.restore(hostTown, forgeName)
    story.tell('forge', 'is back')
    await claimPublished(world)
    await claimStates(world, ['merged', 'merged'])
    await claimQuiet(world)
  },
})

export const requestCases: ReadonlyArray<ScenarioCase> = [open, merged, squashed, closed, away]
