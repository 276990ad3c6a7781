import { deepEqual, equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { isRight } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { TakeoverFailure } from '#protocol/fleet/takeover.js'
import type { TakeoverRequest } from '#src/domain/fleet/takeover-refusals.js'
import { splitMonitor } from '#test/support/fleet/peers.js'
import { darkFleet } from '#test/support/fleet/topologies.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { openTakeovers, type TakeoverSources } from './takeovers.js'
import { noTowns } from './view.js'

const request: TakeoverRequest = { reason: 'dark', target: null, isForced: false }
const actor = { name: 'Odo', gracz: null, kind: 'machine' } as const

describe('a request of a takeover', () => {
  let runtime: TestRuntime
  let told: Array<string>
  beforeEach(() => {
    runtime = runtimeOf()
    told = []
  })
  afterEach(() => runtime.dispose())

  const open = (changes: Partial<TakeoverSources> = {}) =>
    openTakeovers({
      self: 'Deyja',
      config: { 'fleet.auto_failover.after_sweeps': 3 },
      monitor: () => splitMonitor,
      towns: { ...noTowns, fence: () => ({ commit: 'c', blob: 'b' }), view: darkFleet },
      forge: { _tag: 'Forge', call: () => Promise.reject(new Error('no call is made')) },
      cooldown: { current: () => null },
      store: runtime.db().takeovers,
      meter: { count: (name, labels) => told.push(`${name} ${Object.values(labels).join()}`) },
      audit: line => told.push(`audit ${line.action}`),
      publish: kind => told.push(`event ${kind}`),
      wake: ({ _tag }) => told.push(_tag),
      convergeSoon: () => told.push('converge'),
      isSyncEnabled: () => true,
      nowMs: () => 1,
      monotonicMs: () => 1,
      newId: randomUUID,
      ...changes,
    })

  it('queues a job with its evidence, and shows the same job to the next who asks (S5)', () => {
    const takeovers = open()
    const first = takeovers.request(request, actor, false)
    equal(isRight(first) && first.right.known, null)
    const again = takeovers.request({ ...request, reason: 'other', isForced: true }, actor, false)
    equal(isRight(again) && again.right.known?.job.reason, 'dark')
    const [record] = runtime.db().takeovers.active()
    equal(record?.job.evidence.includes('Erathia'), true)
    match(
      record.job.evidence,
      /^The outside monitor at 2026-06-15T09.+, which is stale: Deyja unreachable\.$/mu,
    )
    deepEqual(told, [
      'svc_fleet_takeover_requests_total accepted',
      'Wake',
      'audit fleet.takeover',
      'event fleet:takeover',
      'svc_fleet_takeover_requests_total existing',
      'Wake',
    ])
  })

  it('foresees the failure that the last job for this version met, where only a person can mend it', () => {
    const takeovers = open()
    const earlierOf = (dryRun: boolean) => {
      const decided = takeovers.request({ ...request, isForced: true }, actor, dryRun)
      if (!isRight(decided)) throw new Error(decided.left._tag)
      return decided.right.earlierFailure
    }
    const failAs = (failure: TakeoverFailure) => {
      const { takeovers } = runtime.db()
      const [active] = takeovers.active()
      takeovers.end(active?.job.id ?? '', { _tag: 'Failed', failure, detail: '', owesClosing: false }, 2)
    }
    deepEqual([earlierOf(true), earlierOf(false)], [null, null])
    failAs('vetoed')
    deepEqual([earlierOf(true), earlierOf(false)], ['vetoed', 'vetoed'])
    failAs('timed_out')
    equal(earlierOf(true), null)
  })

  it('decides a dry run and writes nothing', () => {
    const takeovers = open()
    equal(isRight(takeovers.request(request, actor, true)), true)
    equal(takeovers.announce({ newPrimary: 'Deyja', mrIid: null, epochMs: null }, actor, true), true)
    deepEqual([runtime.db().takeovers.last(), runtime.db().takeovers.announcements(), told], [null, [], []])
  })

  it('refuses without a forge, and off the fleet', () => {
    const tagOf = (changes: Partial<TakeoverSources>): string => {
      const decided = open(changes).request(request, actor, false)
      return isRight(decided) ? 'accepted' : decided.left._tag
    }
    equal(tagOf({ forge: { _tag: 'NoForge', why: 'token' } }), 'actuation_unavailable')
    equal(tagOf({ towns: noTowns }), 'no_candidate')
    equal(runtime.db().takeovers.last(), null)
  })

  it('records an announcement and changes nothing else, whether it is true or bogus (S11)', () => {
    const takeovers = open()
    for (const newPrimary of ['Deyja', 'Nigdzie'])
      equal(takeovers.announce({ newPrimary, mrIid: null, epochMs: null }, actor, false), true)
    equal(runtime.db().takeovers.announcements().length, 2)
    deepEqual(told, [
      'svc_fleet_announces_total false',
      'audit fleet.announce',
      'converge',
      'svc_fleet_announces_total true',
      'audit fleet.announce',
      'converge',
    ])
  })
})
