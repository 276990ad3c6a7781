import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { check, type Diagnostics } from 'recheck'
import { type Pattern, patternsOf } from '#test/support/patterns.js'
import { isTest, sources } from '#test/tidy/sources.js'

const checkMs = 300_000
const inputChars = 100_000
const inputMs = 50

/** Without its time limits, since recheck takes a limit that a busy machine ran into for a vulnerability. */
const judged = ({ source, flags }: Pattern): Promise<Diagnostics> =>
  check(source, flags, { timeout: null, attackTimeout: null, incubationTimeout: null })

const faultOf = async (pattern: Pattern): Promise<ReadonlyArray<string>> => {
  const { status, ...verdict } = await judged(pattern)
  const against = 'attack' in verdict ? ` against ${verdict.attack.pattern}` : ''
  return status === 'safe' ? [] : [`${pattern.at} ${pattern.source} is ${status}${against}`]
}

/** Time of the processor, which a busy machine does not stretch; the best of three, as a collection may fall into one. */
const fastestMs = (run: () => void): number => {
  const once = (): number => {
    const before = process.cpuUsage()
    run()
    return process.cpuUsage(before).user / 1000
  }
  const first = once()
  return first < inputMs ? first : Math.min(once(), once())
}

const inputs = ['a', '0', ' ', '\t', '/', '-', ':', '[', '\u0301'].map(sign => `${sign.repeat(inputChars)}!`)

describe('SECURITY 4.8 regular expressions', () => {
  const patterns = patternsOf(sources.filter(({ path }) => !isTest(path)))

  it('4.8.23 | every literal of the code under recheck | none takes more than linear time', async function () {
    this.timeout(checkMs)
    equal(patterns.length > 200, true)
    const faults: Array<string> = []
    for (const pattern of patterns) faults.push(...(await faultOf(pattern)))
    deepEqual(faults, [])
  })

  it('4.8.23a | what recheck is for is found', async () => {
    const [slow] = patternsOf([{ path: 'slow.ts', text: "const trimmed = '  '.replace(/\\s+$/u, '')" }])
    ok(slow !== undefined)
    match((await faultOf(slow)).join(), /^slow\.ts:1 \\s\+\$ is vulnerable against '/)
  })

  it(`4.8.25 | 100 KB of one sign against every pattern | below ${inputMs} ms`, function () {
    this.timeout(checkMs)
    const slow = patterns.filter(({ source, flags }) => {
      const pattern = new RegExp(source, flags)
      return inputs.some(input => fastestMs(() => input.replace(pattern, '')) >= inputMs)
    })
    deepEqual(slow, [])
  })
})
