import type { Instant } from '#protocol/atoms/instant.js'
import type { RequestRecord } from './meter.js'

/** Texts of these characters alone are JSON between two quotes as they are. */
const unescaped = /^[\w !#$%&'()*+,./:;<=>?@{|}~[\]^`-]*$/

const quoted = (text: string): string => (unescaped.test(text) ? `"${text}"` : JSON.stringify(text))

const orNull = (text: string | null): string => (text === null ? 'null' : quoted(text))

/** A word of the program, which has nothing to escape. */
const word = (text: string | null): string => (text === null ? 'null' : `"${text}"`)

const pathCharsMax = 300

/** Scrubbed before it is cut: a credential that the cut would halve is none that the scrubber knows. */
const shownPath = (path: string, scrub: (text: string) => string): string =>
  scrub(path).slice(0, pathCharsMax)

/** About how many characters the line of a record has, without making it. */
export const requestLineChars = ({ path }: RequestRecord): number => 300 + (path === null ? 0 : path.length)

/**
 * The line of a request as JSON, as `JSON.stringify({ at, ...record })` makes it in four times the time. `scrub` takes
 * credentials out of what a person wrote: the path, the name of the player and the name of the token. All else are
 * words of the program.
 */
export const requestLine = (at: Instant, record: RequestRecord, scrub: (text: string) => string): string => {
  const { requestId, method, route, path, query, status, ms, kind, gracz, token, tokenName } = record
  return (
    `{"at":"${at}","requestId":"${requestId}","method":"${method}","route":${word(route)},` +
    `"path":${orNull(path === null ? null : shownPath(path, scrub))},` +
    `"query":${query.length === 0 ? '[]' : JSON.stringify(query)},"status":${status},"ms":${ms},` +
    `"kind":${word(kind)},"gracz":${orNull(gracz === null ? null : scrub(gracz))},` +
    `"token":${word(token)},"tokenName":${orNull(tokenName === null ? null : scrub(tokenName))}}`
  )
}
