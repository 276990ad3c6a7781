import { parseArgs } from 'node:util'
import { takeShare } from '#test/support/runs.js'
import { attack } from './attack.js'
import { attackCases } from './cases.js'
import { figuresText, tableOf, violationText } from './report.js'

/**
 * `npm run attack [-- --minutes 2 --seed N --only world|caller|fleet --case TEXT --share 3/10 --scale 0.5 --json]`: hostile worlds and
 * hostile callers against the built daemon (docs/howto/develop/run-the-attack.md). Leaves with 1 when a verdict is violated,
 * with 64 when no case has that name.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: 'kronika' },
    only: { type: 'string', default: '' },
    case: { type: 'string', default: '' },
    share: { type: 'string', default: '' },
    scale: { type: 'string' },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})

const say = (text: string): void => void process.stderr.write(text)

const chosen = takeShare(
  attackCases.filter(
    ({ name, kind }) => (values.only === '' || kind === values.only) && name.includes(values.case),
  ),
  values.share,
)

const run = async (): Promise<number> => {
  if (chosen.length === 0) {
    say('no case has such a name; --list shows them\n')
    return 64
  }
  if (values.list) {
    process.stdout.write(chosen.map(({ name }) => `${name}\n`).join(''))
    return 0
  }
  const { ran, unreached } = await attack(chosen, {
    seed: values.seed,
    scale: values.scale === undefined ? null : Number(values.scale),
    minutes: Number(values.minutes),
    onStart: name => say(`${name} `),
    onEnd: one => say(one.result.violations.length === 0 ? 'holds\n' : `${violationText(one)}\n`),
  })
  process.stdout.write(
    values.json ? `${JSON.stringify({ ran, unreached })}\n` : `${tableOf(ran)}${figuresText(ran)}`,
  )
  const broken = ran.filter(one => one.result.violations.length > 0)
  if (!values.json) process.stdout.write(broken.map(violationText).join(''))
  if (unreached.length > 0) say(`not reached in the time: ${unreached.join(', ')}\n`)
  say(`${ran.length} cases, ${broken.length} with violations\n`)
  return broken.length === 0 ? 0 : 1
}

process.exitCode = await run()
