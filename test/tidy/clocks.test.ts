import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { isTest, type Source, sources } from './sources.js'

/** Time that is not of the kernel's clock: the virtual clock of tests and simulation cannot move it. */
const realTime =
  /\bset(?:Timeout|Interval|Immediate)\b|\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b|timers\/promises/

const isComment = (line: string): boolean => /^\s*(?:\*|\/\*|\/\/)/.test(line)

/** Whether a file whose time comes from the kernel's clock takes it elsewhere. `src/kernel/time/` is that clock. */
const takesRealTime = ({ path, text }: Source): boolean =>
  !isTest(path) &&
  /^(?:actors|supervisors|src\/kernel)\//.test(path) &&
  !path.startsWith('src/kernel/time/') &&
  text.split('\n').some(line => !isComment(line) && realTime.test(line))

describe('clocks', () => {
  it('of actors, supervisors and kernel are the one of the kernel: `after` effects, moments, or `Clock` by ports', () => {
    deepEqual(
      sources.filter(takesRealTime).map(({ path }) => path),
      [],
    )
  })

  it('would be seen elsewhere', () => {
    for (const line of [
      'timer = setTimeout(() => reject(late), hooksLimitMs)',
      'const poll = setInterval(look, 1_000)',
      'await new Promise(resolve => setImmediate(resolve))',
      'const nowMs = Date.now()',
      'const atMs = performance.now()',
      'const startedNs = process.hrtime.bigint()',
      "import { setTimeout as sleep } from 'node:timers/promises'",
    ])
      for (const path of ['actors/gate/gate.ts', 'supervisors/node.ts', 'src/kernel/kernel.ts'])
        deepEqual([line, takesRealTime({ path, text: line })], [line, true])
    for (const path of ['src/kernel/time/clock.ts', 'actors/gate/gate.test.ts', 'src/node/main.ts'])
      deepEqual(takesRealTime({ path, text: 'setTimeout(run, 1)' }), false)
    for (const text of ['after("tick", 1_000, tick)', '// setTimeout counts in 31 bits', 'moment.nowMs'])
      deepEqual(takesRealTime({ path: 'actors/gate/gate.ts', text }), false)
  })
})
