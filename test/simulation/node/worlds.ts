import { chatMarks } from '../chat/chat-marks.js'
import { simulateChat } from '../chat/simulate-chat.js'
import { simulateFleet } from './fleet/simulate-fleet.js'
import { simulate } from './simulate.js'
import { fleetMarks, marks } from './trace.js'

/** The worlds that `npm run simulate` runs of each seed. */
export const worlds = [
  { name: 'gate', simulate, marks },
  { name: 'fleet', simulate: simulateFleet, marks: fleetMarks },
  { name: 'chat', simulate: simulateChat, marks: chatMarks },
] as const

export type SimWorld = (typeof worlds)[number]

/** The worlds of this name; all of them where none is given. */
export const findWorlds = (name: string | undefined): ReadonlyArray<SimWorld> => {
  const found = worlds.filter(world => name === undefined || world.name === name)
  const names = worlds.map(world => world.name).join(', ')
  if (found.length === 0) throw new Error(`--only is one of ${names}, and not ${name}`)
  return found
}
