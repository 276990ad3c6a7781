import { printLog } from '#test/scenario/world/host.js'
import type { Print } from '#test/scenario/world/run-cases.js'
import type { Story } from '#test/scenario/world/story.js'
import { type FleetWorld, type FleetWorldOptions, openFleetWorld } from '#test/scenario/world/world.js'
import { hostsOf } from './steps.js'

/** One case of the scenario. */
export interface FailoverCase {
  readonly name: string
  /** What it shows, in a sentence. */
  readonly about: string
  readonly options: Omit<FleetWorldOptions, 'story'>
  /** Plays the case; rejects where a claim does not hold. */
  readonly play: (world: FleetWorld) => Promise<void>
}

/** Plays a case in a world of its own. Where it fails, the logs of the hosts are printed. */
export const playCase = async (
  { options, play }: Pick<FailoverCase, 'options' | 'play'>,
  story: Story,
  print: Print,
): Promise<void> => {
  const world = await openFleetWorld({ ...options, story })
  try {
    await world.events.read()
    story.tell('all', 'run, and see each other')
    await play(world)
    await world.events.read()
  } catch (error) {
    for (const host of hostsOf(world)) printLog(host, print)
    throw error
  } finally {
    await world.close()
  }
}
