import type { KernelClock } from '#src/kernel/time/clock.js'
import type { ThreadEnd } from '#src/ports/host.js'
import type { Meter } from '#src/ports/records.js'
import type { Inputs } from '#src/snapshot/build.js'
import type { AskReaders, Question, ReaderAnswer } from '#src/snapshot/readers/question.js'
import type { ReaderPoolPorts, ThreadReport } from './reader-pool.js'
import {
  countLive,
  initialSchedule,
  type Limits,
  needsTicks,
  type ScheduleCommand,
  type ScheduleEvent,
  stepSchedule,
  type Ticket,
} from './schedule.js'

/** The newest inputs that the keeper published, and their generation. */
export interface PublishedInputs {
  readonly generation: number
  readonly inputs: Inputs
}

/** The connection to one thread. */
export interface ReaderConnection {
  /** Sends the thread what it lacks of these inputs. */
  readonly follow: (target: PublishedInputs | null) => void
  /** Returns false when the question cannot be sent because a value in it cannot be cloned. */
  readonly ask: (id: number, question: Question) => boolean
  /** Ends the thread; its end is reported. */
  readonly end: () => void
  /** Ends the thread without reporting anything; resolves when it is gone. */
  readonly drop: () => Promise<void>
}

/** What happens on the connection to one thread. */
export interface ReaderEvents {
  readonly up: () => void
  readonly followed: (generation: number) => void
  readonly answered: (id: number, answer: ReaderAnswer) => void
  readonly ended: (how: ThreadEnd, error: unknown) => void
}

export interface ExchangePorts {
  readonly threads: number
  readonly limits: Limits
  /** Starts a thread. */
  readonly connect: (events: ReaderEvents) => ReaderConnection
  readonly current: () => PublishedInputs | null
  /** Sends the pool what happened to a thread, after its question was passed on. */
  readonly report: (report: ThreadReport) => void
  readonly clock: KernelClock
  readonly meter: Meter
  readonly log: Readonly<Record<'warn' | 'error', (event: string, fields: object) => void>>
}

/** Passes questions to the reader threads, and starts and ends threads for the pool. */
export interface ReaderExchange extends ReaderPoolPorts {
  readonly ask: AskReaders
  /** Reports that there is a new generation. */
  readonly published: () => void
  readonly live: () => number
}

/** An exchange without threads: the pool starts them. */
export const readerExchange = (ports: ExchangePorts): ReaderExchange => {
  const { clock, log, meter, threads } = ports
  const connections = new Map<number, ReaderConnection>()
  const { open, settle } = openQuestions(clock, meter)
  const { take, live } = runSchedule(ports, command => carryOut(command))
  const ask: AskReaders = question => open(question, ticket => take({ _tag: 'Admitted', ticket }))
  const end = (thread: number): void => {
    log.warn('reader_overdue', { thread })
    connections.get(thread)?.end()
  }
  const carryOut = (command: ScheduleCommand): void => {
    switch (command._tag) {
      case 'Follow':
        return connections.get(command.thread)?.follow(ports.current())
      case 'Ask': {
        const { thread, ticket } = command
        if (connections.get(thread)?.ask(ticket.id, ticket.question) === true) return
        settle(ticket.id, { _tag: 'Home' })
        return take({ _tag: 'Settled', thread })
      }
      case 'Kill':
        return end(command.thread)
      case 'Conclude': {
        const { ticket, verdict } = command
        if (verdict === 'Poison') log.error('reader_poison', { row: ticket.question.rowId })
        return settle(ticket.id, { _tag: verdict })
      }
    }
  }
  const drop = async (): Promise<void> => {
    const gone = [...connections.values()].map(one => one.drop())
    connections.clear()
    take({ _tag: 'Closed' })
    await Promise.all(gone)
  }
  const askShared = shareAnswers(ask)
  meter.gauge('svc_reader_threads', {}, threads)
  meter.gauge('svc_reader_threads_live', {}, 0)
  return {
    ask: question => (question.shared ? askShared : ask)(question),
    published: () => {
      if (threads > 0) take({ _tag: 'Published', generation: ports.current()?.generation ?? 0 })
    },
    live,
    start: thread => {
      const left = (): void => void connections.delete(thread)
      if (!connections.has(thread))
        connections.set(thread, ports.connect(eventsOf(ports, thread, { take, settle, left })))
    },
    end,
    reset: drop,
    close: drop,
  }
}

interface Exchanging {
  readonly take: (event: ScheduleEvent) => void
  readonly settle: (id: number, answer: ReaderAnswer) => void
  /** Called first when the thread has ended. */
  readonly left: () => void
}

/** Passes what happens to a thread to the schedule, and to the pool what it decides by. */
const eventsOf = (
  { log, meter, report }: ExchangePorts,
  thread: number,
  { take, settle, left }: Exchanging,
): ReaderEvents => ({
  up: () => {
    take({ _tag: 'Up', thread })
    report({ _tag: 'Up', thread })
  },
  followed: generation => take({ _tag: 'Followed', thread, generation }),
  answered: (id, answer) => {
    settle(id, answer)
    take({ _tag: 'Settled', thread })
  },
  ended: (how, error) => {
    left()
    meter.count('svc_reader_ends_total', { cause: how })
    log.warn('reader_ended', { thread, cause: how, error })
    take({ _tag: 'Ended', thread })
    report({ _tag: 'Ended', thread })
  },
})

const tickMs = 50

/** Keeps the schedule: `take` steps it by an event and calls `carryOut` for each command. */
const runSchedule = (
  { threads, limits, clock, meter }: ExchangePorts,
  carryOut: (command: ScheduleCommand) => void,
): Pick<Exchanging, 'take'> & Pick<ReaderExchange, 'live'> => {
  let schedule = initialSchedule(threads)
  let isTicking = false
  const take = (event: ScheduleEvent): void => {
    const [next, commands] = stepSchedule(limits, schedule, event, clock.monotonicMs())
    schedule = next
    meter.gauge('svc_reader_threads_live', {}, countLive(schedule))
    for (const command of commands) carryOut(command)
    if (isTicking || !needsTicks(schedule)) return
    isTicking = true
    clock.after(tickMs, () => {
      isTicking = false
      take({ _tag: 'Tick' })
    })
  }
  return { take, live: () => countLive(schedule) }
}

/** The questions that wait for an answer. `settle` does nothing where the question has been answered. */
const openQuestions = (clock: KernelClock, meter: Meter) => {
  const open = new Map<number, (answer: ReaderAnswer) => void>()
  let lastId = 0
  return {
    /** Resolves with the answer. `admit` gets the ticket once the question is registered. */
    open: (question: Question, admit: (ticket: Ticket) => void): Promise<ReaderAnswer> =>
      new Promise(resolve => {
        const sinceMs = clock.monotonicMs()
        lastId += 1
        open.set(lastId, answer => {
          meter.count('svc_reader_questions_total', { result: answer._tag.toLowerCase() })
          meter.observe('svc_reader_question_seconds', {}, (clock.monotonicMs() - sinceMs) / 1000)
          resolve(answer)
        })
        admit({ id: lastId, question, sinceMs, kills: 0 })
      }),
    settle: (id: number, answer: ReaderAnswer): void => {
      const answered = open.get(id)
      open.delete(id)
      answered?.(answer)
    },
  }
}

/** Shares a running answer: callers that ask the same question of the same generation wait for one answer. */
const shareAnswers = (ask: AskReaders): AskReaders => {
  const shared = new Map<string, Promise<ReaderAnswer>>()
  return question => {
    const key = `${question.generation} ${question.gzip ? 'gzip' : 'plain'}\n${question.key}`
    const known = shared.get(key)
    if (known !== undefined) return known
    const answer = ask(question)
    shared.set(key, answer)
    void answer.then(() => shared.delete(key))
    return answer
  }
}
