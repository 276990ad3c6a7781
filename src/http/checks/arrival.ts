import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Route } from '#protocol/route.js'
import { type Caller, callerName } from '#src/domain/callers/caller.js'
import type { WriteActor, WriteOrigin } from '#src/writing/command.js'

/** A request whose head is valid: `path` and `query` are still percent-encoded. */
export interface Arrival {
  readonly path: string
  readonly query: string
  /** The value of the one `Authorization` header; null when there is none or more than one. */
  readonly authorization: string | null
}

/** Names under which this host is published, besides loopback; in lower case. */
export type PublishedHosts = () => ReadonlySet<string>

/** Reads the head of a request. Left: why this host does not answer it (D26). */
export const arrivalOf = (head: RequestHead, published: PublishedHosts): Either<Refused, Arrival> => {
  if (head.httpVersionMajor !== 1) return refuseMalformed('The request is not HTTP/1.1. Send it as HTTP/1.1.')
  const singles = singlesOf(head.rawHeaders)
  if (singles.hosts !== 1)
    return refuseMalformed('The request has no Host header or several. Send exactly one.')
  const refused = hostRefusal(singles.host, published)
  if (refused !== null) return left(refused)
  const { expect } = head.headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return left(
      refuse('ExpectationFailed', 'The Expect header has another value than 100-continue. Leave it out.'),
    )
  const target = originForm(head.url ?? '', published)
  if (target._tag === 'Left') return target
  const url = target.right
  if (url.includes('#')) return refuseMalformed('The request target has a fragment (#). Leave it out.')
  const mark = url.indexOf('?')
  return right({
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    authorization: singles.authorizations === 1 ? singles.authorization : null,
  })
}

/**
 * The actor as records and commits name it: the Gracz, otherwise the kind of caller, and the named token if
 * any.
 */
export const actorOf = (caller: Pick<Caller, 'gracz' | 'kind' | 'token'>): WriteActor => {
  const { gracz, kind, token } = caller
  return { name: callerName(caller), gracz, kind, ...(token === undefined ? {} : { token }) }
}

/**
 * The author of what a request commits, and its row: both go into the trailers of the commit (FORMATS 1.9).
 */
export const originOf = (
  { method, path }: Pick<Route, 'method' | 'path'>,
  caller: Pick<Caller, 'gracz' | 'kind' | 'token'>,
): WriteOrigin => ({ actor: actorOf(caller), route: `${method} ${path}` })

/**
 * The path of a request without percent escapes, as records store it, so that the scrubber recognizes a
 * credential in it. Double and triple escapes are decoded too. Where a path does not decode, only the escapes
 * of ASCII are decoded.
 */
export const plainPath = (path: string): string => {
  if (!path.includes('%')) return path
  let plain = decodePath(path)
  for (let round = 1; round < roundsMax && plain.includes('%'); round += 1) plain = decodeAscii(plain)
  return plain
}

/** The parts of a request that are read before any decision. */
interface RequestHead {
  readonly httpVersionMajor: number
  readonly url?: string | undefined
  readonly rawHeaders: ReadonlyArray<string>
  readonly headers: { readonly expect?: string | undefined }
}

type Refused = RefusalOf<'RequestMalformed' | 'HostRefused' | 'ExpectationFailed'>

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

const refuseMalformed = (detail: string): Either<Refused, never> => left(refuse('RequestMalformed', detail))

/**
 * Checks that `host[:port]` names this host. A page of another site can make its own name resolve to
 * loopback, but it cannot send one of these names (SECURITY 4.7).
 */
const hostRefusal = (authority: string, published: PublishedHosts): Refused | null => {
  const found = /^(\[::1\]|[a-z0-9][a-z0-9.-]{0,252})(?::(\d{1,5}))?$/i.exec(authority)
  if (found === null || Number(found[2] ?? 0) > 65_535)
    return refuse('RequestMalformed', 'The Host header is not `host` or `host:port`.')
  const name = String(found[1]).toLowerCase()
  if (loopback.has(name) || published().has(name)) return null
  return refuse(
    'HostRefused',
    'The Host header does not name this host. Use 127.0.0.1, localhost or a published name of the host.',
  )
}

interface Singles {
  readonly hosts: number
  readonly host: string
  readonly authorizations: number
  readonly authorization: string
}

/** The headers of which a second copy must not go unnoticed; node silently keeps the first. */
const singlesOf = (rawHeaders: ReadonlyArray<string>): Singles => {
  let hosts = 0
  let host = ''
  let authorizations = 0
  let authorization = ''
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts += 1
      host = rawHeaders[at + 1] ?? ''
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') {
      authorizations += 1
      authorization = rawHeaders[at + 1] ?? ''
    }
  }
  return { hosts, host, authorizations, authorization }
}

/**
 * The origin form of a target. An absolute target is accepted when its authority passes the Host rule (D26).
 */
const originForm = (url: string, published: PublishedHosts): Either<Refused, string> => {
  if (url.startsWith('/') || url === '*') return right(url)
  const absolute = /^https?:\/\/([^/?#]*)([/?].*)?$/i.exec(url)
  if (absolute === null) return refuseMalformed('The request target is not a path.')
  const refused = hostRefusal(absolute[1] ?? '', published)
  if (refused !== null) return left(refused)
  const rest = absolute[2] ?? '/'
  return right(rest.startsWith('?') ? `/${rest}` : rest)
}

const escapedAscii = /%[0-7][\da-f]/gi
const roundsMax = 3

const decodeAscii = (text: string): string =>
  text.replace(escapedAscii, sign => String.fromCharCode(Number.parseInt(sign.slice(1), 16)))

const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return decodeAscii(path)
  }
}
