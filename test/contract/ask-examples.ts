import type { AnswerExample, AnswerExamples } from '#protocol/answer-examples.js'
import { queryOf, type Route, type Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { type Bench, benchOf, collectNeededPairs, goodPairs, type Pairs, type Subject } from './bench.js'
import { samples } from './samples.js'

const table: Table = routes

/** What a row is asked for: its example, and where it can also a dry run and a job. */
const waysOf = (row: Route): ReadonlyArray<AnswerExample['asked']> => {
  const names = Object.keys(queryOf(row))
  const ways = ['dryRun', 'async'] as const
  return ['as it is', ...ways.filter(name => names.includes(name))]
}

/** A stream begins at its first event, so that its example has one. */
const pairsOf = (subject: Subject): Pairs =>
  subject.row.media === undefined ? collectNeededPairs(subject) : goodPairs(subject)

const withholdTokensOfText = (text: string): string =>
  text.replace(/\b(sess|fsess|apik|named)_[\w.-]+/g, '$1_withheld')

/** The value without the tokens in it: no document holds a text that could be one. */
const withholdTokens = (value: unknown): unknown => {
  if (typeof value === 'string') return withholdTokensOfText(value)
  if (Array.isArray(value)) return value.map(withholdTokens)
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withholdTokens(member)]))
    : value
}

const askOne = async (
  bench: Bench,
  subject: Subject,
  asked: AnswerExample['asked'],
): Promise<AnswerExample> => {
  const extra: Pairs = asked === 'as it is' ? [] : [[asked, 'true']]
  const reply = await bench.ask(subject, [...pairsOf(subject), ...extra])
  const body = subject.row.media === undefined ? reply.json : reply.text
  return { status: reply.status, asked, body: withholdTokens(body) }
}

const askRow = async (bench: Bench, subject: Subject): Promise<ReadonlyArray<AnswerExample>> => {
  const answers: Array<AnswerExample> = []
  for (const asked of waysOf(subject.row)) answers.push(await askOne(bench, subject, asked))
  return answers
}

/** The answers of the closed table to its examples, over a contract world of their own. The same at every call. */
export const askExamples = async (): Promise<AnswerExamples> => {
  const bench = await benchOf()
  const answers: Record<string, ReadonlyArray<AnswerExample>> = {}
  try {
    for (const [id, row] of Object.entries(table)) {
      const sample = samples[id]
      if (sample !== undefined) answers[id] = await askRow(bench, { id, row, sample })
    }
  } finally {
    await bench.close()
  }
  return answers
}
