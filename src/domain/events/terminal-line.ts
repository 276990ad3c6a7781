import { type Either, isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/**
 * Formats a JSON line of the log as one readable line: the time of day in UTC, its level, its event and its
 * fields. Returns any other line unchanged. Control characters become blanks, because a field may repeat text
 * of a commit or a caller, and a terminal obeys them.
 */
export const terminalLine = (line: string): string => {
  const record = tryParseJson(line)
  if (isLeft(record) || !Shown.is(record.right)) return line
  const { level, time, event } = record.right
  const fields = Object.entries(record.right)
    .filter(([name, value]) => !silent.has(name) && value !== null && value !== '')
    .map(([name, value]) => `${name}: ${wordsOf(name, value)}`)
  const [, at = time] = /T(\d\d:\d\d:\d\d)/.exec(time) ?? []
  const head = `${at} ${(levelNames[level] ?? String(level)).padEnd(5)} ${event}`
  return `${[head, ...fields].join('  ')}\n`
}

const Shown = t.intersection([
  t.type({ level: t.number, time: t.string, event: t.string }),
  t.record(t.string, t.unknown),
])

const levelNames: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR' }
const silent: ReadonlySet<string> = new Set([
  'level',
  'time',
  'event',
  'pid',
  'town',
  'requestId',
  'incarnation',
])
const valueCharsMax = 400
const commitChars = 12

const ErrorFields = t.type({ message: t.string })

/** Fields that are never shortened: an instruction to a person may be a command. */
const whole: ReadonlySet<string> = new Set(['mend'])

const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (ErrorFields.is(value)) return value.message
  if (Array.isArray(value) && value.every(one => typeof one === 'string')) return value.join(', ')
  return JSON.stringify(value)
}

const wordsOf = (name: string, value: unknown): string => {
  const text = oneLine(textOf(value))
  if (whole.has(name)) return text
  return text.slice(0, name === 'commit' ? commitChars : valueCharsMax)
}

const tryParseJson = (line: string): Either<unknown, unknown> =>
  tryCatch(
    (): unknown => JSON.parse(line),
    error => error,
  )
