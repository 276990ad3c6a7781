import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type Campaign, campaign } from './campaign.js'
import type { PointOutcome } from './point.js'
import { scenarios } from './scenarios.js'

/**
 * `npm run kill-points [-- --points 100 --only write --lanes 2 --minutes 10 --json]`: kills the built daemon at each call
 * by which its scenarios change something, starts it again, and shows that nothing acknowledged was lost (RELIABILITY 3).
 * Leaves with 1 when anything is wrong, with 0 and a note where strace is absent. `--points` and `--minutes` are for each
 * scenario; a kill that hit no call, because the scenario had ended, is not a point but `not reached`.
 */

const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
    lanes: { type: 'string', default: '2' },
    minutes: { type: 'string', default: 'Infinity' },
    json: { type: 'boolean', default: false },
  },
})

const say = (text: string): void => void process.stderr.write(text)

const describeOutcome = ({ scenario, at, call, victim, violations }: PointOutcome): string =>
  `${scenario}, ${victim} killed behind call ${at ?? 'the last'} (${call?.name ?? ''} ${call?.target ?? ''}):\n` +
  violations.map(one => `    ${one}\n`).join('')

const onOutcome = (outcome: PointOutcome): void =>
  say(outcome.violations.length === 0 ? '.' : `\n${describeOutcome(outcome)}`)

const columns = [
  ...['scenario', 'calls', 'points', 'calls hit', 'not reached', 'recovered'],
  ...['recovery ms, median', 'worst'],
]

const rowOf = ({ scenario, calls, outcomes: all }: Campaign): ReadonlyArray<string> => {
  const outcomes = all.filter(({ at }) => at !== null)
  const times = outcomes.map(one => one.recoveryMs).sort((a, b) => a - b)
  return [
    scenario,
    String(calls),
    String(outcomes.length),
    String(new Set(outcomes.flatMap(one => one.at ?? [])).size),
    String(all.length - outcomes.length),
    String(outcomes.filter(one => one.violations.length === 0).length),
    String(Math.round(times[Math.floor(times.length / 2)] ?? 0)),
    String(Math.round(times.at(-1) ?? 0)),
  ]
}

const formatTable = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = columns.map((_, at) => Math.max(...rows.map(row => (row[at] ?? '').length)))
  return rows
    .map(row =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n')
}

const run = async (): Promise<number> => {
  if (spawnSync('strace', ['-V'], { stdio: 'ignore' }).status !== 0) {
    say('strace is absent here: nothing is killed and nothing shown\n')
    return 0
  }
  const chosen = scenarios.filter(({ name }) => name.includes(values.only))
  const campaigns: Array<Campaign> = []
  for (const scenario of chosen) {
    say(`${scenario.name} `)
    const options = {
      lanes: Number(values.lanes),
      untilMs: performance.now() + Number(values.minutes) * 60_000,
      onOutcome,
    }
    campaigns.push(await campaign(scenario, Number(values.points), options))
    say('\n')
  }
  const all = campaigns.flatMap(one => one.outcomes)
  const total = campaigns.reduce((sum, one) => sum + one.calls, 0)
  const sum = { scenario: 'all', calls: total, outcomes: all }
  process.stdout.write(
    values.json
      ? `${JSON.stringify(campaigns)}\n`
      : `${formatTable([columns, ...[...campaigns, sum].map(rowOf)])}\n`,
  )
  return all.every(one => one.violations.length === 0) ? 0 : 1
}

process.exitCode = await run()
