import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, SocketAddress } from 'node:net'

/**
 * The proxies of the configuration: addresses, or subnets such as `10.0.0.0/8`. Ignores an entry that is
 * neither.
 */
export const trustProxies = (entries: ReadonlyArray<string>): IsTrusted => {
  const list = new BlockList()
  for (const entry of entries) {
    const [text = '', prefix] = entry.split('/')
    const address = addressOf(text)
    const bits = Number(prefix ?? Number.NaN)
    if (address === null) continue
    if (prefix === undefined) list.addAddress(address, familyOf(address))
    else if (/^\d{1,3}$/.test(prefix) && bits <= (isIP(address) === 4 ? 32 : 128))
      list.addSubnet(address, bits, familyOf(address))
  }
  return address => list.check(address, familyOf(address))
}

/**
 * The address of the client. Reads `X-Forwarded-For` from the right, past trusted proxies, and only where the
 * peer is one: any other client can write what it likes there. At an unreadable hop, the client is the last
 * readable one before it.
 */
export const clientAddress = (
  peer: string | undefined,
  forwarded: string | undefined,
  isTrusted: IsTrusted,
): string => {
  let client = addressOf(peer ?? '') ?? 'unknown'
  if (client === 'unknown') return client
  const hops = forwarded === undefined ? [] : forwarded.split(',').slice(-hopsMax).reverse()
  for (const hop of hops) {
    const next = isTrusted(client) ? addressOf(hop.trim()) : null
    if (next === null) return client
    client = next
  }
  return client
}

/** The first 64 bits of an IPv6 address, which is what one customer gets; an IPv4 address unchanged. */
export const networkOf = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`
}

/** The network of a client, by which the public sign-in rows are limited. It is not written anywhere. */
export type ClientNetwork = (req: IncomingMessage) => string

/**
 * Determines the network from the peer, or from `X-Forwarded-For` where the peer is one of these proxies
 * (ADR 1021).
 */
export const clientNetworkBehind = (proxies: ReadonlyArray<string>): ClientNetwork => {
  const isTrusted = trustProxies(proxies)
  return req => networkOf(clientAddress(req.socket.remoteAddress, forwardedOf(req), isTrusted))
}

/** Whether an address is a trusted proxy, whose `X-Forwarded-For` counts. */
type IsTrusted = (address: string) => boolean

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * Normalizes an address for comparison: no zone, no brackets, no port, IPv4 as such. Null for what is not an
 * address.
 */
const addressOf = (text: string): string | null => {
  const [, inner] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? []
  const bare = inner ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1')
  const [address = ''] = bare.split('%')
  if (isIP(address) === 0) return null
  const canonical = new SocketAddress({ address, family: familyOf(address) }).address
  return mapped.exec(canonical)?.[1] ?? canonical
}

const hopsMax = 32

const forwardedOf = ({ headers }: IncomingMessage): string | undefined => {
  const value = headers['x-forwarded-for']
  return typeof value === 'string' ? value : value?.join(',')
}
