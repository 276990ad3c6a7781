import type { Question } from '#src/snapshot/readers/question.js'

/**
 * A question that waits for a thread or is with one. `sinceMs` starts again when the question ended a thread
 * and goes back to the queue.
 */
export interface Ticket {
  readonly id: number
  readonly question: Question
  readonly sinceMs: number
  /** Number of threads that ended while they worked on this question. */
  readonly kills: number
}

/** What one thread does. `generation` is the one that it answers from; 0 before its first. */
export type ThreadTask =
  /** The thread has ended or is starting. */
  | { readonly _tag: 'Away' }
  | { readonly _tag: 'Idle'; readonly generation: number }
  | { readonly _tag: 'Following'; readonly generation: number; readonly to: number; readonly sinceMs: number }
  | {
      readonly _tag: 'Answering'
      readonly generation: number
      readonly ticket: Ticket
      readonly sinceMs: number
    }
  /** The thread was ordered to end. `ticket` is still open unless its answer was already on the way. */
  | { readonly _tag: 'Doomed'; readonly ticket: Ticket | null }

/** The state of the scheduler; `tasks` has one element for each thread. */
export interface Schedule {
  readonly tasks: ReadonlyArray<ThreadTask>
  /** In order of arrival, except that a question which ended a thread comes first. */
  readonly waiting: ReadonlyArray<Ticket>
  /** The newest published generation. */
  readonly generation: number
  readonly turn: number
  readonly turnOfRow: ReadonlyMap<string, number>
  /** Keys of questions that ended two threads, with the time at which the quarantine ends. */
  readonly quarantine: ReadonlyMap<string, number>
}

export type ScheduleEvent =
  | { readonly _tag: 'Admitted'; readonly ticket: Ticket }
  | { readonly _tag: 'Published'; readonly generation: number }
  | { readonly _tag: 'Up'; readonly thread: number }
  | { readonly _tag: 'Followed'; readonly thread: number; readonly generation: number }
  /** The thread returned an answer of any kind. */
  | { readonly _tag: 'Settled'; readonly thread: number }
  | { readonly _tag: 'Ended'; readonly thread: number }
  | { readonly _tag: 'Tick' }
  | { readonly _tag: 'Closed' }

/** `Home` sends a question to the main thread, `Overloaded` turns it away, `Poison` refuses what ended threads. */
export type Verdict = 'Home' | 'Overloaded' | 'Poison'

export type ScheduleCommand =
  | { readonly _tag: 'Follow'; readonly thread: number }
  | { readonly _tag: 'Ask'; readonly thread: number; readonly ticket: Ticket }
  | { readonly _tag: 'Kill'; readonly thread: number }
  | { readonly _tag: 'Conclude'; readonly ticket: Ticket; readonly verdict: Verdict }

export interface Limits {
  readonly waitingMax: number
  /** How long a question may wait until a thread reaches its generation. */
  readonly behindMs: number
  /** How long a question may wait for a busy thread. */
  readonly busyMs: number
  /** How long a question that ended a thread may wait for another one. */
  readonly secondChanceMs: number
  /** How long a thread may take for one answer, and for one generation. */
  readonly answerMs: number
  readonly followMs: number
  readonly quarantineMs: number
}

export const readerLimits = (threads: number): Limits => ({
  waitingMax: 64 * threads,
  behindMs: 2_000,
  busyMs: 10_000,
  secondChanceMs: 30_000,
  answerMs: 10_000,
  followMs: 60_000,
  quarantineMs: 300_000,
})

/** The schedule before any thread is up. */
export const initialSchedule = (threads: number): Schedule => ({
  tasks: Array.from({ length: threads }, (): ThreadTask => ({ _tag: 'Away' })),
  waiting: [],
  generation: 0,
  turn: 0,
  turnOfRow: new Map(),
  quarantine: new Map(),
})

/** The generation that a thread answers from; 0 while it has none, is away, or is about to end. */
export const threadGenerationOf = (task: ThreadTask): number =>
  task._tag === 'Away' || task._tag === 'Doomed' ? 0 : task.generation

/** The number of threads that can answer: they have a generation and are not about to end. */
export const countLive = ({ tasks }: Schedule): number =>
  tasks.filter(task => threadGenerationOf(task) > 0).length

/** Whether a time limit may run out, so that the schedule needs ticks. */
export const needsTicks = ({ tasks, waiting }: Schedule): boolean =>
  waiting.length > 0 || tasks.some(({ _tag }) => _tag !== 'Idle' && _tag !== 'Away')

/**
 * Handles one event, then gives work to idle threads. Returns the next schedule and the commands to run, in
 * order. A question that ended two threads is quarantined: it is `Poison` at once until `quarantineMs` have passed.
 *
 * A thread has one task at a time, so the task that ends it is known. Rows take turns, so that many questions
 * for one row do not block the others.
 */
export const stepSchedule = (
  limits: Limits,
  schedule: Schedule,
  event: ScheduleEvent,
  nowMs: number,
): Stepped => {
  const [next, commands] = handleEvent(limits, schedule, event, nowMs)
  return assignWork(next, nowMs, commands)
}

type Stepped = readonly [Schedule, ReadonlyArray<ScheduleCommand>]

const withTask = (schedule: Schedule, at: number, task: ThreadTask): Schedule => ({
  ...schedule,
  tasks: schedule.tasks.with(at, task),
})

const conclude = (ticket: Ticket, verdict: Verdict): ScheduleCommand => ({
  _tag: 'Conclude',
  ticket,
  verdict,
})

/**
 * Of the tickets that a thread with this generation can answer: the first one of the row that was served
 * longest ago.
 */
const pickTicket = ({ waiting, turnOfRow }: Schedule, generation: number): Ticket | null => {
  let best: Ticket | null = null
  let bestTurn = Number.POSITIVE_INFINITY
  for (const ticket of waiting) {
    const turn = turnOfRow.get(ticket.question.rowId) ?? 0
    if (ticket.question.generation <= generation && turn < bestTurn) {
      best = ticket
      bestTurn = turn
    }
  }
  return best
}

/**
 * A thread answers the tickets that its generation allows before it follows a newer one, so neither starves
 * the other.
 */
const assignOne = (schedule: Schedule, at: number, nowMs: number): Stepped => {
  const task = schedule.tasks[at]
  if (task?._tag !== 'Idle') return [schedule, []]
  const { generation } = task
  const ticket = pickTicket(schedule, generation)
  if (ticket !== null) {
    const turn = schedule.turn + 1
    const next: Schedule = {
      ...withTask(schedule, at, { _tag: 'Answering', generation, ticket, sinceMs: nowMs }),
      waiting: schedule.waiting.filter(one => one !== ticket),
      turn,
      turnOfRow: new Map(schedule.turnOfRow).set(ticket.question.rowId, turn),
    }
    return [next, [{ _tag: 'Ask', thread: at, ticket }]]
  }
  const to = schedule.generation
  if (generation >= to) return [schedule, []]
  return [
    withTask(schedule, at, { _tag: 'Following', generation, to, sinceMs: nowMs }),
    [{ _tag: 'Follow', thread: at }],
  ]
}

const assignWork = (schedule: Schedule, nowMs: number, before: ReadonlyArray<ScheduleCommand>): Stepped => {
  let current = schedule
  const commands = [...before]
  for (let at = 0; at < schedule.tasks.length; at += 1) {
    const [next, more] = assignOne(current, at, nowMs)
    current = next
    commands.push(...more)
  }
  return [current, commands]
}

/**
 * When no thread is left, sends the waiting tickets to the main thread. Tickets that ended a thread keep
 * waiting: they never reach the main thread.
 */
const sendAllToMainThread = (schedule: Schedule): Stepped => {
  if (countLive(schedule) > 0) return [schedule, []]
  const home = schedule.waiting.filter(ticket => ticket.kills === 0)
  return [
    { ...schedule, waiting: schedule.waiting.filter(ticket => ticket.kills > 0) },
    home.map(one => conclude(one, 'Home')),
  ]
}

const quarantineMax = 256

const quarantineKey = (schedule: Schedule, { question }: Ticket, untilMs: number): Schedule => {
  const quarantine = new Map(schedule.quarantine).set(question.key, untilMs)
  const [oldest] = quarantine.keys()
  if (quarantine.size > quarantineMax && oldest !== undefined) quarantine.delete(oldest)
  return { ...schedule, quarantine }
}

/** Whether a thread has no question, and none waits for it. */
const hasFreeThread = ({ tasks, waiting }: Schedule): boolean =>
  waiting.length === 0 && tasks.some(({ _tag }) => _tag === 'Idle' || _tag === 'Following')

const onAdmitted = (limits: Limits, schedule: Schedule, ticket: Ticket, nowMs: number): Stepped => {
  const { key, ifIdle = false } = ticket.question
  const untilMs = schedule.quarantine.get(key)
  if (untilMs !== undefined && nowMs < untilMs) return [schedule, [conclude(ticket, 'Poison')]]
  if (countLive(schedule) === 0 || (ifIdle && !hasFreeThread(schedule)))
    return [schedule, [conclude(ticket, 'Home')]]
  if (schedule.waiting.length >= limits.waitingMax) return [schedule, [conclude(ticket, 'Overloaded')]]
  return [{ ...schedule, waiting: [...schedule.waiting, ticket] }, []]
}

const killsMax = 2

/** The open ticket of a thread that answers, or was ordered to end while it did. */
const ticketOf = (task: ThreadTask | undefined): Ticket | null =>
  task?._tag === 'Answering' || task?._tag === 'Doomed' ? task.ticket : null

const onEnded = (limits: Limits, schedule: Schedule, at: number, nowMs: number): Stepped => {
  const ticket = ticketOf(schedule.tasks[at])
  const gone = withTask(schedule, at, { _tag: 'Away' })
  if (ticket === null) return sendAllToMainThread(gone)
  const blamed = { ...ticket, kills: ticket.kills + 1, sinceMs: nowMs }
  if (blamed.kills < killsMax) return sendAllToMainThread({ ...gone, waiting: [blamed, ...gone.waiting] })
  const [rest, commands] = sendAllToMainThread(quarantineKey(gone, ticket, nowMs + limits.quarantineMs))
  return [rest, [conclude(blamed, 'Poison'), ...commands]]
}

const isOverdue = (limits: Limits, task: ThreadTask, nowMs: number): boolean =>
  (task._tag === 'Answering' && nowMs - task.sinceMs > limits.answerMs) ||
  (task._tag === 'Following' && nowMs - task.sinceMs > limits.followMs)

const verdictOf = (
  limits: Limits,
  { tasks }: Schedule,
  ticket: Ticket,
  nowMs: number,
): ScheduleCommand | null => {
  const waitedMs = nowMs - ticket.sinceMs
  if (ticket.kills > 0) return waitedMs > limits.secondChanceMs ? conclude(ticket, 'Poison') : null
  const isBehind = tasks.every(task => threadGenerationOf(task) < ticket.question.generation)
  if (isBehind) return waitedMs > limits.behindMs ? conclude(ticket, 'Home') : null
  return waitedMs > limits.busyMs ? conclude(ticket, 'Overloaded') : null
}

const onTick = (limits: Limits, schedule: Schedule, nowMs: number): Stepped => {
  const commands: Array<ScheduleCommand> = []
  const tasks = schedule.tasks.map((task, thread): ThreadTask => {
    if (!isOverdue(limits, task, nowMs)) return task
    commands.push({ _tag: 'Kill', thread })
    return { _tag: 'Doomed', ticket: ticketOf(task) }
  })
  const waiting = schedule.waiting.filter(ticket => {
    const verdict = verdictOf(limits, schedule, ticket, nowMs)
    if (verdict !== null) commands.push(verdict)
    return verdict === null
  })
  const quarantine = new Map([...schedule.quarantine].filter(([, untilMs]) => nowMs < untilMs))
  const [rest, home] = sendAllToMainThread({ ...schedule, tasks, waiting, quarantine })
  return [rest, [...commands, ...home]]
}

const onSettled = (schedule: Schedule, at: number): Schedule => {
  const task = schedule.tasks[at]
  if (task?._tag === 'Answering') return withTask(schedule, at, { _tag: 'Idle', generation: task.generation })
  return task?._tag === 'Doomed' ? withTask(schedule, at, { _tag: 'Doomed', ticket: null }) : schedule
}

const onFollowed = (schedule: Schedule, at: number, generation: number): Schedule =>
  schedule.tasks[at]?._tag === 'Following' ? withTask(schedule, at, { _tag: 'Idle', generation }) : schedule

/**
 * Concludes all tickets. Those that ended a thread become `Poison`, so that they do not reach the main
 * thread.
 */
const onClosed = (schedule: Schedule): Stepped => {
  const open = [...schedule.tasks.flatMap(task => ticketOf(task) ?? []), ...schedule.waiting]
  return [
    { ...schedule, tasks: schedule.tasks.map((): ThreadTask => ({ _tag: 'Away' })), waiting: [] },
    open.map(one => conclude(one, one.kills > 0 ? 'Poison' : 'Home')),
  ]
}

const handleEvent = (limits: Limits, schedule: Schedule, event: ScheduleEvent, nowMs: number): Stepped => {
  switch (event._tag) {
    case 'Admitted':
      return onAdmitted(limits, schedule, event.ticket, nowMs)
    case 'Published':
      return [{ ...schedule, generation: Math.max(schedule.generation, event.generation) }, []]
    case 'Up':
      return [withTask(schedule, event.thread, { _tag: 'Idle', generation: 0 }), []]
    case 'Followed':
      return [onFollowed(schedule, event.thread, event.generation), []]
    case 'Settled':
      return [onSettled(schedule, event.thread), []]
    case 'Ended':
      return onEnded(limits, schedule, event.thread, nowMs)
    case 'Tick':
      return onTick(limits, schedule, nowMs)
    case 'Closed':
      return onClosed(schedule)
  }
}
