import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { campaign } from '#test/kill-points/campaign.js'
import { scenarios } from '#test/kill-points/scenarios.js'
import { hasTool } from './tool.js'

/** Points of each scenario; `npm run kill-points` takes as many as wanted. */
const sample: Readonly<Record<string, number>> = {
  boot: 4,
  write: 6,
  merge: 4,
  push: 4,
  fetch: 4,
  park: 4,
  'api key': 4,
  journal: 4,
  takeover: 4,
  dispatch: 4,
  outbox: 4,
}
const lanes = 2
/** On a machine that has other things to do a sample is smaller, not longer. */
const limitMs = 8_000

describe('a daemon that is killed, a sample of the points', () => {
  for (const scenario of scenarios.filter(({ name }) => sample[name] !== undefined))
    it(`recovers by itself and loses nothing: ${scenario.name}`, async function () {
      this.timeout(600_000)
      if (!hasTool('strace')) this.skip()
      const points = sample[scenario.name] ?? 0
      const untilMs = performance.now() + limitMs
      const options = { lanes, untilMs, onOutcome: () => undefined }
      const { calls, outcomes } = await campaign(scenario, points, options)
      ok(calls > points, `only ${calls} calls were seen: the tracer is blind`)
      deepEqual(
        outcomes.filter(one => one.violations.length > 0),
        [],
      )
      const hit = new Set(outcomes.flatMap(one => one.at ?? [])).size
      ok(hit > 0 && hit > outcomes.length / 2, 'the kills fell on too few calls')
    })
})
