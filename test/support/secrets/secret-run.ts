import { deepEqual } from 'node:assert/strict'
import type { Context } from 'mocha'
import { secrets } from './secrets.js'

/** What a run of tests asks of its secrets; `.mocharc.json` loads it. */
export const mochaHooks = {
  afterAll(this: Context): void {
    const { secrets: planted, outputs, chars } = secrets.counts()
    if (outputs === 0) return
    const searched = `${outputs} outputs of ${(chars / 1e6).toFixed(1)} million characters`
    process.stdout.write(`\n  secrets: ${planted} searched for in ${searched}\n`)
    deepEqual(secrets.leaks(), [], 'a secret stands where it must not')
  },
}
