import { runSuspicion } from './suspicion.js'
import { countIn, openTally } from './tally.js'

/**
 * Runs seeds of suspicion, prints the first violation with the command that replays its seed, and what the rules did.
 * Returns whether no seed broke the bar.
 */
export const runSuspicions = async (
  first: number,
  seeds: number,
  say: (text: string) => void,
): Promise<boolean> => {
  const before = process.cpuUsage()
  const sum = openTally()
  let done = 0
  let isClean = true
  for (let seed = first; seed < first + seeds && isClean; seed += 1) {
    const { violations, tally } = await runSuspicion(seed)
    for (const [key, count] of tally) countIn(sum, key, count)
    done += 1
    isClean = violations.length === 0
    if (!isClean)
      say([...violations.slice(0, 5), `npm run simulate -- --seed ${seed} --only suspicion`].join('\n'))
  }
  const { user, system } = process.cpuUsage(before)
  say(`${done} seeds of suspicion in ${((user + system) / 1e6).toFixed(1)} s of processor time`)
  for (const [key, count] of sum) say(`${String(count).padStart(9)} ${key}`)
  return isClean
}
