import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { makeAuthority, makeCertificate } from '#test/scenario/namespaces/certificates.js'
import {
  type MapServer,
  mapHost,
  networkTo,
  publicAddress,
  startMapServer,
} from '#test/support/hostile/map-server.js'
import { temporaryFolder } from '#test/support/repository.js'
import {
  type GuardedAnswer,
  type GuardedPorts,
  type HostAddress,
  isPublicAddress,
  openGuardedFetch,
} from './guarded-fetch.js'

const loopback: HostAddress = { address: '127.0.0.1', family: 4 }

describe('an address of the public internet', () => {
  const rows: ReadonlyArray<readonly [isPublic: boolean, addresses: ReadonlyArray<string>]> = [
    [true, ['93.184.215.14', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1']],
    [false, ['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255']],
    [false, ['192.168.0.1', '169.254.169.254', '100.64.0.1', '100.127.255.255', '198.18.0.1']],
    [false, ['192.0.0.1', '192.0.2.1', '192.88.99.1', '198.51.100.1', '203.0.113.1']],
    [false, ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255']],
    [false, ['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1']],
    [false, ['64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1']],
    [
      false,
      ['fe80::1', 'fe80::1%lo', '2606:4700::1%lo', 'fec0::1', 'fc00::1', 'fd00::1', 'ff02::1', '5f00::1'],
    ],
    [false, ['', 'localhost', '127.1', '0x7f.1', '2130706433', '1.2.3.4.5', '8.8.8.8 ']],
  ]
  for (const [isPublic, addresses] of rows)
    for (const address of addresses)
      it(`${isPublic ? 'is' : 'is not'} ${address === '' ? 'an empty text' : address}`, () =>
        equal(isPublicAddress(address), isPublic))
})

describe('a guarded fetch', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let tls: { readonly key: Buffer; readonly cert: Buffer }
  let ca: Buffer
  let server: MapServer
  let looked: Array<string>
  let connections: Array<ReadonlyArray<HostAddress>>
  before(() => {
    folder = temporaryFolder()
    const authority = makeAuthority(folder.path)
    const { certificate, key } = makeCertificate(folder.path, authority, mapHost)
    tls = { key: readFileSync(key), cert: readFileSync(certificate) }
    ca = readFileSync(authority.certificate)
  })
  after(() => folder.dispose())
  beforeEach(async () => {
    looked = []
    connections = []
    server = await startMapServer(tls)
  })
  afterEach(() => server.close())

  const addresses: Readonly<Record<string, ReadonlyArray<HostAddress>>> = {
    'rebind.example': [publicAddress, loopback],
    'private.example': [{ address: '10.0.0.7', family: 4 }],
    'mapped.example': [{ address: '::ffff:127.0.0.1', family: 6 }],
    'nowhere.example': [],
  }
  const ports = (): GuardedPorts =>
    networkTo(
      () => server,
      ca,
      host => {
        looked.push(host)
        return addresses[host] ?? [publicAddress]
      },
      found => void connections.push(found),
    )
  const hosts = new Set([mapHost, ...Object.keys(addresses)])
  const fetchWith = (given: GuardedPorts, url: string, timeoutMs = 5_000): Promise<GuardedAnswer> =>
    openGuardedFetch(given)(
      { url, hosts, headers: { range: 'bytes=0-99' }, timeoutMs, bytesMax: 1_000 },
      new AbortController().signal,
    )
  const fetched = (url: string, timeoutMs?: number) => fetchWith(ports(), url, timeoutMs)
  const reasonOf = (answer: GuardedAnswer) => (answer._tag === 'NoAnswer' ? answer.reason : answer.status)

  it('answers with the bytes, over one look-up, connected to what was looked up', async () => {
    const answer = await fetched(`https://${mapHost}/good.png`)
    deepEqual(answer._tag === 'Answer' && [answer.status, answer.bytes.length], [206, 100])
    deepEqual([looked, connections], [[mapHost], [[publicAddress]]])
  })

  const unlisted = [
    ...['127.0.0.1', '127.1', '0x7f.1', '017700000001', '2130706433', '0', '[::]', '[::1]'],
    ...['[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fe80::1]', '[fd00::1]', '10.0.0.1'],
    ...['172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '198.18.0.1', '224.0.0.1'],
    ...['255.255.255.255', '１２７.０.０.１', 'localhost', 'localhost.', 'metadata.google.internal'],
    ...[`${mapHost}.evil`, `evil${mapHost}`, `${mapHost}@evil.example`, `${mapHost}.`, `maps\t.example.evil`],
  ]
  for (const host of unlisted)
    it(`looks nothing up for https://${JSON.stringify(host)}, which is not listed`, async () => {
      equal(reasonOf(await fetched(`https://${host}/`)), 'host')
      deepEqual(looked, [])
    })

  const otherUrls = [
    ...[`http://${mapHost}/`, `file:///etc/passwd`, `gopher://${mapHost}/`, 'data:image/png;base64,AA=='],
    ...[`ftp://${mapHost}/`, `https://${mapHost}:22/`, `https://${mapHost}:0/`, `https://${mapHost}:8443/`],
    ...[`https://a@${mapHost}/`, `https://a:b@${mapHost}/`, `//${mapHost}/`, '/good.png', '', 'https://'],
  ]
  for (const url of otherUrls)
    it(`looks nothing up for ${JSON.stringify(url)}`, async () => {
      equal(reasonOf(await fetched(url)), 'host')
      deepEqual(looked, [])
    })

  for (const host of ['rebind.example', 'private.example', 'mapped.example'])
    it(`connects to nothing where ${host} leads to a machine that is not public`, async () => {
      equal(reasonOf(await fetched(`https://${host}/`)), 'address')
      deepEqual([looked, connections], [[host], []])
    })

  it('connects to the checked address although the name leads to loopback by then', async () => {
    let count = 0
    const rebinding: GuardedPorts = {
      ...ports(),
      resolve: () => Promise.resolve([(count += 1) === 1 ? publicAddress : loopback]),
    }
    equal(reasonOf(await fetchWith(rebinding, `https://${mapHost}/good.png`)), 206)
    deepEqual([count, connections], [1, [[publicAddress]]])
    equal(reasonOf(await fetchWith(rebinding, `https://${mapHost}/good.png`)), 'address')
  })

  it('refuses an answer under the certificate of another host', async () => {
    const other = new Set(['other.example'])
    const answer = await openGuardedFetch(ports())(
      { url: 'https://other.example/', hosts: other, headers: {}, timeoutMs: 5_000, bytesMax: 10 },
      new AbortController().signal,
    )
    equal(reasonOf(answer), 'tls')
  })

  it('follows five redirects, and no sixth', async () => {
    equal(reasonOf(await fetched(`https://${mapHost}/hops/5`)), 206)
    equal(looked.length, 6)
    equal(reasonOf(await fetched(`https://${mapHost}/hops/6`)), 'redirects')
    equal(reasonOf(await fetched(`https://${mapHost}/to/itself`)), 'redirects')
    equal(looked.length, 18)
  })

  const hops: ReadonlyArray<readonly [to: string, reason: string]> = [
    ...(['loopback', 'other', 'http', 'port', 'credentials'] as const).map(to => [to, 'host'] as const),
    ['rebind', 'address'],
  ]
  for (const [to, reason] of hops)
    it(`checks each hop: a redirect to ${to} is refused`, async () => {
      equal(reasonOf(await fetched(`https://${mapHost}/to/${to}`)), reason)
      deepEqual(server.asked, [`/to/${to}`])
    })

  const ends: ReadonlyArray<readonly [path: string, reason: string | number]> = [
    ['/drip.png', 'timeout'],
    ['/silent.png', 'timeout'],
    ['/lying.png', 'unreachable'],
    ['/cut', 'unreachable'],
    ['/head', 'malformed'],
    ['/packed.png', 'malformed'],
    ['/gone.png', 404],
  ]
  for (const [path, reason] of ends)
    it(`ends within its limits at ${path}`, async () => {
      // A fetch that does not end fails by the limit of the test runner.
      equal(reasonOf(await fetched(`https://${mapHost}${path}`, 700)), reason)
    })

  it('cuts off a body that has no end', async () => {
    const answer = await fetched(`https://${mapHost}/pours.png`)
    equal(answer._tag === 'Answer' && answer.bytes.length, 1_000)
  })

  it('gives up on a name that does not resolve in time, is unknown or has no address', async () => {
    const never: GuardedPorts = { ...ports(), resolve: () => new Promise(() => undefined) }
    equal(reasonOf(await fetchWith(never, `https://${mapHost}/`, 50)), 'not_sent')
    const unknown: GuardedPorts = {
      ...ports(),
      resolve: () => Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })),
    }
    equal(reasonOf(await fetchWith(unknown, `https://${mapHost}/`)), 'unreachable')
    equal(reasonOf(await fetched('https://nowhere.example/')), 'unreachable')
  })

  it('ends at once where its signal aborts', async () => {
    const stop = new AbortController()
    const request = {
      url: `https://${mapHost}/silent.png`,
      hosts,
      headers: {},
      timeoutMs: 60_000,
      bytesMax: 10,
    }
    const answer = openGuardedFetch(ports())(request, stop.signal)
    setTimeout(() => stop.abort(), 100)
    equal((await answer)._tag, 'NoAnswer')
  })
})
