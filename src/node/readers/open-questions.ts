import type { KernelClock } from '#src/kernel/time/clock.js'
import type { Meter } from '#src/ports/records.js'
import type { Ticket } from '#src/snapshot/readers/desk-state.js'
import type { AskReaders, Question, ReaderAnswer } from '#src/snapshot/readers/question.js'

/** The questions that wait for an answer, by their ids. */
export interface OpenQuestions {
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
export const openQuestions = (
  clock: KernelClock,
  meter: Meter,
  admit: (ticket: Ticket) => void,
): OpenQuestions => {
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
