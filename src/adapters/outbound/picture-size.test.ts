import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import type { PictureSize } from '#src/ports/host.js'
import { makeAuthority, makeCertificate } from '#test/scenario/namespaces/certificates.js'
import {
  jpeg,
  type MapServer,
  mapHost,
  networkTo,
  png,
  publicAddress,
  startMapServer,
} from '#test/support/hostile/map-server.js'
import { processorTimeMs, slowness } from '#test/support/processor-time.js'
import { temporaryFolder } from '#test/support/repository.js'
import { openGuardedFetch } from './guarded-fetch.js'
import { openPictureSize, readPictureHead } from './picture-size.js'

const said = (size: PictureSize): string =>
  size._tag === 'Size' ? `${size.width}x${size.height}` : size.reason

const gif = Buffer.concat([Buffer.from('GIF89a', 'latin1'), Buffer.from([64, 0, 32, 0]), Buffer.alloc(50)])
const bmp = Buffer.alloc(60)
bmp.write('BM', 'latin1')
bmp.writeUInt32LE(96, 18)
bmp.writeInt32LE(-64, 22)
const webp = Buffer.alloc(60)
webp.write('RIFF', 0, 'latin1')
webp.write('WEBPVP8X', 8, 'latin1')
webp.writeUIntLE(95, 24, 3)
webp.writeUIntLE(63, 27, 3)

describe('the head of a picture', () => {
  const heads: ReadonlyArray<readonly [what: string, head: Buffer, says: string]> = [
    ['a PNG', png(96, 64), '96x64'],
    [
      'a PNG that is part of a larger buffer',
      Buffer.concat([Buffer.alloc(9), png(96, 64)]).subarray(9),
      '96x64',
    ],
    ['a GIF', gif, '64x32'],
    ['a BMP that is stored upside down', bmp, '96x64'],
    ['a WebP', webp, '96x64'],
    ['a JPEG', jpeg(96, 64, 1, 16), '96x64'],
    ['a JPEG with segments before its size', jpeg(96, 64, 2, 500), '96x64'],
    ['a JPEG that is cut off before its size', jpeg(96, 64, 2, 500).subarray(0, 700), 'More'],
    ['a PNG that is cut off', png(96, 64).subarray(0, 20), 'None'],
    ['a PNG without a side', png(0, 64), 'None'],
    ['a PNG of a million and more', png(1_000_001, 64), 'None'],
    ['a JPEG with too many segments', jpeg(96, 64, 5_000, 2), 'None'],
    ['an SVG', Buffer.from('<svg width="32" height="32"/>'), 'None'],
    ['a page', Buffer.from('<!doctype html><title>404</title>'), 'None'],
    ['nothing', Buffer.alloc(0), 'None'],
  ]
  for (const [what, head, says] of heads)
    it(`of ${what}`, () => {
      const read = readPictureHead(head)
      equal(read._tag === 'Size' ? `${read.width}x${read.height}` : read._tag, says)
    })

  it('is judged in bounded time, whatever its bytes are', () => {
    const fills = [0x00, 0x01, 0x08, 0xff]
    const starts = [[0xff, 0xd8], [0xff, 0xd8, 0xff, 0xe1], [0x89, 0x50], [0x00, 0x00], [0x3c]]
    const slow = slowness()
    for (const start of starts)
      for (const fill of fills) {
        const head = Buffer.alloc(1_048_576, fill)
        Buffer.from(start).copy(head)
        const beganMs = processorTimeMs()
        readPictureHead(head)
        ok(processorTimeMs() - beganMs < 50 * slow, `${start.join(' ')} then ${fill}`)
      }
  })
})

describe('the size of a picture', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let tls: { readonly key: Buffer; readonly cert: Buffer }
  let ca: Buffer
  let server: MapServer
  let results: Array<number | string>
  before(() => {
    folder = temporaryFolder()
    const authority = makeAuthority(folder.path)
    const { certificate, key } = makeCertificate(folder.path, authority, mapHost)
    tls = { key: readFileSync(key), cert: readFileSync(certificate) }
    ca = readFileSync(authority.certificate)
  })
  after(() => folder.dispose())
  beforeEach(async () => {
    results = []
    server = await startMapServer(tls)
  })
  afterEach(() => server.close())

  const measure = (path: string, limits: { stepsMax?: number; timeoutMs?: number } = {}) =>
    openPictureSize(
      openGuardedFetch(
        networkTo(
          () => server,
          ca,
          () => [publicAddress],
        ),
      ),
      { hosts: new Set([mapHost]), timeoutMs: 1_000, pauseMs: 1, stepsMax: 5, ...limits },
      result => void results.push(result),
    )(path.startsWith('/') ? `https://${mapHost}${path}` : path, new AbortController().signal)

  const rows: ReadonlyArray<readonly [path: string, says: string, requests: number]> = [
    ['/good.png', '3072x2048', 1],
    ['/odd.png', '3070x2048', 1],
    ['/pours.png', '64x32', 1],
    ['/late.jpg', '640x320', 5],
    ['/hops/2', '3072x2048', 1],
    ['/endless.jpg', 'NotAnImage', 5],
    ['/crowded.jpg', 'NotAnImage', 1],
    ['/broken.jpg', 'NotAnImage', 1],
    ['/huge.png', 'NotAnImage', 1],
    ['/short.png', 'NotAnImage', 1],
    ['/page.html', 'NotAnImage', 1],
    ['/junk', 'NotAnImage', 1],
    ['/elsewhere.jpg', 'BadAnswer', 1],
    ['/packed.png', 'BadAnswer', 1],
    ['/head', 'BadAnswer', 1],
    ['/drip.png', 'Timeout', 1],
    ['/silent.png', 'Timeout', 1],
    ['/lying.png', 'Unreachable', 1],
    ['/cut', 'Unreachable', 1],
    ['/gone.png', 'Status:404', 1],
    ['/busy.png', 'Status:503', 1],
    ['/to/itself', 'TooManyRedirects', 1],
    ['/to/loopback', 'HostNotAllowed', 1],
    ['http://maps.example/good.png', 'HostNotAllowed', 1],
  ]
  for (const [path, says, requests] of rows)
    it(`${path} is ${says}`, async () => {
      equal(said(await measure(path)), says)
      equal(results.length, requests)
    })

  it('takes no more steps than it may', async () => {
    equal(said(await measure('/late.jpg', { stepsMax: 3 })), 'NotAnImage')
    deepEqual(results, [206, 206, 206])
    equal(said(await measure('/good.png', { stepsMax: 0 })), 'NotAnImage')
    equal(results.length, 3)
  })

  it('reads at most 256 KiB, whatever steps it may take', async () => {
    equal(said(await measure('/endless.jpg', { stepsMax: 1_000, timeoutMs: 5_000 })), 'NotAnImage')
    equal(results.length, 6)
  })
})
