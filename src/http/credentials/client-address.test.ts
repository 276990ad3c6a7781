import { equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { clientAddress, networkOf, trustProxies } from './client-address.js'

const proxies = trustProxies(['127.0.0.1', '10.0.0.0/8', '2001:db8:ff::/48', 'no address', '10.0.0.1/99'])

interface Case {
  readonly id: string
  readonly peer: string | undefined
  readonly forwarded: string | undefined
  readonly client: string
}

const cases: ReadonlyArray<Case> = [
  { id: 'a stranger is its own address', peer: '198.51.100.7', forwarded: undefined, client: '198.51.100.7' },
  {
    id: 'a stranger names nobody else',
    peer: '198.51.100.7',
    forwarded: '203.0.113.1',
    client: '198.51.100.7',
  },
  { id: 'a proxy names its client', peer: '127.0.0.1', forwarded: '203.0.113.1', client: '203.0.113.1' },
  {
    id: 'a proxy without the header is the client',
    peer: '127.0.0.1',
    forwarded: undefined,
    client: '127.0.0.1',
  },
  {
    id: 'what the client wrote itself stands left of what the proxy added',
    peer: '127.0.0.1',
    forwarded: '1.1.1.1, 203.0.113.1',
    client: '203.0.113.1',
  },
  {
    id: 'trusted proxies in a row are passed from the right',
    peer: '127.0.0.1',
    forwarded: '1.1.1.1, 203.0.113.1, 10.1.2.3,10.9.9.9',
    client: '203.0.113.1',
  },
  {
    id: 'proxies alone: the leftmost',
    peer: '127.0.0.1',
    forwarded: '10.0.0.1, 10.0.0.2',
    client: '10.0.0.1',
  },
  {
    id: 'a hop that is no address ends the walk',
    peer: '127.0.0.1',
    forwarded: '1.1.1.1, x',
    client: '127.0.0.1',
  },
  { id: 'an empty header', peer: '127.0.0.1', forwarded: '', client: '127.0.0.1' },
  { id: 'IPv4 in an IPv6 socket', peer: '::ffff:127.0.0.1', forwarded: '203.0.113.1', client: '203.0.113.1' },
  { id: 'a port', peer: '127.0.0.1', forwarded: '203.0.113.1:4711', client: '203.0.113.1' },
  { id: 'brackets and a port', peer: '127.0.0.1', forwarded: '[2001:DB8::1]:80', client: '2001:db8::1' },
  { id: 'a zone', peer: 'fe80::1%eth0', forwarded: undefined, client: 'fe80::1' },
  { id: 'a subnet of IPv6', peer: '2001:db8:ff::9', forwarded: '203.0.113.1', client: '203.0.113.1' },
  {
    id: 'an octal look-alike is no address',
    peer: '127.0.0.1',
    forwarded: '0177.0.0.1',
    client: '127.0.0.1',
  },
  { id: 'no peer', peer: undefined, forwarded: '203.0.113.1', client: 'unknown' },
]

describe('the address of a client', () => {
  for (const { id, peer, forwarded, client } of cases)
    it(id, () => equal(clientAddress(peer, forwarded, proxies), client))

  it('trusts nobody where nobody is configured', () => {
    equal(clientAddress('127.0.0.1', '203.0.113.1', trustProxies([])), '127.0.0.1')
  })

  it('cannot be chosen by a client behind a proxy, whatever it sends', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), sent => {
        equal(clientAddress('127.0.0.1', `${sent}, 203.0.113.1`, proxies), '203.0.113.1')
      }),
    )
  })
})

describe('the network of a client', () => {
  it('is the address of IPv4 and the first 64 bits of IPv6, however they are written', () => {
    equal(networkOf('203.0.113.1'), '203.0.113.1')
    equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64')
    equal(networkOf('2001:db8:0:0:ffff:1:2:3'), '2001:db8:0:0::/64')
    equal(networkOf('::1'), '0:0:0:0::/64')
    equal(networkOf('2001:db8:1::'), '2001:db8:1:0::/64')
  })

  it('is one for every address of a /64 and another beyond it', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map(one => one.toString(16))
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), group, (groups, other) => {
        const address = (parts: ReadonlyArray<string>): string =>
          clientAddress(parts.join(':'), undefined, proxies)
        const here = networkOf(address(groups))
        equal(networkOf(address([...groups.slice(0, 4), other, '1', '2', '3'])), here)
        const [first = '0'] = groups
        ok(first === other || networkOf(address([other, ...groups.slice(1)])) !== here)
      }),
    )
  })
})
