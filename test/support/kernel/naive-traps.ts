import { control, type Trap } from '#test/simulation/kernel-trap.js'
import { lifeTraps } from '#test/simulation/kernel-traps.js'
import { mailTraps } from '#test/simulation/kernel-traps-mail.js'
import { treeTraps } from '#test/simulation/kernel-traps-tree.js'
import { naiveRig } from './kernel-rig.js'

/**
 * Runs every trap against the naive kernel, in its own process: several traps would end it. Prints one line
 * of JSON: for each trap, whether it held and how often the process would have died.
 */
export interface NaiveVerdict {
  readonly id: string
  readonly held: boolean
  readonly deaths: number
}

let deaths = 0
process.on('unhandledRejection', () => {
  deaths += 1
})
process.on('uncaughtException', () => {
  deaths += 1
})
console.log = () => undefined

const judge = async (trap: Trap): Promise<NaiveVerdict> => {
  deaths = 0
  let held = false
  try {
    held = await trap.holds(naiveRig)
  } catch {
    held = false
  }
  for (let round = 0; round < 20; round += 1) await new Promise(resolve => setImmediate(resolve))
  return { id: trap.id, held, deaths }
}

const verdicts: NaiveVerdict[] = []
for (const trap of [control, ...lifeTraps, ...mailTraps, ...treeTraps]) verdicts.push(await judge(trap))
process.stdout.write(`${JSON.stringify(verdicts)}\n`, () => process.exit(0))
