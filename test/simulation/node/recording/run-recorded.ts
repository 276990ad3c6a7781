import { writeFileSync } from 'node:fs'
import { findWorlds, type SimWorld } from '../worlds.js'
import { drawFleet } from './draw-fleet.js'
import {
  describeFirstDifference,
  eventLineOf,
  findFirstDifference,
  type Recording,
  readRecording,
  writeRecording,
} from './recording.js'

/** What `npm run simulate` was asked for, where one seed is recorded, replayed or drawn. */
export interface RecordedRun {
  readonly only: string | undefined
  readonly seed: number | null
  /** The file of the trace: written where a seed is given, else read and replayed. */
  readonly trace: string | undefined
  /** The file of the picture; `-` for standard output. */
  readonly picture: string | undefined
}

type Say = (text: string) => void

const record = async (world: SimWorld, seed: number): Promise<Recording & { readonly isSound: boolean }> => {
  const events: Array<string> = []
  const { violations } = await world.simulate(seed, line => void events.push(eventLineOf(line)))
  return { world: world.name, seed, events, isSound: violations.length === 0 }
}

const findWorld = (name: string | undefined): SimWorld => {
  const [world, ...others] = findWorlds(name)
  if (world === undefined || others.length > 0)
    throw new Error('--trace and --picture take one world: add --only with its name')
  return world
}

const replay = async (recorded: Recording, say: Say) => {
  const replayed = await record(findWorld(recorded.world), recorded.seed)
  const difference = findFirstDifference(recorded.events, replayed.events)
  if (difference === null)
    say(`seed ${recorded.seed} of ${recorded.world}: ${recorded.events.length} equal events`)
  else say(describeFirstDifference(difference, recorded.events).join('\n'))
  return { ...replayed, isSound: replayed.isSound && difference === null }
}

const recordSeed = async ({ only, seed, trace }: RecordedRun, say: Say) => {
  const recorded = await record(findWorld(only), seed ?? 1)
  if (trace === undefined) return recorded
  writeRecording(trace, recorded)
  say(`${trace}: ${recorded.events.length} events of seed ${recorded.seed} of ${recorded.world}`)
  return recorded
}

/**
 * Records a seed, or replays a recording of one, and draws it if a picture is asked for. Returns whether the run broke
 * nothing and, as a replay, took the same way.
 */
export const runRecorded = async (asked: RecordedRun, say: Say): Promise<boolean> => {
  const { seed, trace, picture } = asked
  const ran =
    seed === null && trace !== undefined
      ? await replay(readRecording(trace), say)
      : await recordSeed(asked, say)
  if (picture !== undefined) {
    if (ran.world !== 'fleet') throw new Error('--picture draws a fleet: add --only fleet')
    const drawn = `seed ${ran.seed}\n${drawFleet(ran.events)}\n`
    if (picture === '-') say(drawn)
    else writeFileSync(picture, drawn)
  }
  return ran.isSound
}
