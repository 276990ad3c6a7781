import type { Desk, DeskCommand, DeskEvent, DeskLimits, Post, Ticket } from './desk-state.js'

/** The desk before any thread has started. Starts no thread. */
export const initialDesk = (threads: number): Desk => ({
  posts: Array.from({ length: threads }, (): Post => ({ _tag: 'Away' })),
  waiting: [],
  generation: 0,
  turn: 0,
  turnOfRow: new Map(),
  quarantine: new Map(),
})

/** The generation that a thread answers from; 0 while it has none, starts, or is about to end. */
export const threadGenerationOf = (post: Post): number =>
  post._tag === 'Idle' || post._tag === 'Following' || post._tag === 'Answering' ? post.generation : 0

/** The number of threads that can answer: they have a generation and are not about to end. */
export const countLive = (desk: Desk): number =>
  desk.posts.filter(post => threadGenerationOf(post) > 0).length

/**
 * Whether a time limit may run out, so that the desk needs ticks: a ticket waits, or a thread is neither idle
 * nor away.
 */
export const needsTicks = (desk: Desk): boolean =>
  desk.waiting.length > 0 || desk.posts.some(post => post._tag !== 'Idle' && post._tag !== 'Away')

/**
 * Handles one event, then gives work to idle threads. Returns the next desk and the commands to run, in
 * order. `Conclude` ends a ticket: `Home` sends the request to the main thread, `Overloaded` turns it away,
 * and `Poison` refuses it because it ended threads. A request that ended two threads is quarantined: it is
 * `Poison` at once until `quarantineMs` have passed.
 */
export const stepDesk = (limits: DeskLimits, desk: Desk, event: DeskEvent, nowMs: number): Stepped => {
  const [next, commands] = handleEvent(limits, desk, event, nowMs)
  return assignWork(next, nowMs, commands)
}

/**
 * The scheduler of the reader threads as a pure state machine: it decides what each thread does, which
 * requests wait and which are turned away. A thread has one task at a time, so the task that ends it is
 * known. Rows take turns, so that many requests for one row do not block the others.
 */

type Stepped = readonly [Desk, ReadonlyArray<DeskCommand>]

const withPost = (desk: Desk, at: number, post: Post): Desk => ({ ...desk, posts: desk.posts.with(at, post) })

const conclude = (ticket: Ticket, verdict: 'Home' | 'Overloaded' | 'Poison'): DeskCommand => ({
  _tag: 'Conclude',
  id: ticket.id,
  verdict,
})

/**
 * Of the tickets that a thread with this generation can answer: the first one of the row that was served
 * longest ago.
 */
const pickTicket = (desk: Desk, generation: number): Ticket | null => {
  let best: Ticket | null = null
  let bestTurn = Number.POSITIVE_INFINITY
  for (const ticket of desk.waiting) {
    const turn = desk.turnOfRow.get(ticket.row) ?? 0
    if (ticket.generation <= generation && turn < bestTurn) {
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
const assignOne = (desk: Desk, at: number, nowMs: number): Stepped => {
  const post = desk.posts[at]
  if (post?._tag !== 'Idle') return [desk, []]
  const ticket = pickTicket(desk, post.generation)
  if (ticket !== null) {
    const turn = desk.turn + 1
    const next: Desk = {
      ...withPost(desk, at, { _tag: 'Answering', generation: post.generation, ticket, sinceMs: nowMs }),
      waiting: desk.waiting.filter(one => one !== ticket),
      turn,
      turnOfRow: new Map(desk.turnOfRow).set(ticket.row, turn),
    }
    return [next, [{ _tag: 'Ask', thread: at, id: ticket.id }]]
  }
  if (post.generation >= desk.generation) return [desk, []]
  const to = desk.generation
  return [
    withPost(desk, at, { _tag: 'Following', generation: post.generation, to, sinceMs: nowMs }),
    [{ _tag: 'Follow', thread: at, generation: to }],
  ]
}

const assignWork = (desk: Desk, nowMs: number, before: ReadonlyArray<DeskCommand>): Stepped => {
  let current = desk
  const commands = [...before]
  for (let at = 0; at < desk.posts.length; at += 1) {
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
const sendAllToMainThread = (desk: Desk): Stepped => {
  if (countLive(desk) > 0) return [desk, []]
  const home = desk.waiting.filter(ticket => ticket.kills === 0)
  return [
    { ...desk, waiting: desk.waiting.filter(ticket => ticket.kills > 0) },
    home.map(one => conclude(one, 'Home')),
  ]
}

const quarantineMax = 256

const quarantineKey = (desk: Desk, ticket: Ticket, untilMs: number): Desk => {
  const quarantine = new Map(desk.quarantine).set(ticket.key, untilMs)
  const [oldest] = quarantine.keys()
  if (quarantine.size > quarantineMax && oldest !== undefined) quarantine.delete(oldest)
  return { ...desk, quarantine }
}

/** Whether a thread has no question, and none waits for it. */
const hasFreeThread = ({ posts, waiting }: Desk): boolean =>
  waiting.length === 0 && posts.some(post => post._tag === 'Idle' || post._tag === 'Following')

const onAdmitted = (limits: DeskLimits, desk: Desk, ticket: Ticket, nowMs: number): Stepped => {
  const untilMs = desk.quarantine.get(ticket.key)
  if (untilMs !== undefined && nowMs < untilMs) return [desk, [conclude(ticket, 'Poison')]]
  if (countLive(desk) === 0 || (ticket.ifIdle && !hasFreeThread(desk)))
    return [desk, [conclude(ticket, 'Home')]]
  if (desk.waiting.length >= limits.waitingMax) return [desk, [conclude(ticket, 'Overloaded')]]
  return [{ ...desk, waiting: [...desk.waiting, ticket] }, []]
}

const killsMax = 2

const onEnded = (limits: DeskLimits, desk: Desk, at: number, nowMs: number): Stepped => {
  const post = desk.posts[at]
  const gone = withPost(desk, at, { _tag: 'Away' })
  const ticket = post?._tag === 'Answering' || post?._tag === 'Doomed' ? post.ticket : null
  if (ticket === null) return sendAllToMainThread(gone)
  const blamed = { ...ticket, kills: ticket.kills + 1, sinceMs: nowMs }
  if (blamed.kills < killsMax) return sendAllToMainThread({ ...gone, waiting: [blamed, ...gone.waiting] })
  const [rest, commands] = sendAllToMainThread(quarantineKey(gone, ticket, nowMs + limits.quarantineMs))
  return [rest, [conclude(blamed, 'Poison'), ...commands]]
}

const isOverdue = (limits: DeskLimits, post: Post, nowMs: number): boolean => {
  if (post._tag === 'Answering') return nowMs - post.sinceMs > limits.answerMs
  if (post._tag === 'Following') return nowMs - post.sinceMs > limits.followMs
  return post._tag === 'Starting' && nowMs - post.sinceMs > limits.startMs
}

const verdictOf = (limits: DeskLimits, desk: Desk, ticket: Ticket, nowMs: number): DeskCommand | null => {
  const waitedMs = nowMs - ticket.sinceMs
  if (ticket.kills > 0) return waitedMs > limits.secondChanceMs ? conclude(ticket, 'Poison') : null
  const behind = desk.posts.every(post => threadGenerationOf(post) < ticket.generation)
  if (behind) return waitedMs > limits.behindMs ? conclude(ticket, 'Home') : null
  return waitedMs > limits.busyMs ? conclude(ticket, 'Overloaded') : null
}

const onTick = (limits: DeskLimits, desk: Desk, nowMs: number): Stepped => {
  const commands: Array<DeskCommand> = []
  const posts = desk.posts.map((post, thread): Post => {
    if (!isOverdue(limits, post, nowMs)) return post
    commands.push({ _tag: 'Kill', thread })
    return { _tag: 'Doomed', ticket: post._tag === 'Answering' ? post.ticket : null }
  })
  const waiting = desk.waiting.filter(ticket => {
    const verdict = verdictOf(limits, desk, ticket, nowMs)
    if (verdict !== null) commands.push(verdict)
    return verdict === null
  })
  const quarantine = new Map([...desk.quarantine].filter(([, untilMs]) => nowMs < untilMs))
  const [rest, home] = sendAllToMainThread({ ...desk, posts, waiting, quarantine })
  return [rest, [...commands, ...home]]
}

const onSettled = (desk: Desk, at: number): Desk => {
  const post = desk.posts[at]
  if (post?._tag === 'Answering') return withPost(desk, at, { _tag: 'Idle', generation: post.generation })
  return post?._tag === 'Doomed' ? withPost(desk, at, { _tag: 'Doomed', ticket: null }) : desk
}

const onFollowed = (desk: Desk, at: number, generation: number): Desk =>
  desk.posts[at]?._tag === 'Following' ? withPost(desk, at, { _tag: 'Idle', generation }) : desk

/**
 * Concludes all tickets. Those that ended a thread become `Poison`, so that they do not reach the main
 * thread.
 */
const onClosed = (desk: Desk): Stepped => {
  const open = desk.posts.flatMap(post =>
    (post._tag === 'Answering' || post._tag === 'Doomed') && post.ticket !== null ? [post.ticket] : [],
  )
  const commands = [...open, ...desk.waiting].map(one => conclude(one, one.kills > 0 ? 'Poison' : 'Home'))
  return [{ ...desk, posts: desk.posts.map((): Post => ({ _tag: 'Away' })), waiting: [] }, commands]
}

const handleEvent = (limits: DeskLimits, desk: Desk, event: DeskEvent, nowMs: number): Stepped => {
  switch (event._tag) {
    case 'Admitted':
      return onAdmitted(limits, desk, event.ticket, nowMs)
    case 'Published':
      return [{ ...desk, generation: Math.max(desk.generation, event.generation) }, []]
    case 'Started':
      return [withPost(desk, event.thread, { _tag: 'Starting', sinceMs: nowMs }), []]
    case 'Up':
      return [withPost(desk, event.thread, { _tag: 'Idle', generation: 0 }), []]
    case 'Followed':
      return [onFollowed(desk, event.thread, event.generation), []]
    case 'Settled':
      return [onSettled(desk, event.thread), []]
    case 'Ended':
      return onEnded(limits, desk, event.thread, nowMs)
    case 'Tick':
      return onTick(limits, desk, nowMs)
    case 'Closed':
      return onClosed(desk)
  }
}
