import type { Loaded } from '#actors/corpus-keeper/load.js'
import type { ReaderPoolPorts, ThreadEnded } from '#actors/reader-pool.js'
import { workerThreads } from '#src/adapters/worker-thread.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import { type KernelClock, realClock } from '#src/kernel/time/clock.js'
import type { OpenThread, ThreadEnd } from '#src/ports/host.js'
import type { Meter } from '#src/ports/records.js'
import type { Inputs } from '#src/snapshot/build.js'
import type { Cell } from '#src/snapshot/cell.js'
import { deltaOf, findChangedFiles } from '#src/snapshot/readers/delta.js'
import { countLive, initialDesk, needsTicks, stepDesk } from '#src/snapshot/readers/desk.js'
import {
  type DeskCommand,
  type DeskEvent,
  type DeskLimits,
  readerLimits,
  type Ticket,
} from '#src/snapshot/readers/desk-state.js'
import type { AskReaders, Question, ReaderAnswer } from '#src/snapshot/readers/question.js'
import { FromThread, type ToThread } from '#src/snapshot/readers/thread-messages.js'
import type { Log } from '../records/records.js'
import type { TierNotice } from '../search/threads/messages.js'
import type { SearchExchange, TellAsker } from '../search/tier-asker.js'

export interface Readers {
  readonly threads: number
  readonly desk: ReaderDesk
}

/** The reader threads of a node. They follow the cell with the snapshot; their actor starts them. */
export const nodeReaders = ({ threads, open, held, pool, meter, log, joinSearch }: ReadersSetup): Readers => {
  const desk = readerDesk({
    threads,
    limits: readerLimits(threads),
    open,
    current: () => publishedOf(held.get()),
    ended: thread => void tell(pool, { _tag: 'Ended', thread }),
    clock: realClock,
    meter,
    log,
    joinSearch,
  })
  held.watch(desk.published)
  return { threads, desk }
}

/** The newest inputs that the keeper published, and their generation. */
export interface PublishedInputs {
  readonly generation: number
  readonly inputs: Inputs
}

/** The reader threads: the front asks them, and their actor starts and ends them. */
export interface ReaderDesk extends ReaderPoolPorts {
  readonly ask: AskReaders
  /** Reports that the cell has a new generation. */
  readonly published: () => void
  readonly live: () => number
}

/** The desk over real threads and time. */
export const readerDesk = (setup: ReaderDeskSetup): ReaderDesk => {
  const { clock, log, meter } = setup
  const carryOut = (command: DeskCommand): void => {
    switch (command._tag) {
      case 'Follow':
        return lines.find(command.thread)?.follow(setup.current())
      case 'Ask':
        return askThread(command.thread, command.id)
      case 'Kill':
        log.warn('reader_overdue', { thread: command.thread })
        return lines.find(command.thread)?.end()
      case 'Conclude':
        if (command.verdict === 'Poison')
          log.error('reader_poison', { row: questions.find(command.id)?.rowId })
        return questions.settle(command.id, { _tag: command.verdict })
    }
  }
  const { happened, live } = runDesk(setup, carryOut)
  const questions = openQuestions(clock, meter, ticket => happened({ _tag: 'Admitted', ticket }))
  const lines = readerLines(setup, { happened, settle: questions.settle })
  const askThread = (thread: number, id: number): void => {
    const question = questions.find(id)
    if (question !== undefined && lines.find(thread)?.ask(id, question) === true) return
    questions.settle(id, { _tag: 'Home' })
    happened({ _tag: 'Settled', thread })
  }
  const askShared = shareAnswers(questions.ask)
  meter.gauge('svc_reader_threads', {}, setup.threads)
  meter.gauge('svc_reader_threads_live', {}, 0)
  return {
    ask: question => (question.shared ? askShared(question) : questions.ask(question)),
    published: () => {
      const generation = setup.current()?.generation ?? 0
      if (setup.threads > 0) happened({ _tag: 'Published', generation })
    },
    live,
    start: lines.start,
    reset: lines.drop,
    close: lines.drop,
  }
}

/** The connection to one thread. It remembers what it sent, so that it sends only changes. */
export interface ReaderLine {
  readonly follow: (target: { readonly generation: number; readonly inputs: Inputs } | null) => void
  /** Returns false when the question cannot be sent because a value in it cannot be cloned. */
  readonly ask: (id: number, question: Question) => boolean
  /** Tells the thread of a search tier. */
  readonly tellSearch: (notice: TierNotice) => void
  /** Ends the thread; its end is reported. */
  readonly end: () => void
  /** Ends the thread without reporting anything; resolves when it is gone. */
  readonly drop: () => Promise<void>
}

export const readerLine = (open: OpenThread<ToReader, FromThread>, events: LineEvents): ReaderLine => {
  let has: Inputs | null = null
  let isOpen = true
  let followMs = 0
  let gone: () => void = () => undefined
  const isGone = new Promise<void>(resolve => {
    gone = resolve
  })
  const onMessage = (message: FromThread): void => {
    if (!isOpen) return
    if (message._tag === 'Up') events.up()
    else if (message._tag === 'Followed')
      events.followed(message.generation, (events.monotonicMs() - followMs) / 1000)
    else events.answered(message.id, answerOf(message))
  }
  const thread = open({
    said: onMessage,
    ended: (how, error) => {
      const told = isOpen
      isOpen = false
      gone()
      if (told) events.ended(how, error)
    },
  })
  /** Sends the changed files and the inputs. Posts to a thread that ended are lost; its end is reported. */
  const send = async (before: Inputs | null, after: Inputs, generation: number): Promise<void> => {
    for (const files of parts(findChangedFiles(before, after))) {
      thread.post({ _tag: 'Files', files })
      await oneTurn()
      if (!isOpen) return
    }
    thread.post({ _tag: 'Follow', delta: deltaOf(before, after, generation) })
  }
  return {
    follow: target => {
      if (target === null) return
      const before = has
      has = target.inputs
      followMs = events.monotonicMs()
      void send(before, target.inputs, target.generation).catch(() => thread.end())
    },
    ask: (id, question) => {
      try {
        thread.post({ _tag: 'Ask', id, question })
        return true
      } catch {
        // A value that cannot be cloned: the main thread answers.
        return false
      }
    },
    tellSearch: notice =>
      thread.post({ _tag: 'Search', ...notice }, notice.port === null ? [] : [notice.port]),
    end: () => thread.end(),
    drop: () => {
      isOpen = false
      thread.end()
      return isGone
    },
  }
}

/** Messages to a reader thread: those of its generations, and the states of the search tiers. */
export type ToReader = ToThread | ({ readonly _tag: 'Search' } & TierNotice)

export type OpenReader = OpenThread<ToReader, FromThread>

/** Eight times the heap of a reader for a world at scale 10 (ADR 1005). */
const heapMbMax = 2048

/** Opens a reader thread of the built daemon. */
export const openReader: OpenReader = workerThreads({
  entry: new URL('./reader-thread.js', import.meta.url),
  says: FromThread,
  heapMbMax,
})

interface ReadersSetup {
  readonly threads: number
  readonly open: OpenReader
  readonly held: Cell<Loaded>
  readonly pool: Ref<ThreadEnded>
  readonly meter: Meter
  readonly log: Log
  /** Adds a thread to the askers of the search tiers. */
  readonly joinSearch: SearchExchange['join']
}

const publishedOf = (loaded: Loaded | null): PublishedInputs | null =>
  loaded === null ? null : { generation: loaded.build.snapshot.generation, inputs: loaded.inputs }

interface ReaderDeskSetup extends LinesSetup {
  readonly threads: number
  readonly limits: DeskLimits
  readonly current: () => PublishedInputs | null
  readonly log: Log
}

const tickMs = 50

/**
 * Keeps the state of the desk: `happened` takes an event and calls `carryOut` for each command of the desk.
 */
const runDesk = (
  { threads, limits, clock, meter }: ReaderDeskSetup,
  carryOut: (command: DeskCommand) => void,
): { readonly happened: (event: DeskEvent) => void; readonly live: () => number } => {
  let desk = initialDesk(threads)
  let ticking = false
  const happened = (event: DeskEvent): void => {
    const [next, commands] = stepDesk(limits, desk, event, clock.monotonicMs())
    desk = next
    meter.gauge('svc_reader_threads_live', {}, countLive(desk))
    for (const command of commands) carryOut(command)
    tickLater()
  }
  const tickLater = (): void => {
    if (ticking || !needsTicks(desk)) return
    ticking = true
    clock.after(tickMs, () => {
      ticking = false
      happened({ _tag: 'Tick' })
    })
  }
  return { happened, live: () => countLive(desk) }
}

/** The events of the connection to one thread. */
interface LineEvents {
  readonly up: () => void
  readonly followed: (generation: number, seconds: number) => void
  readonly answered: (id: number, answer: ReaderAnswer) => void
  readonly ended: (how: ThreadEnd, error: unknown) => void
  readonly monotonicMs: () => number
}

/** About how many characters are sent in one turn of the loop: about 100 microseconds. */
const charsPerTurn = 256 * 1024

const parts = (files: ReadonlyArray<SourceFile>): ReadonlyArray<ReadonlyArray<SourceFile>> => {
  const cut: Array<Array<SourceFile>> = []
  let chars = charsPerTurn
  for (const file of files) {
    if (chars >= charsPerTurn) {
      cut.push([])
      chars = 0
    }
    cut[cut.length - 1]?.push(file)
    chars += file.text.length
  }
  return cut
}

const oneTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

const answerOf = (message: Exclude<FromThread, { readonly _tag: 'Up' | 'Followed' }>): ReaderAnswer => {
  switch (message._tag) {
    case 'Answered': {
      const { status, packed, headers, isPassing, from } = message
      return { _tag: 'Answered', status, bytes: Buffer.from(message.bytes), packed, headers, isPassing, from }
    }
    case 'Home':
      return { _tag: 'Home' }
    case 'Refused':
      return { _tag: 'Refused', refusal: message.refusal }
    case 'Threw':
      return { _tag: 'Threw', message: message.message, stack: message.stack }
  }
}

/** The connections to the living threads. */
interface ReaderLines {
  readonly find: (thread: number) => ReaderLine | undefined
  /** Starts a thread in place of one that ended. */
  readonly start: (thread: number) => void
  /** Ends every thread; resolves when all are gone. */
  readonly drop: () => Promise<void>
}

/** The events of the connections. */
interface LinesEvents {
  readonly happened: (event: DeskEvent) => void
  readonly settle: (id: number, answer: ReaderAnswer) => void
}

interface LinesSetup {
  readonly open: OpenThread<ToReader, FromThread>
  /** Adds a thread to the askers of the search tiers; returns a function that removes it. */
  readonly joinSearch: (tell: TellAsker) => () => void
  /** Called when a thread has ended, after its question was passed on. */
  readonly ended: (thread: number) => void
  readonly clock: KernelClock
  readonly meter: Meter
  readonly log: Pick<Log, 'warn'>
}

const readerLines = (setup: LinesSetup, { happened, settle }: LinesEvents): ReaderLines => {
  const { clock, log, meter } = setup
  const lines = new Map<number, ReaderLine>()
  const leaveSearch = new Map<number, () => void>()
  const leave = (thread: number): void => {
    leaveSearch.get(thread)?.()
    leaveSearch.delete(thread)
  }
  const openLine = (thread: number): ReaderLine =>
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
        leave(thread)
        meter.count('svc_reader_ends_total', { cause: how })
        log.warn('reader_ended', { thread, cause: how, error })
        happened({ _tag: 'Ended', thread })
        setup.ended(thread)
      },
      monotonicMs: clock.monotonicMs,
    })
  return {
    find: thread => lines.get(thread),
    start: thread => {
      void lines.get(thread)?.drop()
      happened({ _tag: 'Started', thread })
      leave(thread)
      const line = openLine(thread)
      lines.set(thread, line)
      leaveSearch.set(thread, setup.joinSearch(line.tellSearch))
    },
    drop: async () => {
      const gone = [...lines.values()].map(line => line.drop())
      for (const thread of lines.keys()) leave(thread)
      lines.clear()
      happened({ _tag: 'Closed' })
      await Promise.all(gone)
    },
  }
}

/** The questions that wait for an answer, by their ids. */
interface OpenQuestions {
  readonly ask: AskReaders
  readonly find: (id: number) => Question | undefined
  /** Answers a question; does nothing where it has been answered. */
  readonly settle: (id: number, answer: ReaderAnswer) => void
}

interface OpenQuestion {
  readonly question: Question
  readonly answered: (answer: ReaderAnswer) => void
}

const tagOf = (answer: ReaderAnswer): string => answer._tag.toLowerCase()

/** @param admit passes each question to the desk once it is registered. */
const openQuestions = (clock: KernelClock, meter: Meter, admit: (ticket: Ticket) => void): OpenQuestions => {
  const open = new Map<number, OpenQuestion>()
  let lastId = 0
  return {
    ask: question =>
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
        const { rowId: row, key, generation, ifIdle = false } = question
        admit({ id, row, key, generation, sinceMs, ifIdle, kills: 0 })
      }),
    find: id => open.get(id)?.question,
    settle: (id, answer) => {
      const settled = open.get(id)
      open.delete(id)
      settled?.answered(answer)
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
