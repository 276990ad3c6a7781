import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { connect as connectOverTls } from 'node:tls'
import type { GuardedPorts, HostAddress } from '#src/adapters/outbound/guarded-fetch.js'

/** The host of the certificate of a map server in tests. */
export const mapHost = 'maps.example'

/** An address that looks public; nothing is sent to it. */
export const publicAddress: HostAddress = { address: '93.184.215.14', family: 4 }

/** The head of a PNG, followed by zeros. */
export const png = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(600)
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1')
  bytes.writeUInt32BE(13, 8)
  bytes.write('IHDR', 12, 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

const segment = (marker: number, length: number): Buffer => {
  const bytes = Buffer.alloc(2 + length)
  bytes.writeUInt16BE(0xff00 + marker)
  bytes.writeUInt16BE(length, 2)
  return bytes
}

/** A JPEG whose size comes after segments of other data. */
export const jpeg = (width: number, height: number, others: number, othersBytes = 60_000): Buffer => {
  const frame = segment(0xc0, 17)
  frame.writeUInt8(8, 4)
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const before = Array.from({ length: others }, () => segment(0xe2, othersBytes))
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...before, frame, Buffer.alloc(200)])
}

const rangeOf = ({ headers }: IncomingMessage): readonly [from: number, to: number] => {
  const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  return [Number(from), Number(to)]
}

/** Answers a range of a picture as a good server does. */
const sendRange = (req: IncomingMessage, res: ServerResponse, whole: Buffer): void => {
  const [from, to] = rangeOf(req)
  const part = whole.subarray(from, to + 1)
  if (part.length === 0) {
    res.writeHead(416)
    res.end()
    return
  }
  const end = from + part.length - 1
  res.writeHead(206, { 'content-range': `bytes ${from}-${end}/${whole.length}`, 'content-type': 'image/png' })
  res.end(part)
}

const redirect = (res: ServerResponse, location: string): void => {
  res.writeHead(302, { location })
  res.end()
}

/** Writes a piece again and again until the connection ends. */
const drip = (res: ServerResponse, piece: Buffer, everyMs: number): void => {
  const timer = setInterval(() => res.write(piece), everyMs)
  res.once('close', () => clearInterval(timer))
}

const pour = (res: ServerResponse, piece: Buffer): void => {
  const more = (): void => {
    while (!res.destroyed && res.write(piece));
  }
  res.on('drain', more)
  more()
}

type Serve = (req: IncomingMessage, res: ServerResponse) => void

const junk = Buffer.alloc(65_536, 0x41)

/** What the server does at each path; a path that ends in `/<n>` is found by its beginning. */
const pages: Readonly<Record<string, Serve>> = {
  '/good.png': (req, res) => sendRange(req, res, png(3072, 2048)),
  '/odd.png': (req, res) => sendRange(req, res, png(3070, 2048)),
  '/late.jpg': (req, res) => sendRange(req, res, jpeg(640, 320, 3)),
  '/endless.jpg': (req, res) => sendRange(req, res, jpeg(640, 320, 200)),
  '/crowded.jpg': (req, res) => sendRange(req, res, jpeg(640, 320, 5_000, 2)),
  '/broken.jpg': (req, res) =>
    sendRange(req, res, Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500_000)])),
  '/huge.png': (req, res) => sendRange(req, res, png(2 ** 31, 32)),
  '/short.png': (req, res) => sendRange(req, res, png(32, 32).subarray(0, 18)),
  '/page.html': (req, res) =>
    sendRange(req, res, Buffer.from('<!doctype html><svg width="32" height="32"/>')),
  '/pours.png': (_req, res) => {
    res.writeHead(200)
    res.write(png(64, 32))
    pour(res, junk)
  },
  '/junk': (_req, res) => {
    res.writeHead(200)
    pour(res, junk)
  },
  '/elsewhere.jpg': (_req, res) => {
    res.writeHead(206, { 'content-range': 'bytes 7-9/10' })
    res.end('abc')
  },
  '/packed.png': (_req, res) => {
    res.writeHead(200, { 'content-encoding': 'gzip' })
    res.end(png(32, 32))
  },
  '/drip.png': (_req, res) => {
    res.writeHead(200)
    drip(res, Buffer.from([0x89]), 20)
  },
  '/silent.png': () => undefined,
  '/lying.png': (_req, res) => {
    res.writeHead(206, { 'content-range': 'bytes 0-4095/9999', 'content-length': '4096' })
    res.write(png(32, 32).subarray(0, 10))
    setTimeout(() => res.destroy(), 20)
  },
  '/cut': (_req, res) => void res.destroy(),
  '/head': (_req, res) => {
    res.socket?.write('HTTP/1.1 200 OK\r\n')
    const socket = res.socket
    const more = (): void => {
      while (socket !== null && !socket.destroyed && socket.write(`x-more: ${'a'.repeat(4_000)}\r\n`));
    }
    socket?.on('drain', more)
    more()
  },
  '/gone.png': (_req, res) => {
    res.writeHead(404)
    res.end('no such map')
  },
  '/busy.png': (_req, res) => {
    res.writeHead(503)
    res.end()
  },
  '/to/loopback': (_req, res) => redirect(res, 'https://127.0.0.1/good.png'),
  '/to/other': (_req, res) => redirect(res, 'https://other.example/good.png'),
  '/to/http': (_req, res) => redirect(res, `http://${mapHost}/good.png`),
  '/to/port': (_req, res) => redirect(res, `https://${mapHost}:22/good.png`),
  '/to/credentials': (_req, res) => redirect(res, `https://a:b@${mapHost}/good.png`),
  '/to/rebind': (_req, res) => redirect(res, 'https://rebind.example/good.png'),
  '/to/itself': (_req, res) => redirect(res, '/to/itself'),
}

const hop: Serve = (req, res) => {
  const left = Number(req.url?.split('/').at(-1))
  if (left === 0) sendRange(req, res, png(3072, 2048))
  else redirect(res, `/hops/${left - 1}`)
}

export interface MapServer {
  readonly port: number
  /** The paths of all requests, in order. */
  readonly asked: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** Starts a server of pictures that does by path what a bad one may do. */
export const startMapServer = (
  tls: { readonly key: Buffer; readonly cert: Buffer },
  address = '127.0.0.1',
  port = 0,
): Promise<MapServer> =>
  new Promise(resolve => {
    const asked: Array<string> = []
    const server: Server = createServer(tls, (req, res) => {
      const path = req.url ?? ''
      asked.push(path)
      res.on('error', () => undefined)
      const serve = pages[path] ?? (path.startsWith('/hops/') ? hop : pages['/gone.png'])
      serve?.(req, res)
    })
    server.listen(port, address, () => {
      const bound = server.address()
      resolve({
        port: typeof bound === 'object' && bound !== null ? bound.port : 0,
        asked,
        close: () => {
          server.closeAllConnections()
          return new Promise(done => server.close(() => done()))
        },
      })
    })
  })

/**
 * A network in which names have public-looking addresses, and every connection goes to the server instead. `connected`
 * is called with the addresses of each.
 */
export const networkTo = (
  server: () => MapServer,
  ca: Buffer,
  addresses: (host: string) => ReadonlyArray<HostAddress>,
  connected: (addresses: ReadonlyArray<HostAddress>) => void = () => undefined,
): GuardedPorts => ({
  resolve: host => Promise.resolve(addresses(host)),
  connect: (host, found) => {
    connected(found)
    return connectOverTls({ host: '127.0.0.1', port: server().port, servername: host, ca })
  },
})
