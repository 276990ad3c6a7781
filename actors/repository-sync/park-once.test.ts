import { deepEqual, equal } from 'node:assert/strict'
import { left } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type SyncHost, type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'
import type { AdvanceBranch } from './join-remote.js'

const index = 'encje/indeks.md'
const orrin = '### Orrin\n- @typ: NPC\n- @info: Kupiec.\n'

describe('a conflict that cannot be brought into the branch', () => {
  let world: SyncWorld
  beforeEach(() => {
    world = syncWorld({ [index]: orrin })
  })
  afterEach(() => world.dispose())

  /** A host in conflict with the remote, whose gate `gate` replaces until `mend` is called. */
  const conflicted = async (gate: (advance: AdvanceBranch) => AdvanceBranch) => {
    const one = await world.host('a')
    let isBroken = true
    const two = await world.host('b', {
      advance: advance => (from, to, why) => (isBroken ? gate(advance) : advance)(from, to, why),
    })
    one.write({ [index]: orrin.replace('Kupiec', 'Piekarz') })
    two.write({ [index]: orrin.replace('Kupiec', 'Kowal') })
    await one.sync()
    return { two, mend: () => void (isBroken = false) }
  }
  const refsOf = (host: SyncHost): number =>
    host.git('for-each-ref', 'refs/svc/parked').split('\n').filter(Boolean).length

  it('leaves no parked ref where the gate failed and the branch stands where it stood', async () => {
    const { two } = await conflicted(
      () => () => Promise.resolve(left({ _tag: 'Failed', reason: 'a submodule' })),
    )
    for (let times = 0; times < 3; times += 1) {
      equal((await two.sync()).lastAction, 'failed')
      equal(refsOf(two), 0)
    }
  })

  it('keeps one parked ref where the gate gave no answer, and uses it again', async () => {
    const { two, mend } = await conflicted(
      () => () => Promise.resolve(left({ _tag: 'Unknown', reason: 'no answer' })),
    )
    for (let times = 0; times < 3; times += 1) {
      equal((await two.sync()).lastAction, 'failed')
      equal(refsOf(two), 1)
    }
    mend()
    const report = await two.sync()
    equal(report.lastAction, 'conflict_parked')
    equal(refsOf(two), 1)
    equal(report.parked[0]?.commit, two.git('rev-parse', 'refs/svc/parked/b/1'))
  })

  it('is parked before the branch moves', async () => {
    const parked: Array<string> = []
    const { two } = await conflicted(advance => (from, to, why) => {
      parked.push(two.git('for-each-ref', '--format=%(refname)', 'refs/svc/parked'))
      return advance(from, to, why)
    })
    equal((await two.sync()).lastAction, 'conflict_parked')
    deepEqual(parked, ['refs/svc/parked/b/1'])
  })

  it('keeps the parked ref where the gate failed after the branch had moved', async () => {
    const { two } = await conflicted(advance => async (from, to, why) => {
      await advance(from, to, why)
      return left({ _tag: 'Failed', reason: 'the readers were not told' })
    })
    equal((await two.sync()).lastAction, 'failed')
    equal(refsOf(two), 1)
  })
})
