import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { runsOf } from '#test/support/runs.js'
import {
  countLive,
  initialSchedule,
  readerLimits,
  type Schedule,
  type ScheduleCommand,
  type ScheduleEvent,
  stepSchedule,
  type Ticket,
  threadGenerationOf,
} from './schedule.js'

const limits = {
  ...readerLimits(1),
  waitingMax: 4,
  behindMs: 100,
  busyMs: 100,
  answerMs: 50,
  secondChanceMs: 500,
  followMs: 80,
}

const view = { mayReadRestricted: true, sessions: true, logs: true, external: true } as const

const ticket = (id: number, generation: number, row = 'r', sinceMs = 0): Ticket => ({
  id,
  question: {
    rowId: row,
    path: {},
    query: {},
    caller: { grade: 'full', gracz: null, view },
    nowMs: 0,
    generation,
    key: `${row}-${id}`,
    gzip: false,
    shared: false,
  },
  sinceMs,
  kills: 0,
})

/** The schedule after events at a time, and every command on the way. */
const after = (
  schedule: Schedule,
  events: ReadonlyArray<ScheduleEvent>,
  nowMs = 0,
): readonly [Schedule, ReadonlyArray<ScheduleCommand>] => {
  const commands: Array<ScheduleCommand> = []
  let current = schedule
  for (const event of events) {
    const [next, more] = stepSchedule(limits, current, event, nowMs)
    current = next
    commands.push(...more)
  }
  return [current, commands]
}

const admitEvent = (id: number, generation = 1, row = 'r', sinceMs = 0): ScheduleEvent => ({
  _tag: 'Admitted',
  ticket: ticket(id, generation, row, sinceMs),
})

const up = (thread: number): ReadonlyArray<ScheduleEvent> => [
  { _tag: 'Up', thread },
  { _tag: 'Published', generation: 1 },
  { _tag: 'Followed', thread, generation: 1 },
]

const asks = (commands: ReadonlyArray<ScheduleCommand>): ReadonlyArray<number> =>
  commands.flatMap(one => (one._tag === 'Ask' ? [one.ticket.id] : []))

const ends = (commands: ReadonlyArray<ScheduleCommand>): ReadonlyArray<string> =>
  commands.flatMap(one => (one._tag === 'Conclude' ? [`${one.ticket.id} ${one.verdict}`] : []))

const settled: ScheduleEvent = { _tag: 'Settled', thread: 0 }

describe('the schedule of the reader threads', () => {
  it('lets rows take turns', () => {
    const [schedule] = after(initialSchedule(1), [
      ...up(0),
      ...[1, 2, 3].map(id => admitEvent(id)),
      admitEvent(4, 1, 'other'),
    ])
    deepEqual(asks(after(schedule, [settled, settled, settled])[1]), [4, 2, 3])
  })

  it('sends home at once who does not wait, where every thread has a question', () => {
    const hasty = (id: number): ScheduleEvent => {
      const { question, ...rest } = ticket(id, 1)
      return { _tag: 'Admitted', ticket: { ...rest, question: { ...question, ifIdle: true } } }
    }
    const [schedule, commands] = after(initialSchedule(1), [...up(0), hasty(1), hasty(2)])
    deepEqual(asks(commands), [1])
    deepEqual(ends(commands), ['2 Home'])
    deepEqual(asks(after(schedule, [settled, hasty(3)])[1]), [3])
  })

  it('answers from what a thread has before it follows, and who came later after it', () => {
    const [schedule] = after(initialSchedule(1), [...up(0), admitEvent(1), admitEvent(2)])
    const [next, commands] = after(schedule, [
      { _tag: 'Published', generation: 2 },
      admitEvent(3, 2),
      settled,
      settled,
    ])
    deepEqual(
      commands.map(one => one._tag),
      ['Ask', 'Follow'],
    )
    deepEqual(asks(after(next, [{ _tag: 'Followed', thread: 0, generation: 2 }])[1]), [3])
  })

  it('sends home who waited too long for a generation, and refuses who waited too long for a thread', () => {
    const [behind] = after(initialSchedule(1), [
      ...up(0),
      { _tag: 'Published', generation: 2 },
      admitEvent(1, 2),
    ])
    const home = after(behind, [{ _tag: 'Tick' }], 101)[1]
    ok(home.some(one => one._tag === 'Conclude' && one.verdict === 'Home'))
    const [busy] = after(initialSchedule(1), [...up(0), admitEvent(1), admitEvent(2, 1, 'r', 0)])
    const [, late] = after({ ...busy, tasks: [{ ...oneTask(busy), sinceMs: 90 }] }, [{ _tag: 'Tick' }], 101)
    deepEqual([late.length, ends(late)], [1, ['2 Overloaded']])
  })

  const oneTask = (schedule: Schedule) => {
    const [task] = schedule.tasks
    if (task?._tag !== 'Answering') throw new Error('the thread does not answer')
    return task
  }

  it('never lets a question that ended a thread near the main one', () => {
    const [schedule] = after(initialSchedule(1), [...up(0), admitEvent(1), admitEvent(2)])
    const [alone, commands] = after(schedule, [{ _tag: 'Ended', thread: 0 }])
    deepEqual([commands.length, ends(commands)], [1, ['2 Home']])
    deepEqual(ends(after(alone, [{ _tag: 'Tick' }], 501)[1]), ['1 Poison'])
    deepEqual(ends(after(alone, [{ _tag: 'Closed' }])[1]), ['1 Poison'])
  })

  it('forgets a quarantine in time', () => {
    const twice: ReadonlyArray<ScheduleEvent> = [{ _tag: 'Ended', thread: 0 }, ...up(0)]
    const [schedule] = after(initialSchedule(1), [...up(0), admitEvent(1), ...twice, ...twice])
    deepEqual(ends(after(schedule, [admitEvent(1)])[1]), ['1 Poison'])
    deepEqual(asks(after(schedule, [admitEvent(1)], limits.quarantineMs + 1)[1]), [1])
  })
})

/** What may happen next, chosen by number; threads do only what they were told. */
const eventOf = (
  schedule: Schedule,
  choice: number,
  thread: number,
  id: number,
  nowMs: number,
): ScheduleEvent => {
  const at = thread % schedule.tasks.length
  const task = schedule.tasks[at]
  const row = `row-${choice % 3}`
  switch (choice) {
    case 0:
      return { _tag: 'Published', generation: schedule.generation + 1 }
    case 1:
      return task?._tag === 'Away' ? { _tag: 'Up', thread: at } : { _tag: 'Tick' }
    case 2:
      if (task?._tag === 'Following') return { _tag: 'Followed', thread: at, generation: task.to }
      return { _tag: 'Tick' }
    case 3:
      return task?._tag === 'Answering' ? { _tag: 'Settled', thread: at } : { _tag: 'Tick' }
    case 4:
      return task === undefined || task._tag === 'Away' ? { _tag: 'Tick' } : { _tag: 'Ended', thread: at }
    default:
      return admitEvent(id, Math.max(1, schedule.generation), row, nowMs)
  }
}

describe('the schedule of the reader threads, whatever happens', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 10 }), fc.nat(2), fc.nat(25)), {
    minLength: 20,
    maxLength: 200,
    size: 'max',
  })

  it('ends every question once, asks none of a thread that is behind or busy, and lets none wait for ever', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), steps, (threads, choices) => {
        const all = Array.from({ length: threads }, (_, thread) => thread)
        let [schedule] = after(initialSchedule(threads), all.flatMap(up))
        let nowMs = 0
        const open = new Map<number, Ticket>()
        const kills = new Map<number, number>()
        const closed = (id: number): void => equal(open.delete(id), true, `question ${id} ended twice`)
        const take = (event: ScheduleEvent): void => {
          const before = schedule
          if (event._tag === 'Admitted') open.set(event.ticket.id, event.ticket)
          if (event._tag === 'Settled') {
            const task = before.tasks[event.thread]
            if (task?._tag === 'Answering') closed(task.ticket.id)
          }
          if (event._tag === 'Ended') {
            const task = before.tasks[event.thread]
            if (task?._tag === 'Answering') kills.set(task.ticket.id, (kills.get(task.ticket.id) ?? 0) + 1)
          }
          const [next, commands] = stepSchedule(limits, before, event, nowMs)
          schedule = next
          for (const command of commands) {
            if (command._tag === 'Ask') {
              const task = schedule.tasks[command.thread]
              ok(task?._tag === 'Answering' && task.ticket.id === command.ticket.id)
              ok(
                threadGenerationOf(task) >= (open.get(command.ticket.id)?.question.generation ?? Number.NaN),
                'asked of an older generation',
              )
              ok((kills.get(command.ticket.id) ?? 0) < 2, 'a third thread was asked')
            }
            if (command._tag === 'Conclude') {
              if (command.verdict === 'Home')
                equal(kills.get(command.ticket.id) ?? 0, 0, 'poison reached the main thread')
              closed(command.ticket.id)
            }
          }
          ok(schedule.waiting.length <= limits.waitingMax + threads)
        }
        for (const [at, [choice, thread, passedMs]] of choices.entries()) {
          nowMs += passedMs
          take(eventOf(schedule, choice, thread, at, nowMs))
        }
        for (let turn = 0; turn < 20; turn += 1) {
          nowMs += 1_000
          for (const [at, task] of schedule.tasks.entries())
            if (task._tag === 'Doomed') take({ _tag: 'Ended', thread: at })
          take({ _tag: 'Tick' })
        }
        deepEqual([...open.keys()], [])
        equal(schedule.waiting.length, 0)
        ok(countLive(schedule) <= threads)
      }),
      { numRuns: runsOf(300) },
    )
  })
})
