import { bars } from '../bars.js'

/** A text that only those with a right to it may read. */
export interface Canary {
  readonly what: string
  readonly text: string
  /** Whether who holds `player.restricted.read` may read it. */
  readonly restricted: boolean
}

export interface JudgedAnswer {
  readonly status: number
  readonly text: string
  /** Whether the row answers JSON. */
  readonly isJson: boolean
}

/** What a request may not get, whatever it asks. */
export interface AnswerLimits {
  readonly canaries: ReadonlyArray<Canary>
  /** Why a 2xx is a violation; absent: it is none. */
  readonly forbidden?: string | undefined
  /** Whether the row answers with the whole corpus, however large that is. */
  readonly wholeCorpus?: boolean
}

/** A frame of a stack, or a path of the machine. */
const inside = /\n\s+at [\w.<>]+ \(|node_modules\/|\/dist\/src\/|file:\/\/\//u

const isClosed = (text: string): boolean => {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'error' in body && 'detail' in body
  } catch {
    return false
  }
}

const refusalViolations = ({ status, text, isJson }: JudgedAnswer): ReadonlyArray<string> => {
  if (status < 400) return []
  return [
    ...(status === 500 ? [`a fault: ${text.slice(0, 200)}`] : []),
    ...(isJson && !isClosed(text) ? [`a ${status} without error and detail: ${text.slice(0, 200)}`] : []),
    ...(inside.test(text) ? [`a ${status} that shows the inside: ${text.slice(0, 200)}`] : []),
  ]
}

/** What an answer shows that it must not: a canary, a fault, the inside of the daemon, a right that nobody gave. */
export const answerViolations = (answer: JudgedAnswer, limits: AnswerLimits): ReadonlyArray<string> => [
  ...refusalViolations(answer),
  ...limits.canaries
    .filter(({ text }) => answer.text.includes(text))
    .map(({ what }) => `a ${answer.status} shows ${what}`),
  ...(limits.forbidden !== undefined && answer.status >= 200 && answer.status < 300
    ? [`${answer.status} though ${limits.forbidden}`]
    : []),
  ...(limits.wholeCorpus !== true && answer.text.length > bars.answerBytes
    ? [`an answer of ${answer.text.length} characters`]
    : []),
]
