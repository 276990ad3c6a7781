import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type Pattern, patternsOf } from '#test/support/patterns.js'
import {
  judgePattern,
  literalOf,
  programPatterns,
  readVerdicts,
  unknownPatterns,
} from './recheck-verdicts.js'

const checkMs = 300_000
const inputChars = 100_000
const inputMs = 50

const faultOf = async (pattern: Pattern): Promise<ReadonlyArray<string>> => {
  const { status, ...verdict } = await judgePattern(pattern)
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
  const patterns = programPatterns()
  const verdicts = readVerdicts()

  it('4.8.23 | every literal of the code under recheck | none takes more than linear time', async function () {
    this.timeout(checkMs)
    equal(patterns.length > 200, true)
    const faults: Array<string> = []
    const asked = process.env['RECHECK_ALL'] === '1' ? patterns : unknownPatterns(patterns, verdicts)
    for (const pattern of asked) faults.push(...(await faultOf(pattern)))
    deepEqual(faults, [])
  })

  it('4.8.23 | a literal that is new, or another version of recheck | recheck is asked', () => {
    const { recheck } = verdicts
    const known = { source: 'a+b', flags: 'u', at: 'a.ts:1' }
    const [fresh, flagged] = [
      { ...known, source: 'a+c' },
      { ...known, flags: '' },
    ]
    const safe = [literalOf(known)]
    deepEqual(unknownPatterns([known, fresh, flagged], { recheck, safe }, recheck), [fresh, flagged])
    deepEqual(unknownPatterns([known], { recheck, safe }, `${recheck}-1`), [known])
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
