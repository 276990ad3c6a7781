import { parseArgs } from 'node:util'
import { type Race, race } from './race.js'

/**
 * `npm run push-race [-- --daemons 5 --seconds 120 --sessions]`: built daemons write once a second into the same index
 * file and push to one remote; one is killed and one cut off half-way (RELIABILITY 3). With `--sessions` three daemons
 * add and edit the same sessions. Leaves with 1 when a write was lost or doubled, or anything was parked.
 */

const { values } = parseArgs({
  options: {
    daemons: { type: 'string' },
    seconds: { type: 'string', default: '120' },
    sessions: { type: 'boolean', default: false },
  },
})

const at = (sorted: ReadonlyArray<number>, share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)

const describeRace = ({ written, asked, acked, commits, merges, settleMs, violations }: Race): string => {
  const latencies = written.flatMap(one => one.latenciesMs).sort((a, b) => a - b)
  const refused = written.flatMap(one => one.statuses).filter(status => status >= 300)
  return [
    `asked          ${asked}`,
    `acknowledged   ${acked}, in ${at(latencies, 0.5)} ms (median), ${at(latencies, 0.99)} ms (p99)`,
    `refused        ${refused.length} ${[...new Set(refused)].join(' ')}`,
    `remote         ${commits} commits, ${merges} of them merges`,
    `settled        ${Math.round(settleMs)} ms after the last write`,
    `wrong          ${violations.length}`,
    ...violations.map(one => `    ${one}`),
    '',
  ].join('\n')
}

const { sessions } = values
const daemons = Number(values.daemons ?? (sessions ? 3 : 5))
const outcome = await race({ daemons, seconds: Number(values.seconds), sessions })
process.stdout.write(describeRace(outcome))
process.exitCode = outcome.violations.length === 0 ? 0 : 1
