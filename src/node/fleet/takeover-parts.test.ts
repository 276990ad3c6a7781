import { deepEqual } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { beginTakeover } from '#src/domain/fleet/takeover/advance.js'
import type { TakeoverStore } from '#src/ports/records/takeovers.js'
import { takeoverJob as job } from '#test/support/fleet/topologies.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { noFleet } from './fleet-sight.js'
import type { CooldownCache } from './takeover-cooldown.js'
import { takeoverWork } from './takeover-parts.js'

const refuse = (): never => {
  throw new Error('database or disk is full')
}
const noGit = { fetch: refuse, push: refuse, readFlip: refuse }
const noCooldown: CooldownCache = {
  current: () => null,
  refresh: () => Promise.resolve(),
  ask: () => Promise.resolve('over'),
  sawDate: () => undefined,
}

describe('the work of the takeover actuator', () => {
  let runtime: TestRuntime
  let told: Array<string>
  beforeEach(() => {
    runtime = runtimeOf()
    told = []
  })
  afterEach(() => runtime.dispose())

  const open = (changes: Partial<TakeoverStore>) =>
    takeoverWork({
      takeovers: {
        sight: noFleet,
        forge: { _tag: 'NoForge', why: 'token' },
        git: noGit,
        cooldown: noCooldown,
      },
      store: { ...runtime.db().takeovers, ...changes },
      converge: () => Promise.resolve(),
      publish: kind => told.push(kind),
      log: { warn: event => told.push(event) },
      meter: {
        observe: (name, labels, seconds) => told.push(`${name} ${Object.values(labels).join()} ${seconds}`),
      },
      onEnded: ({ town }) => told.push(`ended ${town}`),
      nowMs: () => 4_501,
    })

  it('keeps a job whose begin or end the disk refuses, and does not fault', () => {
    runtime.db().takeovers.enqueue(job, 1)
    deepEqual(open({ begin: refuse }).find(), { _tag: 'Nothing' })
    const step = beginTakeover(job, 'Deyja', null, { monotonicMs: 0 })
    if (step._tag !== 'Do') throw new Error('the job did not begin')
    const failed = {
      _tag: 'Failed',
      failure: 'timed_out',
      detail: '',
      iid: null,
      owesClosing: false,
    } as const
    deepEqual(open({ end: refuse }).end(step.run, failed), false)
    deepEqual(told, ['takeover_unrecorded', 'takeover_unrecorded'])
    deepEqual(open({}).find()._tag, 'Job')
    deepEqual(open({}).end(step.run, failed), true)
    deepEqual(told.slice(2), [
      'svc_fleet_takeover_duration_seconds timed_out 4.5',
      'fleet:takeover',
      'takeover_ended',
      'ended Deyja',
    ])
  })
})
