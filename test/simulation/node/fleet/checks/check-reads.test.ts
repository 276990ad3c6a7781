import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { openTrace } from '../../trace.js'
import { checkRead } from './check-reads.js'
import { hasCardKeys } from './check-roles.js'
import { checkTurns } from './check-turns.js'

describe('the check of reads', () => {
  const countBroken = async (read: (call: () => void) => void): Promise<number> => {
    const trace = openTrace(() => 0)
    let calls = 0
    const call = (): void => {
      calls += 1
    }
    const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
    await checkRead({ trace, calls: () => calls, settle }, 'Deyja', () => read(call))
    return trace.violations.filter(text => text.includes('(S9)')).length
  }

  it('finds a call, also one that begins after the answer (S9)', async () => {
    equal(await countBroken(() => undefined), 0)
    equal(await countBroken(call => call()), 1)
    equal(await countBroken(call => void Promise.resolve().then(call)), 1)
  })

  it('finds a card with a key more or less (S10)', () => {
    const keys =
      'town role nowUtc bootUtc bootId uptimeSeconds imageDigest schemaVersion syncAgeMinutes version'
    const card = Object.fromEntries(keys.split(' ').map(key => [key, null]))
    equal(hasCardKeys(card), true)
    equal(hasCardKeys({ ...card, peers: [] }), false)
    const { town, ...others } = card
    equal(town, null)
    equal(hasCardKeys(others), false)
  })
})

describe('the check of turns', () => {
  it('finds an effect that begins before the one before it ended (S32)', async () => {
    const trace = openTrace(() => 0)
    const inTurn = checkTurns(trace, 'the sync of Deyja')
    await inTurn('a fetch', () => Promise.resolve())
    await inTurn('a push', () => Promise.resolve())
    deepEqual(trace.violations, [])
    await Promise.all([inTurn('a fetch', () => Promise.resolve()), inTurn('a push', () => Promise.resolve())])
    equal(trace.violations.length, 1)
  })
})
