import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTls } from 'node:https'
import { type AddressInfo, connect as connectPlain } from 'node:net'
import { connect as connectOverTls } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { after, before, beforeEach, describe, it } from 'mocha'
import {
  type GuardedPorts,
  type HostAddress,
  openGuardedFetch,
} from '#src/adapters/outbound/guarded-fetch.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { parseTranscript } from '#src/domain/transcripts/parse.js'
import { takeLogBy } from '#src/node/archive/log-fetching.js'
import { makeAuthority, makeCertificate } from '#test/scenario/namespaces/certificates.js'
import { publicAddress } from '#test/support/hostile/map-server.js'
import { noMeter } from '#test/support/no-meter.js'
import { temporaryFolder } from '#test/support/repository.js'
import { hostConfig } from '#test/support/world.js'

const host = 'logi.example'
const other = 'notatki.example'
const good = '[20:15] [Lokalny] Orrin: Dobry wieczór.\n'
const loopback: HostAddress = { address: '127.0.0.1', family: 4 }

/** SECURITY 4.5, the inputs of a fetch of a caller's address: `id | input | answer`. No request leaves for the first 36. */
const refusedBefore: ReadonlyArray<readonly [id: string, input: string, answer: string]> = [
  ['4.5.1', 'http://127.0.0.1/', 'host'],
  ['4.5.2', 'http://127.1/', 'host'],
  ['4.5.3', 'http://0x7f.1/', 'host'],
  ['4.5.4', 'http://017700000001/', 'host'],
  ['4.5.5', 'http://2130706433/', 'host'],
  ['4.5.6', 'http://0/', 'host'],
  ['4.5.7', 'http://[::]/', 'host'],
  ['4.5.8', 'http://[::1]/', 'host'],
  ['4.5.9', 'http://[::ffff:127.0.0.1]/', 'host'],
  ['4.5.10', 'http://[64:ff9b::7f00:1]/', 'host'],
  ['4.5.11', 'http://[2002:7f00:1::]/', 'host'],
  ['4.5.12', 'http://[fe80::1]/', 'host'],
  ['4.5.13', 'http://[fd00::1]/', 'host'],
  ['4.5.14', 'http://10.0.0.1/', 'host'],
  ['4.5.15', 'http://172.16.0.1/', 'host'],
  ['4.5.16', 'http://192.168.0.1/', 'host'],
  ['4.5.17', 'http://169.254.169.254/latest/meta-data/', 'host'],
  ['4.5.18', 'http://100.64.0.1/', 'host'],
  ['4.5.19', 'http://198.18.0.1/', 'host'],
  ['4.5.20', 'http://224.0.0.1/', 'host'],
  ['4.5.21', 'http://255.255.255.255/', 'host'],
  ['4.5.22', 'http://１２７.０.０.１/', 'host'],
  ['4.5.23', 'http://localhost/', 'host'],
  ['4.5.24', 'http://localhost./', 'host'],
  ['4.5.25', 'http://metadata.google.internal/', 'host'],
  ['4.5.26', `https://${host}.evil/`, 'host'],
  ['4.5.27', `https://evil${host}/`, 'host'],
  ['4.5.28', `https://${host}@evil.example/`, 'host'],
  ['4.5.29', 'https://logi\t.evil.example/', 'host'],
  ['4.5.30', `https://${host}./`, 'host'],
  ['4.5.31', 'file:///etc/passwd', 'host'],
  ['4.5.32', `gopher://${host}/`, 'host'],
  ['4.5.33', 'data:text/plain,a', 'host'],
  ['4.5.34', `ftp://${host}/`, 'host'],
  ['4.5.35', `https://${host}:22/`, 'host'],
  ['4.5.36', `https://${host}:0/`, 'host'],
]

/** What is asked, and what each has for an answer; `taken` is the text of the transcript. */
const asked: ReadonlyArray<readonly [id: string, input: string, answer: string]> = [
  ['4.5.37', `https://${host}/hops/5`, 'taken'],
  ['4.5.37a', `https://${host}/hops/6`, 'redirects'],
  ['4.5.38', `https://${host}/to/private`, 'address'],
  ['4.5.39', `https://${host}/to/http`, 'host'],
  ['4.5.39a', `http://${host}/to/https`, 'taken'],
  ['4.5.39b', `http://${host}/good`, 'taken'],
  ['4.5.40', `https://${host}/to/listed`, 'taken'],
  ['4.5.40a', `https://${host}/to/unlisted`, 'host'],
  ['4.5.41', `https://${host}/to/itself`, 'redirects'],
  ['4.5.42', `https://${host}/to/credentials`, 'host'],
  ['4.5.43', 'https://rebind.example/good', 'address'],
  ['4.5.44', 'https://mixed.example/good', 'address'],
  ['4.5.45', `https://${host}/drip`, 'timeout'],
  ['4.5.46', `https://${host}/pours`, 'too_large'],
  ['4.5.47', `https://${host}/bomb`, 'malformed'],
  ['4.5.48', `https://${host}/chunks`, 'unreachable'],
]

describe('SECURITY 4.5 addresses of transcripts', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let ca: Buffer
  let close: () => Promise<void>
  let ports: { readonly tls: number; readonly plain: number }
  let looked = 0
  let seen: Array<{ readonly host: string; readonly path: string; readonly cookie: string | undefined }> = []

  const redirect = (res: ServerResponse, location: string): void => {
    res.writeHead(302, { location })
    res.end()
  }
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    const path = req.url ?? ''
    seen.push({ host: req.headers.host ?? '', path, cookie: req.headers.cookie })
    res.on('error', () => undefined)
    const targets: Readonly<Record<string, string>> = {
      '/to/private': 'https://private.example/good',
      '/to/http': `http://${host}/good`,
      '/to/https': `https://${host}/good`,
      '/to/listed': `https://${other}/good`,
      '/to/unlisted': 'https://evil.example/good',
      '/to/itself': '/to/itself',
      '/to/credentials': `https://a:b@${host}/good`,
    }
    const target = targets[path]
    if (target !== undefined) return redirect(res, target)
    const hops = /^\/hops\/(\d)$/.exec(path)?.[1]
    if (hops !== undefined && hops !== '0') return redirect(res, `/hops/${Number(hops) - 1}`)
    if (path === '/drip') {
      res.writeHead(200, { 'content-type': 'text/plain' })
      const timer = setInterval(() => res.write('a'), 20)
      res.once('close', () => clearInterval(timer))
      return
    }
    if (path === '/pours') {
      res.writeHead(200, { 'content-type': 'text/plain' })
      const more = (): void => {
        while (!res.destroyed && res.write('a'.repeat(65_536)));
      }
      res.on('drain', more)
      return more()
    }
    if (path === '/bomb') {
      res.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
      res.end(gzipSync(Buffer.alloc(1_000_000)))
      return
    }
    if (path === '/chunks') {
      res.socket?.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n')
      return
    }
    res.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
    res.end(good)
  }

  before(async () => {
    folder = temporaryFolder()
    const authority = makeAuthority(folder.path)
    ca = readFileSync(authority.certificate)
    const made = makeCertificate(folder.path, authority, host)
    const also = makeCertificate(folder.path, authority, other)
    const contexts = new Map([
      [host, made],
      [other, also],
    ])
    const read = (name: string) => {
      const { certificate, key } = contexts.get(name) ?? made
      return { key: readFileSync(key), cert: readFileSync(certificate) }
    }
    const { createSecureContext } = await import('node:tls')
    const secure = createTls(
      { ...read(host), SNICallback: (name, done) => done(null, createSecureContext(read(name))) },
      serve,
    )
    const plain = createPlain(serve)
    for (const server of [secure, plain])
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const portOf = (address: AddressInfo | string | null): number =>
      typeof address === 'object' && address !== null ? address.port : 0
    ports = { tls: portOf(secure.address()), plain: portOf(plain.address()) }
    close = async () => {
      for (const server of [secure, plain]) {
        server.closeAllConnections()
        await new Promise(done => server.close(done))
      }
    }
  })
  after(async () => {
    await close()
    folder.dispose()
  })
  beforeEach(() => {
    looked = 0
    seen = []
  })

  const network: GuardedPorts = {
    resolve: name => {
      looked += 1
      const addresses: Readonly<Record<string, ReadonlyArray<HostAddress>>> = {
        'private.example': [{ address: '10.0.0.7', family: 4 }],
        'mixed.example': [publicAddress, loopback],
        'rebind.example': [loopback],
      }
      return Promise.resolve(addresses[name] ?? [publicAddress])
    },
    connect: (name, _addresses, isTls) =>
      isTls
        ? connectOverTls({ host: '127.0.0.1', port: ports.tls, servername: name, ca })
        : connectPlain({ host: '127.0.0.1', port: ports.plain }),
  }
  const config = hostConfig(
    JSON.stringify({
      integrations: {
        logs: {
          hosts: [host, other, 'private.example', 'mixed.example', 'rebind.example'],
          fetch_timeout_ms: 700,
        },
      },
      scrape: { max_payload_bytes: 1_000_000 },
    }),
  )
  const take = takeLogBy(
    {
      fetch: openGuardedFetch(network),
      read: () => Promise.resolve(null),
      parse: (bytes, name, address) => Promise.resolve(atOnce(parseTranscript(bytes, { name, address }))),
      meter: noMeter,
    },
    config,
  )
  const answerOf = async (address: string, headers: Readonly<Record<string, string>> | null = null) => {
    const taken = await take({ address, name: 'a', headers, archived: null }, new AbortController().signal)
    return taken._tag === 'Failed'
      ? taken.reason
      : taken._tag === 'Text' && taken.text === good
        ? 'taken'
        : taken._tag
  }

  it('has the 48 inputs', () =>
    equal(new Set([...refusedBefore, ...asked].map(([id]) => parseInt(id.slice(4)))).size, 48))

  for (const [id, input, answer] of refusedBefore)
    it(`${id} | ${JSON.stringify(input)} | ${answer}, and nothing is looked up`, async () => {
      equal(await answerOf(input), answer)
      deepEqual([looked, seen], [0, []])
    })

  for (const [id, input, answer] of asked)
    it(`${id} | ${input} | ${answer}`, async () => {
      equal(await answerOf(input), answer)
    })

  it('4.5 | headers of a raw request, and a redirect to another listed host | its host alone has them', async () => {
    equal(await answerOf(`https://${host}/to/listed`, { cookie: 'sid=canary' }), 'taken')
    deepEqual(
      seen.map(({ host: name, cookie }) => [name, cookie]),
      [
        [host, 'sid=canary'],
        [other, undefined],
      ],
    )
  })

  it('4.5 | headers of a raw request, and a redirect from http to https | the other protocol has none', async () => {
    equal(await answerOf(`http://${host}/to/https`, { cookie: 'sid=canary' }), 'taken')
    deepEqual(
      seen.map(({ cookie }) => cookie),
      ['sid=canary', undefined],
    )
  })
})
