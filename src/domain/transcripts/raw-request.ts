import { type Either, left, right } from 'fp-ts/lib/Either.js'

/** A request that a person copied out of a browser: its address, and the headers that go only to its host. */
export interface RawRequest {
  readonly url: string
  /** Names in lower case. They may hold a session of the person: no log, answer, marker or commit has them. */
  readonly headers: Readonly<Record<string, string>>
}

/** Whether a text is meant as a raw HTTP request and no address: it begins with a method and a target. */
export const isRawRequest = (text: string): boolean =>
  /^\s{0,99}[A-Z]{3,10} \S+(?: HTTP\/|\s{0,9}\n)/u.test(text)

/**
 * Reads a raw request: a request line with `GET`, a `Host` where the target is a path, and headers. Left says what is
 * wrong with it, without a word of it.
 */
export const parseRawRequest = (text: string): Either<string, RawRequest> => {
  const [first = '', ...rest] = text.trim().split(/\r?\n/u)
  const [, method, target = ''] =
    /^([A-Z]{3,10}) (\S{1,4096})(?: HTTP\/[\d.]{1,3})?$/u.exec(first.trimEnd()) ?? []
  if (method === undefined) return left('a request as a browser copies it, with its first line')
  if (method !== 'GET') return left('a request with the method GET')
  const blank = rest.findIndex(line => line.trim() === '')
  if (blank >= 0 && rest.slice(blank).some(line => line.trim() !== ''))
    return left('a request without a body')
  const headers = new Map<string, string>()
  for (const line of blank < 0 ? rest : rest.slice(0, blank)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/u.test(name) || !/^[\t\u0020-\u007e\u0080-\u00ff]*$/u.test(value))
      return left('a header in each line, as `Name: value`')
    if (headers.has(name)) return left('each header once')
    headers.set(name, value)
  }
  const host = headers.get('host')
  const url = target.startsWith('/') ? (host === undefined ? null : `https://${host}${target}`) : target
  if (url === null) return left('a header `Host`, since the target is a path')
  if (!URL.canParse(url)) return left('an address of a host')
  return right({ url, headers: Object.fromEntries([...headers].filter(([name]) => !isOurs(name))) })
}

/** Headers of the connection, of the body and of the coding, which this host writes itself. */
const ours: ReadonlySet<string> = new Set([
  ...[
    'host',
    'connection',
    'content-length',
    'content-type',
    'transfer-encoding',
    'accept-encoding',
    'te',
    'trailer',
  ],
  ...[
    'upgrade',
    'keep-alive',
    'expect',
    'range',
    'if-none-match',
    'if-modified-since',
    'if-range',
    '__proto__',
  ],
])

const isOurs = (name: string): boolean => ours.has(name) || name.startsWith('proxy-')
