import type { LinesOf } from '#src/ports/records/streams.js'
import type { RequestRecord } from './meter.js'
import { remember } from './recent.js'

/** Texts of these characters alone are JSON between two quotes as they are. */
const unescaped = /^[\w !#$%&'()*+,./:;<=>?@{|}~[\]^`-]*$/

const quoteText = (text: string): string => (unescaped.test(text) ? `"${text}"` : JSON.stringify(text))

/** A word of the program, which has nothing to escape. */
const wordOf = (text: string | null): string => (text === null ? 'null' : `"${text}"`)

const pathCharsMax = 300

/** Texts of paths that come again: to look for credentials in one costs more than the rest of a line. */
const remembered = { entriesMax: 2048, charsMax: 256 }

type Scrub = (text: string) => string

/** The part of a line that tells what was asked. Whoever asks for a path again nearly always does so by one method. */
const openRequestPart = (scrub: Scrub) => {
  const pathParts = remember(
    path => ({ path: quoteText(scrub(path).slice(0, pathCharsMax)), method: '', route: '', part: '' }),
    remembered,
  )
  return (method: string, route: string | null, path: string | null): string => {
    if (route === null || path === null) {
      const shown = path === null ? 'null' : pathParts(path).path
      return `"method":"${method}","route":${wordOf(route)},"path":${shown}`
    }
    const known = pathParts(path)
    if (known.method === method && known.route === route) return known.part
    known.method = method
    known.route = route
    known.part = `"method":"${method}","route":"${route}","path":${known.path}`
    return known.part
  }
}

type CallerFields = Pick<RequestRecord, 'kind' | 'gracz' | 'token' | 'tokenName'>

/** The part of a line that tells who asked; that of a caller without a name is the same for all of its kind. */
const openCallerPart = (scrub: Scrub) => {
  const scrubText = (text: string | null): string => (text === null ? 'null' : quoteText(scrub(text)))
  const partOf = ({ kind, gracz, token, tokenName }: CallerFields): string =>
    `"kind":${wordOf(kind)},"gracz":${scrubText(gracz)},` +
    `"token":${wordOf(token)},"tokenName":${scrubText(tokenName)}`
  const ofKind = remember(kind => partOf({ kind, gracz: null, token: null, tokenName: null }), remembered)
  return (caller: CallerFields): string => {
    const { kind, gracz, token, tokenName } = caller
    const isNameless = kind !== null && gracz === null && token === null && tokenName === null
    return isNameless ? ofKind(kind) : partOf(caller)
  }
}

/**
 * The lines of the request stream, as `JSON.stringify({ at, ...record })` makes them in six times the time. `scrub`
 * takes credentials out of what a person wrote: the path, the name of the player and the name of the token. All else
 * are words of the program. A path is scrubbed before it is cut: a credential that the cut would halve is none that the
 * scrubber knows.
 */
export const requestLines: LinesOf<RequestRecord> = scrub => {
  const requestPart = openRequestPart(scrub)
  const callerPart = openCallerPart(scrub)
  return (at, record) => {
    const { requestId, method, route, path, query, status, ms } = record
    const names = query.length === 0 ? ',"query":[],"status":' : `,"query":${JSON.stringify(query)},"status":`
    return (
      `{"at":"${at}","requestId":"${requestId}",${requestPart(method, route, path)}${names}` +
      `${status},"ms":${ms},${callerPart(record)}}`
    )
  }
}
