import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Moment } from '#src/kernel/actor/actor.js'
import { takeoverJob as job } from '#test/support/fleet/topologies.js'
import {
  type State,
  type TakeoverActuatorMessage,
  type TakeoverActuatorPorts,
  type TakeoverWork,
  takeoverActuator,
} from './takeover-actuator.js'

const moment = (monotonicMs: number): Moment => ({
  nowMs: 0,
  monotonicMs,
  id: 'm',
  chance: 0,
  incarnation: 'takeover-actuator.1',
})
const actuator = takeoverActuator('Deyja')

type Effects = ReturnType<typeof actuator.receive>[1]
const names = (effects: Effects) =>
  effects.map(effect => ('kernel' in effect ? ('key' in effect ? effect.key : effect.kernel) : effect._tag))

const take = (state: State, message: TakeoverActuatorMessage, monotonicMs = 0) =>
  actuator.receive(state, message, moment(monotonicMs))
const foundOf = (work: TakeoverWork): TakeoverActuatorMessage => ({ _tag: 'Found', work })
const queued: TakeoverWork = { _tag: 'Job', job, isResumed: false, iid: null }
const newJob = foundOf(queued)
const never = new AbortController().signal
const noPorts: TakeoverActuatorPorts = {
  find: () => ({ _tag: 'Nothing' }),
  act: () => Promise.reject(new Error('no action is due')),
  note: () => undefined,
  end: () => true,
  settle: () => undefined,
  refresh: () => Promise.resolve(),
}
const failFetch = (isFinal: boolean): TakeoverActuatorMessage => ({
  _tag: 'Acted',
  jobId: 'one',
  outcome: { _tag: 'FetchFailed', detail: 'no remote', isFinal },
})

describe('the takeover actuator', () => {
  it('looks for a job at its start, and every minute while there is none', () => {
    const [state, effects] = actuator.initial(moment(0))
    deepEqual(names(effects), ['ready', 'Find'])
    const [, rested] = take(state, foundOf({ _tag: 'Nothing' }))
    deepEqual(names(rested), ['Refresh', 'wake'])
    deepEqual(names(take(state, { _tag: 'Wake' })[1]), ['Find'])
  })

  it('works on one job at a time, one action after another', () => {
    const [working, effects] = take({ _tag: 'Idle' }, newJob)
    deepEqual(names(effects), ['due'])
    deepEqual(names(take(working, { _tag: 'Due' })[1]), ['Act'])
    deepEqual(take(working, { _tag: 'Wake' })[1], [])
    deepEqual(take(working, foundOf({ _tag: 'Nothing' })), [working, []])
    deepEqual(names(take(working, failFetch(false))[1]), ['due'])
    const stray: TakeoverActuatorMessage = { _tag: 'Acted', jobId: 'other', outcome: { _tag: 'Beaten' } }
    deepEqual(take(working, stray), [working, []])
  })

  it('records the end of a job, and looks for the next one, or rests where the disk refuses', async () => {
    const [working] = take({ _tag: 'Idle' }, newJob)
    const [state, effects] = take(working, failFetch(true))
    deepEqual([state._tag, names(effects)], ['Idle', ['End']])
    const [end] = effects
    if (end === undefined || 'kernel' in end) throw new Error('the job has not ended')
    const findAfter = (isRecorded: boolean) =>
      actuator.perform({ ...noPorts, end: () => isRecorded, find: () => queued })(end, never, () => undefined)
    deepEqual(await findAfter(true), [{ _tag: 'Found', work: queued }])
    deepEqual(await findAfter(false), [{ _tag: 'Found', work: { _tag: 'Nothing' } }])
  })

  it('ends every job by its deadline, however often its actions fail (L3)', () => {
    let [state] = take({ _tag: 'Idle' }, newJob)
    let monotonicMs = 0
    while (state._tag === 'Working' && monotonicMs < 3_600_000) {
      const [next, effects]: ReturnType<typeof take> = take(state, failFetch(false), monotonicMs)
      const wait = effects.flatMap(effect => ('delayMs' in effect ? [effect.delayMs] : []))[0] ?? 0
      monotonicMs += wait + 1
      state = next
    }
    equal(state._tag, 'Idle')
    equal(monotonicMs <= 600_000, true)
  })

  it('closes the request that a failed job left open, and tries again a minute later where it cannot', () => {
    const owed = foundOf({ _tag: 'Closing', job, iid: 7, reason: 'the forge was away' })
    const [working] = take({ _tag: 'Idle' }, owed)
    const [, effects] = take(working, { _tag: 'Due' })
    const act = effects[0]
    deepEqual(act !== undefined && '_tag' in act && act._tag === 'Act' && act.action, {
      _tag: 'CallForge',
      call: { _tag: 'ReadRequest', iid: 7 },
    })
    const answer = (outcome: Extract<TakeoverActuatorMessage, { _tag: 'Acted' }>['outcome']) =>
      take(working, { _tag: 'Acted', jobId: 'one', outcome }, 59_000)
    const [late, later] = answer({ _tag: 'Answered', outcome: { _tag: 'Faulty', status: 500, waitMs: null } })
    deepEqual([late._tag, names(later)], ['Idle', ['Refresh', 'wake']])
    const [, settled] = answer({ _tag: 'Answered', outcome: { _tag: 'Missing' } })
    deepEqual(names(settled), ['Settle', 'Refresh', 'wake'])
  })
})
