import type { LateRecords } from '#src/ports/streams.js'
import type { RequestRecord } from './meter.js'
import { remember } from './recent.js'

/** Texts of these characters alone are JSON between two quotes as they are. */
const unescaped = /^[\w !#$%&'()*+,./:;<=>?@{|}~[\]^`-]*$/

const quoted = (text: string): string => (unescaped.test(text) ? `"${text}"` : JSON.stringify(text))

/** A word of the program, which has nothing to escape. */
const word = (text: string | null): string => (text === null ? 'null' : `"${text}"`)

const pathCharsMax = 300

/** The JSON of paths that come again is remembered: to look for credentials in one costs as much as the rest of a line. */
const remembered = { entriesMax: 2048, charsMax: 256 }

/**
 * The lines of the request stream as JSON, as `JSON.stringify({ at, ...record })` makes them in four times the time.
 * `scrub` takes credentials out of what a person wrote: the path, the name of the player and the name of the token. All
 * else are words of the program. A path is scrubbed before it is cut: a credential that the cut would halve is none that
 * the scrubber knows.
 */
export const requestLines: LateRecords<RequestRecord> = {
  charsOf: ({ path }) => 300 + (path === null ? 0 : path.length),
  lines: scrub => {
    const shownPath = remember(path => quoted(scrub(path).slice(0, pathCharsMax)), remembered)
    const scrubbed = (text: string | null): string => (text === null ? 'null' : quoted(scrub(text)))
    return (at, { requestId, method, route, path, query, status, ms, kind, gracz, token, tokenName }) =>
      `{"at":"${at}","requestId":"${requestId}","method":"${method}","route":${word(route)},` +
      `"path":${path === null ? 'null' : shownPath(path)},` +
      `"query":${query.length === 0 ? '[]' : JSON.stringify(query)},"status":${status},"ms":${ms},` +
      `"kind":${word(kind)},"gracz":${scrubbed(gracz)},` +
      `"token":${word(token)},"tokenName":${scrubbed(tokenName)}}`
  },
}
