import { BlockList, isIP, SocketAddress } from 'node:net'

/** Whether an address is one of the proxies whose word counts. */
export type IsTrusted = (address: string) => boolean

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** An address in the one form that is compared: no zone, no brackets, no port, IPv4 as such. Null: it is none. */
const addressOf = (text: string): string | null => {
  const [, inner] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? []
  const bare = inner ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1')
  const [address = ''] = bare.split('%')
  if (isIP(address) === 0) return null
  const canonical = new SocketAddress({ address, family: familyOf(address) }).address
  return mapped.exec(canonical)?.[1] ?? canonical
}

/** The proxies of the configuration: addresses, or subnets such as `10.0.0.0/8`. What is neither is nobody. */
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

const hopsMax = 32

/**
 * The address that a request comes from. `X-Forwarded-For` is read from the right, past proxies that are trusted, and
 * only where the peer is one: anybody else can write what they like there. Where it cannot be read, the last hop that
 * could is the client.
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

/** The first 64 bits of an IPv6 address, which is what one customer has; an IPv4 address as it is. */
export const networkOf = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`
}
