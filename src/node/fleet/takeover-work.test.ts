import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { beginTakeover } from '#src/domain/fleet/takeover.js'
import type { ForgePort } from '#src/ports/fleet.js'
import type { TakeoverStore } from '#src/ports/records.js'
import { takeoverJob as job } from '#test/support/fleet/topologies.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { takeoverWork } from './takeover-work.js'
import { type CooldownCache, openTakeoverErrors } from './takeovers.js'
import { noTowns } from './view.js'

const refuse = (): never => {
  throw new Error('database or disk is full')
}
const reasonIn = (fields: object = {}): ReadonlyArray<string> =>
  'reason' in fields ? [String(fields.reason)] : []
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

  const errors = openTakeoverErrors()
  const open = (changes: Partial<TakeoverStore>, call?: ForgePort) =>
    takeoverWork({
      takeovers: {
        towns: noTowns,
        forge: call === undefined ? { _tag: 'NoForge', why: 'token' } : { _tag: 'Forge', call },
        git: noGit,
        cooldown: noCooldown,
        errors,
      },
      store: { ...runtime.db().takeovers, ...changes },
      converge: () => Promise.resolve(),
      publish: kind => told.push(kind),
      log: { warn: (event, fields) => told.push(event, ...reasonIn(fields)) },
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
    const unrecorded = ['takeover_unrecorded', 'database or disk is full']
    deepEqual(told, [...unrecorded, ...unrecorded])
    deepEqual(open({}).find()._tag, 'Job')
    deepEqual(open({}).end(step.run, failed), true)
    deepEqual(told.slice(4), [
      'svc_fleet_takeover_duration_seconds timed_out 4.5',
      'fleet:takeover',
      'takeover_ended',
      'ended Deyja',
    ])
  })

  it('keeps the last error of a job, and logs it once as long as it is the same', async () => {
    runtime.db().takeovers.enqueue(job, 1)
    const statuses = [500, 500, 502, 500]
    const work = open({}, () => {
      const status = statuses.shift() ?? 500
      return Promise.resolve({ outcome: { _tag: 'Faulty', status, waitMs: null }, status, dateMs: null })
    })
    equal(errors.last(), null)
    work.find()
    const call = { _tag: 'CallForge', call: { _tag: 'ReadRequest', iid: 7 } } as const
    for (let calls = 0; calls < 3; calls += 1) await work.act(call, new AbortController().signal)
    const reasonOf = (status: number) => `the forge answered ${status} to a look at the request`
    deepEqual(told, ['takeover_hindered', reasonOf(500), 'takeover_hindered', reasonOf(502)])
    deepEqual(errors.last(), { jobId: job.id, atMs: 4_501, detail: reasonOf(502) })
    work.find()
    equal(errors.last(), null)
  })
})
