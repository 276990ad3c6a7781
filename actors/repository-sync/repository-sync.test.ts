import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Moment } from '#src/kernel/actor/actor.js'
import { type ReplyTo, replyToOf } from '#src/kernel/actor/ref.js'
import { commitId } from '#test/support/commit-id.js'
import { repositorySync } from './repository-sync.js'
import type { ConvergeOutcome, RepositorySyncMessage, SyncAnswer } from './state.js'

const at = (chance: number): Moment => ({
  nowMs: 1_000,
  monotonicMs: 10,
  id: 'm',
  chance,
  incarnation: 'repository-sync.1',
})
const setup = { publishMode: 'push', intervalMs: 60_000, convergeMsMax: 85_000 } as const
const sync = repositorySync(setup)
const head = commitId('a'.repeat(40))
const newer = commitId('b'.repeat(40))
const asker = (askId: string): ReplyTo<SyncAnswer> => replyToOf(askId, () => true)
const done = { received: 0, incoming: null, merged: false, resolved: 0, parked: null }
const known = { unpublished: 0, request: null, detail: null, closed: null }
const reachedAt: ConvergeOutcome = { ...done, ...known, _tag: 'Reached', head, sent: 1 }
const beaten: ConvergeOutcome = { ...done, _tag: 'Beaten', by: 'remote', detail: 'others' }

type Effects = ReturnType<typeof sync.receive>[1]
const names = (effects: Effects) =>
  effects.map(effect => ('kernel' in effect ? ('key' in effect ? effect.key : effect.kernel) : effect._tag))
const delayOf = (effects: Effects, key: string) =>
  effects.flatMap(effect => ('delayMs' in effect && effect.key === key ? [effect.delayMs] : []))[0]

/** Runs messages from the initial state; returns the last step. */
const after = (messages: ReadonlyArray<RepositorySyncMessage>, chance = 0.5, actor = sync) =>
  messages.reduce<ReturnType<typeof sync.receive>>(
    ([state], message) => actor.receive(state, message, at(chance)),
    actor.initial(at(chance)),
  )
const inspected: RepositorySyncMessage = {
  _tag: 'Inspected',
  exists: true,
  address: '/x',
  parked: [],
  rewrite: null,
  replaced: [],
  unpublished: 0,
}
const endAttempt = (outcome: ConvergeOutcome, unpublished = 0): RepositorySyncMessage => ({
  _tag: 'AttemptEnded',
  outcome,
  parked: [],
  rewrite: null,
  replaced: [],
  unpublished,
})
const idle = [inspected, endAttempt(reachedAt)]

describe('the repository sync', () => {
  it('converges at its start and then after its interval, a fifth more or less', () => {
    deepEqual(names(sync.initial(at(0.5))[1]), ['ready', 'early', 'tick', 'Inspect'])
    const [state, effects] = after(idle)
    deepEqual(names(effects), ['Report', 'Conclude', 'tick'])
    deepEqual(state.report.lastOk, { nowMs: 1_000, monotonicMs: 10 })
    equal(delayOf(after(idle, 0)[1], 'tick'), 48_000)
    equal(delayOf(after(idle, 0.999)[1], 'tick'), 71_976)
  })

  it('tries six times with a full jitter that doubles, and keeps the age of the last success', () => {
    const delays = [1, 2, 3, 4, 5].map(count =>
      delayOf(after([inspected, ...Array.from({ length: count }, () => endAttempt(beaten))])[1], 'retry'),
    )
    deepEqual(delays, [50, 100, 200, 400, 800])
    const [state, effects] = after([
      ...idle,
      { _tag: 'Tick' },
      inspected,
      ...Array.from({ length: 6 }, () => endAttempt(beaten)),
    ])
    equal(state.report.lastAction, 'push_race')
    deepEqual(state.report.lastOk, { nowMs: 1_000, monotonicMs: 10 })
    ok(names(effects).includes('early'))
  })

  it('lets writes wait twice as long at each attempt', () => {
    const holds = [0, 1, 2, 3, 4, 5].map(count => {
      const [state, effects] = after([inspected, ...Array.from({ length: count }, () => endAttempt(beaten))])
      const begun = count === 0 ? effects : sync.receive(state, { _tag: 'Retry' }, at(0.5))[1]
      return begun.flatMap(effect => ('holdMs' in effect ? [effect.holdMs] : []))[0]
    })
    deepEqual(holds, [5_000, 10_000, 20_000, 40_000, 80_000, 160_000])
  })

  it('moves the age only when everything that its mode asks is done', () => {
    for (const action of [
      'auth_failed',
      'unreachable',
      'work_tree_dirty',
      'push_rejected',
      'failed',
    ] as const) {
      const [state] = after([inspected, endAttempt({ ...done, _tag: 'Stopped', action, detail: 'x' })])
      deepEqual([state.report.lastAction, state.report.lastOk, state.report.lastDetail], [action, null, 'x'])
    }
  })

  it('answers who asked during a converge by the next one', () => {
    const asked: RepositorySyncMessage = { _tag: 'Sync', replyTo: asker('late') }
    const [running, none] = after([inspected, asked])
    deepEqual(none, [])
    const [next, effects] = sync.receive(running, endAttempt(reachedAt), at(0.5))
    deepEqual(names(effects), ['Report', 'Conclude', 'early', 'tick', 'Inspect'])
    deepEqual(
      next.run?.askers.map(one => one.askId),
      ['late'],
    )
    const [, answered] = after([inspected, asked, endAttempt(reachedAt), inspected, endAttempt(reachedAt)])
    ok(names(answered).includes('reply'))
  })

  it('is woken once by the writes of a second, and not by its own merge', () => {
    const wrote = (commit: typeof head): RepositorySyncMessage => ({ _tag: 'Wrote', commit })
    deepEqual(names(after([...idle, wrote(head)])[1]), [])
    const [state, effects] = after([...idle, wrote(newer)])
    equal(delayOf(effects, 'early'), 1_000)
    deepEqual(names(effects), ['Report', 'early', 'count'])
    deepEqual(names(sync.receive(state, wrote(commitId('c'.repeat(40))), at(0.5))[1]), [])
    deepEqual(names(sync.receive(state, { _tag: 'Early' }, at(0.5))[1]), ['early', 'tick', 'Inspect'])
    deepEqual(names(after([inspected, wrote(head), endAttempt(reachedAt)])[1]), [
      'Report',
      'Conclude',
      'tick',
    ])
    ok(names(after([inspected, wrote(newer), endAttempt(reachedAt)])[1]).includes('early'))
  })

  it('is woken by the next write also where the branch was away and came back', () => {
    const wrote = (commit: typeof head): RepositorySyncMessage => ({ _tag: 'Wrote', commit })
    const detached: ConvergeOutcome = {
      ...done,
      _tag: 'Stopped',
      action: 'failed',
      detail: 'HEAD is on no branch',
    }
    const away = [
      ...idle,
      wrote(commitId('d'.repeat(40))),
      { _tag: 'Early' },
      inspected,
      endAttempt(detached),
    ] as const
    const [back, tries] = after([...away, wrote(head)])
    equal(delayOf(tries, 'early'), 1_000)
    equal(delayOf(sync.receive(back, wrote(newer), at(0.5))[1], 'early'), 1_000)
    const [quiet] = after([...idle, wrote(head)])
    equal(delayOf(sync.receive(quiet, wrote(newer), at(0.5))[1], 'early'), 1_000)
  })

  it('says what is not published after an attempt that failed, and after a write', () => {
    const away: ConvergeOutcome = { ...done, _tag: 'Stopped', action: 'unreachable', detail: 'x' }
    const wrote: RepositorySyncMessage = { _tag: 'Wrote', commit: newer }
    equal(after([inspected, endAttempt(away, 2)])[0].report.unpublished, 2)
    const [waiting] = after([inspected, endAttempt(away, 2), wrote])
    const [asked, effects] = sync.receive(waiting, { _tag: 'Count' }, at(0.5))
    deepEqual(names(effects), ['Count'])
    const [counted, told] = sync.receive(asked, { _tag: 'Counted', unpublished: 3 }, at(0.5))
    deepEqual([names(told), counted.report.unpublished], [['Report'], 3])
    deepEqual(names(sync.receive(counted, wrote, at(0.5))[1]), ['count'])
  })

  it('is off without a remote and with an interval of 0, and says so', () => {
    const facts = { exists: false, address: null, parked: [], rewrite: null, replaced: [], unpublished: 3 }
    const none: RepositorySyncMessage = { _tag: 'Inspected', ...facts }
    const [state, effects] = after([none])
    deepEqual([state.report.enabled, state.report.unpublished], [false, null])
    deepEqual(names(effects), ['Report', 'tick', 'early'])
    const off = repositorySync({ ...setup, intervalMs: 0 })
    const [, answered] = after([none, { _tag: 'Sync', replyTo: asker('a') }], 0.5, off)
    deepEqual(names(answered), ['reply'])
  })

  it('tries commits that waited behind a failed converge again, ever later, and does so in mode push alone', () => {
    const away: ConvergeOutcome = { ...done, _tag: 'Stopped', action: 'unreachable', detail: 'x' }
    const failed = (times: number, actor = sync) =>
      after(
        Array.from({ length: times }, () => [
          inspected,
          endAttempt(away, 2),
          { _tag: 'Early' } as const,
        ]).flat(),
        0.5,
        actor,
      )[0]
    const delayAfter = (times: number) =>
      delayOf(
        sync.receive(sync.receive(failed(times), inspected, at(0.5))[0], endAttempt(away, 2), at(0.5))[1],
        'early',
      )
    deepEqual([0, 1, 2, 3, 4].map(delayAfter), [5_000, 10_000, 20_000, 40_000, 60_000])
    const none = repositorySync({ ...setup, publishMode: 'none' })
    equal(delayOf(after([inspected, endAttempt(away, 2)], 0.5, none)[1], 'early'), undefined)
    equal(delayOf(after([inspected, endAttempt(away, 0)])[1], 'early'), undefined)
  })

  it('is woken by a write also while it knows of no remote, and looks for one in mode push', () => {
    const absent: RepositorySyncMessage = { ...inspected, exists: false, address: null }
    const wrote: RepositorySyncMessage = { _tag: 'Wrote', commit: newer }
    equal(delayOf(after([absent])[1], 'early'), 30_000)
    equal(delayOf(after([absent, wrote])[1], 'early'), 1_000)
    const none = repositorySync({ ...setup, publishMode: 'none' })
    deepEqual(names(after([absent], 0.5, none)[1]), ['Report', 'tick'])
  })

  it('says push_pending while commits wait in mode push, and keeps what failed or was parked', () => {
    const wrote: RepositorySyncMessage = { _tag: 'Wrote', commit: newer }
    const actionAfter = (messages: ReadonlyArray<RepositorySyncMessage>, actor = sync) =>
      after(messages, 0.5, actor)[0].report.lastAction
    equal(actionAfter([...idle, wrote]), 'push_pending')
    equal(actionAfter([...idle, { _tag: 'Counted', unpublished: 1 }]), 'push_pending')
    equal(actionAfter([inspected, wrote, endAttempt(reachedAt, 1)]), 'push_pending')
    const reachedNewer: ConvergeOutcome = { ...reachedAt, head: newer }
    equal(actionAfter([...idle, wrote, { _tag: 'Early' }, inspected, endAttempt(reachedNewer)]), 'pushed')
    const parked = { ref: 'refs/svc/parked/x/1', commit: head, files: ['a.md'], reason: 'a.md' }
    equal(
      actionAfter([inspected, endAttempt({ ...reachedAt, merged: true, parked }), wrote]),
      'conflict_parked',
    )
    const away: ConvergeOutcome = { ...done, _tag: 'Stopped', action: 'unreachable', detail: 'x' }
    equal(actionAfter([inspected, endAttempt(away, 1), wrote]), 'unreachable')
    const none = repositorySync({ ...setup, publishMode: 'none' })
    equal(actionAfter([...idle, wrote, { _tag: 'Counted', unpublished: 1 }], none), 'pushed')
  })

  it('tells of what it parked', () => {
    const parked = { ref: 'refs/svc/parked/x/1', commit: head, files: ['a.md'], reason: 'a.md' }
    const [state, effects] = after([inspected, endAttempt({ ...reachedAt, merged: true, parked })])
    equal(state.report.lastAction, 'conflict_parked')
    const told = effects.find(effect => '_tag' in effect && effect._tag === 'Conclude')
    deepEqual(told !== undefined && 'ended' in told && told.ended.run.parked, [parked])
  })

  it('converges once for announcements that come within 5 s, after the converge that runs (S11)', () => {
    const news: RepositorySyncMessage = { _tag: 'Announced' }
    const due: RepositorySyncMessage = { _tag: 'AnnounceDue' }
    const [, first] = after([...idle, news])
    equal(delayOf(first, 'announce'), 0)
    deepEqual(names(after([...idle, news, news])[1]), [])
    const [begun, effects] = after([...idle, news, due])
    deepEqual([begun.run?.trigger, names(effects)], ['announce', ['early', 'tick', 'Inspect']])
    equal(delayOf(after([...idle, news, due, ...idle, news])[1], 'announce'), 5_000)
    deepEqual(names(after([news, due])[1]), ['announce'])
    const off = repositorySync({ ...setup, intervalMs: 0 })
    deepEqual(names(after([news], 0.5, off)[1]), [])
  })
})
