import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { enactRace } from '#test/enact-race/race.js'

describe('hosts and a job that settle one month at once, a sample of the race', () => {
  it('settle it once, though one is cut off and one frozen, and each is told', async function () {
    this.timeout(300_000)
    const { rounds, violations } = await enactRace(2)
    deepEqual(violations, [])
    const ends = rounds.flatMap(round => round.ends)
    ok(ends.some(({ kind }) => kind === 'Applied'))
    ok(ends.some(({ kind }) => kind === 'Nothing'))
  })
})
