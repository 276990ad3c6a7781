import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { runsOf } from '#test/support/runs.js'
import { countLive, initialDesk, stepDesk, threadGenerationOf } from './desk.js'
import { type Desk, type DeskCommand, type DeskEvent, readerLimits, type Ticket } from './desk-state.js'

const limits = {
  ...readerLimits(1),
  waitingMax: 4,
  behindMs: 100,
  busyMs: 100,
  answerMs: 50,
  secondChanceMs: 500,
  followMs: 80,
}

const ticket = (id: number, generation: number, row = 'r', sinceMs = 0): Ticket => ({
  id,
  row,
  key: `${row}-${id}`,
  generation,
  sinceMs,
  ifIdle: false,
  kills: 0,
})

/** The desk after events at a time, and every command on the way. */
const after = (
  desk: Desk,
  events: ReadonlyArray<DeskEvent>,
  nowMs = 0,
): readonly [Desk, ReadonlyArray<DeskCommand>] => {
  const commands: Array<DeskCommand> = []
  let current = desk
  for (const event of events) {
    const [next, more] = stepDesk(limits, current, event, nowMs)
    current = next
    commands.push(...more)
  }
  return [current, commands]
}

const admitEvent = (id: number, generation = 1, row = 'r', sinceMs = 0): DeskEvent => ({
  _tag: 'Admitted',
  ticket: ticket(id, generation, row, sinceMs),
})

const up = (thread: number): ReadonlyArray<DeskEvent> => [
  { _tag: 'Started', thread },
  { _tag: 'Up', thread },
  { _tag: 'Published', generation: 1 },
  { _tag: 'Followed', thread, generation: 1 },
]

const asks = (commands: ReadonlyArray<DeskCommand>): ReadonlyArray<number> =>
  commands.flatMap(one => (one._tag === 'Ask' ? [one.id] : []))

const settled: DeskEvent = { _tag: 'Settled', thread: 0 }

describe('the desk', () => {
  it('lets rows take turns', () => {
    const [desk] = after(initialDesk(1), [
      ...up(0),
      ...[1, 2, 3].map(id => admitEvent(id)),
      admitEvent(4, 1, 'other'),
    ])
    deepEqual(asks(after(desk, [settled, settled, settled])[1]), [4, 2, 3])
  })

  it('sends home at once who does not wait, where every thread has a question', () => {
    const hasty = (id: number): DeskEvent => ({
      _tag: 'Admitted',
      ticket: { ...ticket(id, 1), ifIdle: true },
    })
    const [desk, commands] = after(initialDesk(1), [...up(0), hasty(1), hasty(2)])
    deepEqual(commands.slice(-2), [
      { _tag: 'Ask', thread: 0, id: 1 },
      { _tag: 'Conclude', id: 2, verdict: 'Home' },
    ])
    deepEqual(after(desk, [settled, hasty(3)])[1].at(-1), { _tag: 'Ask', thread: 0, id: 3 })
  })

  it('answers from what a thread has before it follows, and who came later after it', () => {
    const [desk] = after(initialDesk(1), [...up(0), admitEvent(1), admitEvent(2)])
    const [next, commands] = after(desk, [
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
    const [behind] = after(initialDesk(1), [...up(0), { _tag: 'Published', generation: 2 }, admitEvent(1, 2)])
    const home = after(behind, [{ _tag: 'Tick' }], 101)[1]
    ok(home.some(one => one._tag === 'Conclude' && one.verdict === 'Home'))
    const [busy] = after(initialDesk(1), [...up(0), admitEvent(1), admitEvent(2, 1, 'r', 0)])
    const [, late] = after({ ...busy, posts: [{ ...onePost(busy), sinceMs: 90 }] }, [{ _tag: 'Tick' }], 101)
    deepEqual(late, [{ _tag: 'Conclude', id: 2, verdict: 'Overloaded' }])
  })

  const onePost = (desk: Desk) => {
    const [post] = desk.posts
    if (post?._tag !== 'Answering') throw new Error('the thread does not answer')
    return post
  }

  it('never lets a question that ended a thread near the main one', () => {
    const [desk] = after(initialDesk(1), [...up(0), admitEvent(1), admitEvent(2)])
    const [alone, commands] = after(desk, [{ _tag: 'Ended', thread: 0 }])
    deepEqual(commands, [{ _tag: 'Conclude', id: 2, verdict: 'Home' }])
    deepEqual(after(alone, [{ _tag: 'Tick' }], 501)[1], [{ _tag: 'Conclude', id: 1, verdict: 'Poison' }])
    deepEqual(after(alone, [{ _tag: 'Closed' }])[1], [{ _tag: 'Conclude', id: 1, verdict: 'Poison' }])
  })

  it('forgets a quarantine in time', () => {
    const twice: ReadonlyArray<DeskEvent> = [{ _tag: 'Ended', thread: 0 }, ...up(0)]
    const [desk] = after(initialDesk(1), [...up(0), admitEvent(1), ...twice, ...twice])
    deepEqual(after(desk, [admitEvent(1)])[1], [{ _tag: 'Conclude', id: 1, verdict: 'Poison' }])
    deepEqual(asks(after(desk, [admitEvent(1)], limits.quarantineMs + 1)[1]), [1])
  })
})

/** What may happen next, chosen by number; threads do only what they were told. */
const eventOf = (desk: Desk, choice: number, thread: number, id: number, nowMs: number): DeskEvent => {
  const at = thread % desk.posts.length
  const post = desk.posts[at]
  const row = `row-${choice % 3}`
  switch (choice) {
    case 0:
      return { _tag: 'Published', generation: desk.generation + 1 }
    case 1:
      if (post?._tag === 'Away') return { _tag: 'Started', thread: at }
      return { _tag: 'Tick' }
    case 2:
      if (post?._tag === 'Following') return { _tag: 'Followed', thread: at, generation: post.to }
      return post?._tag === 'Starting' ? { _tag: 'Up', thread: at } : { _tag: 'Tick' }
    case 3:
      return post?._tag === 'Answering' ? { _tag: 'Settled', thread: at } : { _tag: 'Tick' }
    case 4:
      return post === undefined || post._tag === 'Away' ? { _tag: 'Tick' } : { _tag: 'Ended', thread: at }
    default:
      return admitEvent(id, Math.max(1, desk.generation), row, nowMs)
  }
}

describe('the desk, whatever happens', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 10 }), fc.nat(2), fc.nat(25)), {
    minLength: 20,
    maxLength: 200,
    size: 'max',
  })

  it('ends every question once, asks none of a thread that is behind or busy, and lets none wait for ever', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), steps, (threads, choices) => {
        const all = Array.from({ length: threads }, (_, thread) => thread)
        let [desk] = after(initialDesk(threads), all.flatMap(up))
        let nowMs = 0
        const open = new Map<number, Ticket>()
        const kills = new Map<number, number>()
        const closed = (id: number): void => equal(open.delete(id), true, `question ${id} ended twice`)
        const take = (event: DeskEvent): void => {
          const before = desk
          if (event._tag === 'Admitted') open.set(event.ticket.id, event.ticket)
          if (event._tag === 'Settled') {
            const post = before.posts[event.thread]
            if (post?._tag === 'Answering') closed(post.ticket.id)
          }
          if (event._tag === 'Ended') {
            const post = before.posts[event.thread]
            if (post?._tag === 'Answering') kills.set(post.ticket.id, (kills.get(post.ticket.id) ?? 0) + 1)
          }
          const [next, commands] = stepDesk(limits, before, event, nowMs)
          desk = next
          for (const command of commands) {
            if (command._tag === 'Ask') {
              const post = desk.posts[command.thread]
              ok(post?._tag === 'Answering' && post.ticket.id === command.id)
              ok(
                threadGenerationOf(post) >= (open.get(command.id)?.generation ?? Number.NaN),
                'asked of an older generation',
              )
              ok((kills.get(command.id) ?? 0) < 2, 'a third thread was asked')
            }
            if (command._tag === 'Conclude') {
              if (command.verdict === 'Home')
                equal(kills.get(command.id) ?? 0, 0, 'poison reached the main thread')
              closed(command.id)
            }
          }
          ok(desk.waiting.length <= limits.waitingMax + threads)
        }
        for (const [at, [choice, thread, passedMs]] of choices.entries()) {
          nowMs += passedMs
          take(eventOf(desk, choice, thread, at, nowMs))
        }
        for (let turn = 0; turn < 20; turn += 1) {
          nowMs += 1_000
          for (const [at, post] of desk.posts.entries())
            if (post._tag === 'Doomed') take({ _tag: 'Ended', thread: at })
          take({ _tag: 'Tick' })
        }
        deepEqual([...open.keys()], [])
        equal(desk.waiting.length, 0)
        ok(countLive(desk) <= threads)
      }),
      { numRuns: runsOf(300) },
    )
  })
})
