import type { LinesOf } from '#src/ports/records.js'
import type { RequestRecord } from './meter.js'
import { cacheRecent } from './recent.js'

/** A text of only these characters is valid JSON between two quotes. */
const unescaped = /^[\w !#$%&'()*+,./:;<=>?@{|}~[\]^`-]*$/

const quoteText = (text: string): string => (unescaped.test(text) ? `"${text}"` : JSON.stringify(text))

/** A word of the program, which needs no escaping. */
const wordOf = (text: string | null): string => (text === null ? 'null' : `"${text}"`)

const pathCharsMax = 300

/** Caches frequent paths: scanning one for credentials costs more than the rest of a line. */
const remembered = { entriesMax: 2048, charsMax: 256 }

type Scrub = (text: string) => string

/**
 * The part of a line that says what was requested. A path that comes again nearly always comes with the same
 * method.
 */
const openRequestPart = (scrub: Scrub) => {
  const pathParts = cacheRecent(
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

/** The part of a line that says who asked; all callers of a kind without a name share it. */
const openCallerPart = (scrub: Scrub) => {
  const scrubText = (text: string | null): string => (text === null ? 'null' : quoteText(scrub(text)))
  const partOf = ({ kind, gracz, token, tokenName }: CallerFields): string =>
    `"kind":${wordOf(kind)},"gracz":${scrubText(gracz)},` +
    `"token":${wordOf(token)},"tokenName":${scrubText(tokenName)}`
  const ofKind = cacheRecent(kind => partOf({ kind, gracz: null, token: null, tokenName: null }), remembered)
  return (caller: CallerFields): string => {
    const { kind, gracz, token, tokenName } = caller
    const isNameless = kind !== null && gracz === null && token === null && tokenName === null
    return isNameless ? ofKind(kind) : partOf(caller)
  }
}

/**
 * Makes the lines of the request stream: the same as `JSON.stringify({ at, ...record })`, six times as fast.
 * `scrub` redacts credentials from what a person wrote: the path, the name of the player and the name of the
 * token. All else are words of the program. A path is scrubbed before it is cut, because the scrubber would
 * not recognize half a credential.
 */
export const requestLines: LinesOf<RequestRecord> = scrub => {
  const requestPart = openRequestPart(scrub)
  const callerPart = openCallerPart(scrub)
  return (at, record) => {
    const { requestId, method, route, path, query, status, ms, late } = record
    const names = query.length === 0 ? ',"query":[],"status":' : `,"query":${JSON.stringify(query)},"status":`
    return (
      `{"at":"${at}","requestId":"${requestId}",${requestPart(method, route, path)}${names}` +
      `${status},"ms":${ms},${callerPart(record)}${late === undefined ? '' : ',"late":true'}}`
    )
  }
}
