import { parseArgs } from 'node:util'
import { enactRace } from './race.js'

/**
 * `npm run enact-race [-- --months 8]`: five built daemons and `kronika enact award` settle each month in the same
 * second, then close one session by route, dispatch and command; one daemon is cut off from the remote, and one is frozen on the way and thawed. Leaves with 1 where a month
 * was not settled once, or somebody was not told why.
 */

const { values } = parseArgs({ options: { months: { type: 'string', default: '8' } } })

const { rounds, violations } = await enactRace(Number(values.months))
for (const { month, freezeAfterMs, isAhead, ends } of rounds) {
  process.stdout.write(
    `${month}  (one frozen after ${freezeAfterMs} ms${isAhead ? ', ahead of the others' : ''})\n`,
  )
  for (const { who, said } of ends) process.stdout.write(`    ${who.padEnd(16)} ${said}\n`)
}
process.stdout.write(`wrong   ${violations.length}\n`)
for (const violation of violations) process.stdout.write(`    ${violation}\n`)
process.exitCode = violations.length === 0 ? 0 : 1
