import { join } from 'node:path'
import { type Cleanup, openCleanup } from '#test/scenario/world/cleanup.js'
import { printLog, type ScenarioHost, scenarioHost } from '#test/scenario/world/host.js'
import { openProxyNetwork } from '#test/scenario/world/proxy-network.js'
import type { ScenarioCase } from '#test/scenario/world/run-cases.js'
import type { Story } from '#test/scenario/world/story.js'
import { openHeldClock } from '#test/support/held-clock.js'
import { openPerson, type PersonClone } from '#test/support/person.js'
import { gitIn, temporaryFolder } from '#test/support/repository.js'
import { botToken, chatFiles, chatSettings } from './chat-settings.js'
import { type ChatSide, openChatSide } from './chat-side.js'
import { type AnswerProxy, openAnswerProxy } from './lost-answers.js'
import { claimValid } from './steps.js'

/** A built daemon that is alone, the platform, and the worker, which reaches the daemon through a proxy. */
export interface DispatchWorld extends ChatSide {
  readonly host: ScenarioHost
  readonly link: AnswerProxy
  /** The remote, and a person who pushes there. */
  readonly bare: string
  readonly person: PersonClone
  /** Moves the wall clock of the host. It is held only where the case says so. */
  readonly setNowMs: (nowMs: number) => void
  readonly close: () => Promise<void>
}

export interface DispatchCase extends Omit<ScenarioCase, 'play'> {
  /** Where the wall clock of the host is held from the start; if absent, it runs. */
  readonly heldAtMs?: number
  /** More arguments of `kronika serve`. */
  readonly serveArgs?: ReadonlyArray<string>
  readonly play: (world: DispatchWorld) => Promise<void>
}

type HostOptions = Pick<DispatchCase, 'heldAtMs' | 'serveArgs'>

const buildWorld = async (
  story: Story,
  { heldAtMs, serveArgs = [] }: HostOptions,
  cleanup: Cleanup,
): Promise<DispatchWorld> => {
  const folder = temporaryFolder()
  cleanup.add(folder.dispose)
  const network = await openProxyNetwork(['Erathia'])
  cleanup.add(network.close)
  const link = await openAnswerProxy(() => host.address().port)
  cleanup.add(link.close)
  const side = await openChatSide(story, () => ({ ...host.address(), port: link.port }))
  cleanup.add(side.chat.close)
  const bare = join(folder.path, 'lore.git')
  gitIn(folder.path, 'init', '-q', '--bare', '-b', 'main', bare)
  const person = openPerson(bare, {
    ...chatFiles,
    '.svc/config.json': JSON.stringify({
      server: { sync_interval_min: 60, publish_mode: 'push' },
      integrations: { chat: chatSettings(side.chat.url) },
    }),
  })
  cleanup.add(person.dispose)
  const clock = heldAtMs === undefined ? null : openHeldClock(join(folder.path, 'now'), heldAtMs)
  const place = { folder: folder.path, town: 'Erathia', bare, remoteUrl: bare, network, serveArgs }
  const host: ScenarioHost = scenarioHost(place, { SVC_CHAT_BOT_TOKEN: botToken, ...clock?.env })
  cleanup.add(host.kill)
  await host.start()
  return { ...side, host, link, bare, person, setNowMs: nowMs => clock?.setNowMs(nowMs), close: cleanup.run }
}

const openDispatchWorld = async (story: Story, options: HostOptions): Promise<DispatchWorld> => {
  const cleanup = openCleanup()
  try {
    return await buildWorld(story, options, cleanup)
  } catch (error) {
    await cleanup.run().catch(() => undefined)
    throw error
  }
}

/** Makes a case that is played in a world of its own. Where it fails, the log of the host is printed. */
export const dispatchCase = ({ play, ...rest }: DispatchCase): ScenarioCase => ({
  ...rest,
  play: async (story, print) => {
    const world = await openDispatchWorld(story, rest)
    try {
      story.tell(world.host.town, 'runs')
      story.countFromNow()
      await play(world)
      await claimValid(world)
    } catch (error) {
      printLog(world.host, print)
      throw error
    } finally {
      await world.close()
    }
  },
})
