import { parseArgs } from 'node:util'
import { openStory } from '#test/scenario/world/story.js'
import { playCase } from './case.js'
import { cases } from './cases.js'

/**
 * `npm run scenario:failover [-- --case NAME …]`: plays the cases of a failover with three built daemons, and prints what
 * happened on which host, with the seconds since the fault. Leaves with 0 where every claim was checked and held, with 1
 * at the first that did not, with 64 for an unknown case.
 */
const { values } = parseArgs({ options: { case: { type: 'string', multiple: true, default: [] } } })
const print = (text: string): void => void process.stdout.write(text)
const unknown = values.case.filter(name => cases.every(one => one.name !== name))
if (unknown.length > 0) {
  const known = cases.map(({ name }) => name).join(', ')
  process.stderr.write(`scenario:failover: no case ${unknown.join(', ')}; the cases are ${known}\n`)
  process.exit(64)
}

const chosen = cases.filter(({ name }) => values.case.length === 0 || values.case.includes(name))
const story = openStory(print, Date.now)
const beganMs = Date.now()
try {
  for (const one of chosen) await playCase(one, story, print)
  const seconds = Math.round((Date.now() - beganMs) / 1_000)
  print(`\n${chosen.length} cases, ${story.claims()} claims checked and held, ${seconds} s\n`)
} catch (error) {
  print(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
}
