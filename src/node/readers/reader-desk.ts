import type { ReaderPoolPorts } from '#actors/reader-pool.js'
import type { Inputs } from '#src/snapshot/build.js'
import { countLive, initialDesk, needsTicks, stepDesk } from '#src/snapshot/readers/desk.js'
import type { DeskCommand, DeskEvent, DeskLimits } from '#src/snapshot/readers/desk-state.js'
import type { AskReaders } from '#src/snapshot/readers/question.js'
import type { Log } from '../records/log.js'
import { openQuestions } from './open-questions.js'
import { type LinesSetup, readerLines } from './reader-lines.js'
import { shareAnswers } from './share-answers.js'

/** The newest inputs that the keeper published, and their generation. */
export interface PublishedInputs {
  readonly generation: number
  readonly inputs: Inputs
}

export interface ReaderDeskSetup extends LinesSetup {
  readonly threads: number
  readonly limits: DeskLimits
  readonly current: () => PublishedInputs | null
  readonly log: Log
}

/** The reader threads: the front asks them, and their actor starts and ends them. */
export interface ReaderDesk extends ReaderPoolPorts {
  readonly ask: AskReaders
  /** Reports that the cell has a new generation. */
  readonly published: () => void
  readonly live: () => number
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
