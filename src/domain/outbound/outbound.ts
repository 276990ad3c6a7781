import type { OutboundFailure } from '#protocol/host/outbound.js'

/**
 * Names the failure of a connection by the error codes of its attempts: one for each address of the host. One
 * attempt that reached the other side says more than another that did not leave.
 */
export const failureOfCodes = (codes: ReadonlyArray<string>): OutboundFailure => {
  if (codes.length > 0 && codes.every(code => ownCodes.has(code))) return 'not_sent'
  if (codes.some(isTls)) return 'tls'
  if (codes.includes('ECONNREFUSED')) return 'refused'
  if (codes.includes('ETIMEDOUT')) return 'timeout'
  return codes.some(code => code.startsWith('HPE_')) ? 'malformed' : 'unreachable'
}

/**
 * The label of a status: itself where it is a common one, else its class, such as `4xx`. A server may answer any number
 * of three digits.
 */
export const labelCode = (status: number): string => {
  if (labelled.has(status)) return String(status)
  const first = Math.floor(status / 100)
  return first >= 1 && first <= 5 ? `${first}xx` : 'other'
}

/** Seconds as milliseconds, rounded up, at most `waitMsMax`; null when they are negative or not finite. */
export const secondsToWaitMs = (seconds: number): number | null =>
  Number.isFinite(seconds) && seconds >= 0 ? Math.min(waitMsMax, Math.ceil(seconds * 1000)) : null

/**
 * Reads an unsigned decimal of at most 15 digits before and after its point, with spaces around it. Null for
 * any other text and for an absent header.
 */
export const readDecimal = (text: string | undefined): number | null =>
  text !== undefined && /^ *\d{1,15}(\.\d{1,15})? *$/.test(text) ? Number(text) : null

/**
 * `Retry-After` as a wait in milliseconds: whole or fractional seconds, or a date (RFC 9110 10.2.3); null
 * when it cannot be parsed. `nowMs` is wall time.
 */
export const retryAfterMs = (text: string | undefined, nowMs: number): number | null => {
  if (text === undefined) return null
  const seconds = readDecimal(text)
  if (seconds !== null) return secondsToWaitMs(seconds)
  // Without a letter it is no date: `Date.parse` would read `-1` and `1,5` as dates.
  return /[a-z]/i.test(text) ? untilDateMs(text, nowMs) : null
}

/**
 * The wait after a 429 that states no wait: 2 s · 2^attempt, a minute at most. `attempt` counts from 0.
 */
export const defaultWaitMs = (attempt: number): number => Math.min(60_000, 2_000 * 2 ** Math.min(attempt, 5))

/**
 * Parses a configured address if requests to it are safe: over TLS, or on this machine. Null for any other,
 * because its answers are trusted, and requests to it may carry a credential.
 */
export const safeAddress = (url: string): URL | null => {
  if (!URL.canParse(url)) return null
  const address = new URL(url)
  const isSafe =
    address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(address.hostname))
  return isSafe ? address : null
}

/**
 * Parses an address of a source that is not trusted, such as a row of the lore, if its host is listed: over TLS on the
 * ordinary port, without credentials. Null for any other. `base` resolves the target of a redirect. `allowsPlain` also
 * takes `http:`, but never as the target of a redirect from `https:`. Which machine the name leads to is checked where
 * it is resolved.
 */
export const listedAddress = (
  url: string,
  hosts: ReadonlySet<string>,
  base?: URL,
  allowsPlain = false,
): URL | null => {
  if (!URL.canParse(url, base?.href)) return null
  const address = new URL(url, base)
  const { protocol, hostname, port, username, password } = address
  const isPlain = protocol === 'http:' && allowsPlain && base?.protocol !== 'https:'
  const isListed =
    (protocol === 'https:' || isPlain) && hosts.has(hostname) && `${port}${username}${password}` === ''
  return isListed ? address : null
}

/**
 * The base URL of an interface, without a slash at its end. Null where the address is not safe, or where it has
 * a password, a query or a fragment, to which no path can be appended.
 */
export const safeBase = (url: string): string | null => {
  const address = safeAddress(url)
  if (address === null || `${address.username}${address.password}${address.search}${address.hash}` !== '')
    return null
  return `${address.origin}${address.pathname.replace(/(?<!\/)\/+$/, '')}`
}

/**
 * Whether the text of an answer is a web page, as of a proxy, a firewall or a sign-in page: an interface that speaks
 * JSON sends none.
 */
export const isWebPage = (text: string): boolean =>
  /^\ufeff?\s*<(?:!doctype|!--|html|head|body|\?xml)/i.test(text)

/**
 * Errors of this host: its name service does not answer, it has no descriptor, port, memory or network left, or
 * its own firewall forbids the call. `ENOTFOUND` is none of them, because a name server answered.
 */
const ownCodes: ReadonlySet<string> = new Set([
  ...['EAI_AGAIN', 'EAI_FAIL', 'EAI_MEMORY', 'EAI_SYSTEM', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'],
  ...['EADDRNOTAVAIL', 'ENETDOWN', 'ENETUNREACH', 'EACCES', 'EPERM', 'ECANCELED'],
])

/** How the codes of OpenSSL and of Node's own checks of a certificate begin. */
const tlsPrefixes = [
  ...['ERR_TLS_', 'ERR_SSL_', 'CERT_', 'CRL_', 'ERROR_IN_C', 'UNABLE_TO_', 'SELF_SIGNED_', 'DEPTH_ZERO_'],
  ...['INVALID_', 'PATH_LENGTH_', 'HOSTNAME_MISMATCH', 'OUT_OF_MEM'],
]

/** EPROTO is an answer that is no TLS. */
const isTls = (code: string): boolean =>
  code === 'EPROTO' || tlsPrefixes.some(prefix => code.startsWith(prefix))

const labelled: ReadonlySet<number> = new Set([
  200, 201, 202, 204, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415,
  422, 429, 500, 502, 503, 504,
])

/** The longest wait, a day. A longer one counts as a day. */
const waitMsMax = 86_400_000

/** The wait until a date in any form that `Date.parse` reads; 0 when it is past. */
const untilDateMs = (text: string, nowMs: number): number | null => {
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? null : secondsToWaitMs(Math.max(0, atMs - nowMs) / 1000)
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
