import frozen from './answer-examples.json' with { type: 'json' }
import type { RefusalTag } from './refusal.js'
import frozenRefusals from './refusal-examples.json' with { type: 'json' }

/** The answer of a row to its example in the world of the contract tests. */
export interface AnswerExample {
  readonly status: number
  /** What the request asked for: a dry run, a job, or nothing special. */
  readonly asked: 'as it is' | 'dryRun' | 'async'
  /** The JSON of the answer, or its text for a stream. */
  readonly body: unknown
}

export type AnswerExamples = Readonly<Record<string, ReadonlyArray<AnswerExample>>>

const wordOf = (asked: string): AnswerExample['asked'] =>
  asked === 'dryRun' || asked === 'async' ? asked : 'as it is'

/** Answers by row. `npm run examples` writes them; a test compares each with the present answer. */
export const answerExamples: AnswerExamples = Object.fromEntries(
  Object.entries<ReadonlyArray<{ status: number; asked: string; body: unknown }>>(frozen).map(
    ([id, answers]) => [
      id,
      answers.map(({ status, asked, body }) => ({ status, asked: wordOf(asked), body })),
    ],
  ),
)

/** The body of each refusal, written and compared in the same way. */
export const refusalExamples: Readonly<Record<RefusalTag, unknown>> = frozenRefusals
