import type { ReaderPoolPorts } from '#actors/reader-pool.js'
import type { Clock } from '#src/kernel/time/clock.js'
import type { Meter } from '#src/ports/records/meter.js'
import type { OpenThread } from '#src/ports/thread.js'
import type { Inputs } from '#src/snapshot/build.js'
import { isBusy, liveOf, openDesk, stepDesk } from '#src/snapshot/readers/desk.js'
import type { Command, DeskEvent, Limits } from '#src/snapshot/readers/desk-state.js'
import type { AskReaders, Question, ReaderAnswer } from '#src/snapshot/readers/question.js'
import type { FromThread, ToThread } from '#src/snapshot/readers/thread-messages.js'
import type { Log } from '../records/log.js'
import { type ReaderLine, readerLine } from './reader-line.js'

/** The newest inputs that the keeper published, and their generation. */
export interface Published {
  readonly generation: number
  readonly inputs: Inputs
}

export interface ReaderDeskSetup {
  readonly threads: number
  readonly limits: Limits
  readonly open: OpenThread<ToThread, FromThread>
  readonly current: () => Published | null
  /** Told when a thread is gone, after its question was handed on. */
  readonly ended: (thread: number) => void
  readonly clock: Clock
  readonly meter: Meter
  readonly log: Log
}

/** The reader threads as the front asks them and as their actor starts and ends them. */
export interface ReaderDesk extends ReaderPoolPorts {
  readonly ask: AskReaders
  /** The cell has a new generation. */
  readonly published: () => void
  readonly live: () => number
}

interface Asked {
  readonly question: Question
  readonly answered: (answer: ReaderAnswer) => void
}

const tickMs = 50

const tagOf = (answer: ReaderAnswer): string => answer._tag.toLowerCase()

/** Carries out what the desk decides, over real threads and time. */
export const readerDesk = (setup: ReaderDeskSetup): ReaderDesk => {
  const { clock, limits, log, meter } = setup
  let desk = openDesk(setup.threads)
  const lines = new Map<number, ReaderLine>()
  const open = new Map<number, Asked>()
  const shared = new Map<string, Promise<ReaderAnswer>>()
  let lastId = 0
  let ticking = false

  const happened = (event: DeskEvent): void => {
    const [next, commands] = stepDesk(limits, desk, event, clock.monotonicMs())
    desk = next
    meter.gauge('svc_reader_threads_live', {}, liveOf(desk))
    for (const command of commands) carryOut(command)
    tickLater()
  }
  const tickLater = (): void => {
    if (ticking || !isBusy(desk)) return
    ticking = true
    clock.after(tickMs, () => {
      ticking = false
      happened({ _tag: 'Tick' })
    })
  }
  const settle = (id: number, answer: ReaderAnswer): void => {
    const asked = open.get(id)
    open.delete(id)
    asked?.answered(answer)
  }
  const carryOut = (command: Command): void => {
    switch (command._tag) {
      case 'Follow':
        return lines.get(command.thread)?.follow(setup.current())
      case 'Ask':
        return askThread(command.thread, command.id)
      case 'Kill':
        log.warn('reader_overdue', { thread: command.thread })
        return lines.get(command.thread)?.end()
      case 'Conclude':
        if (command.verdict === 'Poison')
          log.error('reader_poison', { row: open.get(command.id)?.question.rowId })
        return settle(command.id, { _tag: command.verdict })
    }
  }
  const askThread = (thread: number, id: number): void => {
    const asked = open.get(id)
    if (asked !== undefined && lines.get(thread)?.ask(id, asked.question) === true) return
    settle(id, { _tag: 'Home' })
    happened({ _tag: 'Settled', thread })
  }
  const start = (thread: number): void => {
    void lines.get(thread)?.drop()
    happened({ _tag: 'Started', thread })
    lines.set(
      thread,
      readerLine(setup.open, {
        up: () => happened({ _tag: 'Up', thread }),
        followed: (generation, seconds) => {
          meter.observe('svc_reader_follow_seconds', {}, seconds)
          happened({ _tag: 'Followed', thread, generation })
        },
        answered: (id, answer) => {
          settle(id, answer)
          happened({ _tag: 'Settled', thread })
        },
        ended: (how, error) => {
          lines.delete(thread)
          meter.count('svc_reader_ends_total', { cause: how })
          log.warn('reader_ended', { thread, cause: how, error })
          happened({ _tag: 'Ended', thread })
          setup.ended(thread)
        },
        monotonicMs: clock.monotonicMs,
      }),
    )
  }
  const drop = async (): Promise<void> => {
    const gone = [...lines.values()].map(line => line.drop())
    lines.clear()
    happened({ _tag: 'Closed' })
    await Promise.all(gone)
  }
  const asked = (question: Question): Promise<ReaderAnswer> =>
    new Promise(resolve => {
      const sinceMs = clock.monotonicMs()
      lastId += 1
      const id = lastId
      const answered = (answer: ReaderAnswer): void => {
        meter.count('svc_reader_questions_total', { result: tagOf(answer) })
        meter.observe('svc_reader_question_seconds', {}, (clock.monotonicMs() - sinceMs) / 1000)
        resolve(answer)
      }
      open.set(id, { question, answered })
      const { rowId: row, key, generation } = question
      happened({ _tag: 'Admitted', ticket: { id, row, key, generation, sinceMs, kills: 0 } })
    })
  /** Who asks the same of the same generation while it is being answered waits for that answer. */
  const joined = (question: Question): Promise<ReaderAnswer> => {
    const key = `${question.generation} ${question.gzip ? 'gzip' : 'plain'}\n${question.key}`
    const known = shared.get(key)
    if (known !== undefined) return known
    const answer = asked(question)
    shared.set(key, answer)
    void answer.then(() => shared.delete(key))
    return answer
  }
  meter.gauge('svc_reader_threads', {}, setup.threads)
  meter.gauge('svc_reader_threads_live', {}, 0)
  return {
    ask: question => (question.shared ? joined(question) : asked(question)),
    published: () => {
      const generation = setup.current()?.generation ?? 0
      if (setup.threads > 0) happened({ _tag: 'Published', generation })
    },
    live: () => liveOf(desk),
    start,
    reset: drop,
    close: drop,
  }
}
