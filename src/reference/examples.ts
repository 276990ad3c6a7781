import { type AnswerExample, answerExamples } from '#protocol/answer-examples.js'
import type { Route } from '#protocol/route.js'
import type { JsonSchema } from './schema.js'

const titles: Readonly<Record<AnswerExample['asked'], string>> = {
  'as it is': 'The answer to the example of the request.',
  dryRun: 'The same with `dryRun=true`: nothing is written.',
  async: 'The same with `async=true`: a job does it.',
}

const keys: Readonly<Record<AnswerExample['asked'], string>> = {
  'as it is': 'answer',
  dryRun: 'dryRun',
  async: 'async',
}

/** The stored example answers of a row; empty for a row of another table. */
export const answersOf = (id: string): ReadonlyArray<AnswerExample> => answerExamples[id] ?? []

/** The title of an answer in the reference. */
export const titleOf = ({ asked }: AnswerExample): string => titles[asked]

/** The `examples` of the answers with a status; empty where the row has none. */
export const answerExamplesOf = (id: string, status: number): JsonSchema => {
  const found = answersOf(id).filter(answer => answer.status === status)
  if (found.length === 0) return {}
  const named = found.map((answer): readonly [string, JsonSchema] => [
    keys[answer.asked],
    { summary: titles[answer.asked], value: answer.body },
  ])
  return { examples: Object.fromEntries(named) }
}

/** The `example` of the request's body. */
export const bodyExampleOf = ({ example }: Route): JsonSchema =>
  example?.body === undefined ? {} : { example: example.body }

/** The `example` of a parameter. */
export const parameterExampleOf = ({ example }: Route, place: 'path' | 'query', name: string): JsonSchema => {
  const value = example?.[place]?.[name]
  return value === undefined ? {} : { example: value }
}
