import { lookup } from 'node:dns/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectOverTls } from 'node:tls'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { GuardedFailure } from '#protocol/host/outbound.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'
import { failureOfCodes, listedAddress } from '#src/domain/outbound/outbound.js'
import { codesOf, exchange } from './exchange.js'

export interface GuardedRequest {
  /** From a source that is not trusted. */
  readonly url: string
  /** The hosts that may be asked, in lower case. */
  readonly hosts: ReadonlySet<string>
  readonly headers: Readonly<Record<string, string>>
  /** From the first look-up to the last byte, over all redirects. */
  readonly timeoutMs: number
  /** A longer body is cut off here. */
  readonly bytesMax: number
  /** A longer body is `too_large` instead, so that an answer has all of it. */
  readonly isWhole?: true
  /** Takes `http:` too, but never after `https:`. */
  readonly allowsPlain?: true
  /** Sent to the host of `url` alone, over its protocol: a redirect elsewhere has none of them. */
  readonly ownHeaders?: Readonly<Record<string, string>>
}

export type GuardedAnswer =
  | {
      readonly _tag: 'Answer'
      readonly status: number
      /** The host that answered, after the redirects. */
      readonly host: string
      readonly headers: IncomingHttpHeaders
      /** Of an answer 200 or 206; that of any other is empty. */
      readonly bytes: Buffer
    }
  | { readonly _tag: 'NoAnswer'; readonly reason: GuardedFailure }

/** Fetches an address that is not trusted. Never rejects, and ends within its limits. */
export type GuardedFetch = (request: GuardedRequest, signal: AbortSignal) => Promise<GuardedAnswer>

/** An address of a host. */
export interface HostAddress {
  readonly address: string
  readonly family: number
}

/** What a guarded fetch asks of the network. */
export interface GuardedPorts {
  /** All addresses of a host, by one look-up. Rejects where it has none. */
  readonly resolve: (host: string) => Promise<ReadonlyArray<HostAddress>>
  /** Opens TLS, or a plain connection, to one of the addresses, in the name of the host. Looks nothing up. */
  readonly connect: (host: string, addresses: ReadonlyArray<HostAddress>, isTls: boolean) => Socket
}

/**
 * The fetch for every address that the lore or a caller supplies: of listed hosts alone, over https unless `http:` is
 * allowed. It follows up to five redirects and checks each as it checks the first address. It looks a name up once,
 * refuses it unless all its addresses are of the public internet, and connects to one of these, so that no second
 * look-up can lead elsewhere.
 */
export const openGuardedFetch =
  (ports: GuardedPorts = network): GuardedFetch =>
  async (request, signal) => {
    const untilMs = performance.now() + request.timeoutMs
    const { allowsPlain } = request
    const first = listedAddress(request.url, request.hosts, undefined, allowsPlain)
    let address = first
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      if (address === null) return blockFetch('host')
      const isOwn = address.origin === first?.origin
      const headers = isOwn ? { ...request.headers, ...request.ownHeaders } : request.headers
      const answer = await fetchOnce(
        ports,
        address,
        { ...request, headers },
        untilMs - performance.now(),
        signal,
      )
      const target = redirectOf(answer)
      if (target === null) return answer
      address = listedAddress(target, request.hosts, address, allowsPlain)
    }
    return blockFetch('redirects')
  }

/** Whether an address is of the public internet: not of this machine, its networks, a group or another range's form. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !reserved.check(address, 'ipv4')
  return (
    family === 6 &&
    !address.includes('%') &&
    globalUnicast.check(address, 'ipv6') &&
    !reserved.check(address, 'ipv6')
  )
}

const redirectsMax = 5
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The ranges that IANA reserves; an address of IPv6 is also none outside `globalUnicast`, such as a mapped one. */
const reservedRanges: ReadonlyArray<readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6']> = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
]

const reserved = new BlockList()
for (const range of reservedRanges) reserved.addSubnet(...range)
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

const network: GuardedPorts = {
  resolve: host => lookup(host, { all: true }),
  connect: (host, addresses, isTls) =>
    isTls
      ? connectOverTls({
          host,
          port: 443,
          ALPNProtocols: ['http/1.1'],
          lookup: answerWith(addresses),
          ...(isIP(host) === 0 ? { servername: host } : {}),
        })
      : connectPlain({ host, port: 80, lookup: answerWith(addresses) }),
}

/** A look-up that knows its answer. */
const answerWith =
  (addresses: ReadonlyArray<HostAddress>): LookupFunction =>
  (host, { all }, callback) => {
    const [first] = addresses
    if (all === true) callback(null, [...addresses])
    else if (first !== undefined) callback(null, first.address, first.family)
    else callback(new Error(`${host} has no address`), '')
  }

const blockFetch = (reason: 'host' | 'address' | 'redirects'): GuardedAnswer => {
  processMeter.count('svc_outbound_blocked_total', { reason: reason === 'redirects' ? 'redirect' : reason })
  return { _tag: 'NoAnswer', reason }
}

const redirectOf = (answer: GuardedAnswer): string | null =>
  answer._tag === 'Answer' && redirectStatuses.has(answer.status) ? (answer.headers.location ?? null) : null

/** Looks the host of an address up and sends one request to what was found and checked. */
const fetchOnce = async (
  ports: GuardedPorts,
  address: URL,
  { headers, bytesMax, isWhole }: GuardedRequest,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<GuardedAnswer> => {
  const beganMs = performance.now()
  const host = address.hostname.replace(/^\[|\]$/g, '')
  const found = await resolveWithin(ports.resolve, host, timeoutMs, signal)
  if (isLeft(found)) return { _tag: 'NoAnswer', reason: found.left }
  if (!found.right.every(one => isPublicAddress(one.address))) return blockFetch('address')
  const answer = await exchange(
    address,
    {
      method: 'GET',
      headers,
      body: null,
      connect: () => ports.connect(host, found.right, address.protocol === 'https:'),
    },
    {
      timeoutMs: timeoutMs - (performance.now() - beganMs),
      bytesMax,
      ...(isWhole === true ? {} : { cutsBody: true as const }),
      readsBody: status => status === 200 || status === 206,
    },
    signal,
  )
  if (answer._tag === 'NoAnswer') return answer
  return isLeft(answer.body)
    ? { _tag: 'NoAnswer', reason: answer.body.left }
    : { _tag: 'Answer', host, status: answer.status, headers: answer.headers, bytes: answer.body.right }
}

/** Resolves a host; a look-up that does not end in time, or has no result, was never sent to the host. */
const resolveWithin = (
  resolve: GuardedPorts['resolve'],
  host: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Either<GuardedFailure, ReadonlyArray<HostAddress>>> =>
  new Promise(settle => {
    const end = (found: Either<GuardedFailure, ReadonlyArray<HostAddress>>): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      settle(found)
    }
    const giveUp = (): void => end(left('not_sent'))
    const timer = setTimeout(giveUp, Math.max(0, timeoutMs))
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    else
      resolve(host).then(
        addresses => end(addresses.length === 0 ? left('unreachable') : right(addresses)),
        (error: unknown) => end(left(failureOfCodes(codesOf(error)))),
      )
  })
