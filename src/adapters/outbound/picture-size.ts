import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { BMP } from 'image-size/types/bmp'
import { GIF } from 'image-size/types/gif'
import type { IImage } from 'image-size/types/interface'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import type { GuardedFailure } from '#protocol/host/outbound.js'
import type { DimensionFault } from '#protocol/lore/maps.js'
import type { MeasurePicture, PictureSize } from '#src/ports/host.js'
import type { GuardedFetch } from './guarded-fetch.js'

export interface PictureLimits {
  readonly hosts: ReadonlySet<string>
  /** For all requests to one picture together. */
  readonly timeoutMs: number
  /** Between two requests to one picture. */
  readonly pauseMs: number
  /** Range requests to one picture. */
  readonly stepsMax: number
}

/** What the head of a picture says: its size, that it goes on, or that it is no picture whose size can be read. */
export type PictureHead =
  | { readonly _tag: 'Size'; readonly width: number; readonly height: number }
  | { readonly _tag: 'More' }
  | { readonly _tag: 'None' }

/**
 * Reads the size of a picture from its head: BMP, GIF, JPEG, PNG or WebP. Asks for 4 KiB, then for 16, then
 * for 64 each time that they do not suffice, up to 256 KiB in all. `requested` is called with the status of each
 * answer, or why there is none.
 */
export const openPictureSize =
  (
    fetch: GuardedFetch,
    { hosts, timeoutMs, pauseMs, stepsMax }: PictureLimits,
    requested: (result: number | GuardedFailure) => void,
  ): MeasurePicture =>
  async (url, signal) => {
    const untilMs = performance.now() + timeoutMs
    let head: Buffer = Buffer.alloc(0)
    for (let step = 0; step < stepsMax && head.length < headBytesMax; step += 1) {
      if (step > 0) await pause(pauseMs)
      const endBytes = head.length + Math.min(stepBytes * 4 ** step, stepBytesMax)
      const headers = {
        accept: 'image/*',
        'accept-encoding': 'identity',
        range: `bytes=${head.length}-${endBytes - 1}`,
      }
      const restMs = untilMs - performance.now()
      const answer = await fetch({ url, hosts, headers, timeoutMs: restMs, bytesMax: endBytes }, signal)
      requested(answer._tag === 'NoAnswer' ? answer.reason : answer.status)
      if (answer._tag === 'NoAnswer') return noSize(faultOf[answer.reason])
      const longer = joinHead(head, endBytes, answer)
      if (longer === null) return noSize(statusFault(answer.status))
      const read = readPictureHead(longer)
      if (read._tag === 'Size') return read
      if (read._tag === 'None' || longer.length < endBytes) return noSize('NotAnImage')
      head = longer
    }
    return noSize('NotAnImage')
  }

/** Judges the head of a picture. The work is bounded, whatever the bytes are. */
export const readPictureHead = (head: Buffer): PictureHead => {
  try {
    const format = formats.find(one => one.validate(head))
    if (format === undefined) return { _tag: 'None' }
    if (format === JPG) {
      const segments = followSegments(head)
      if (segments !== 'Frame') return { _tag: segments }
    }
    // In a buffer of its own: the package reads past the end of a part of a larger one.
    const { width, height } = format.calculate(new Uint8Array(head))
    const isSize = [width, height].every(side => side >= 1 && side <= sideMax)
    return isSize ? { _tag: 'Size', width, height } : { _tag: 'None' }
  } catch {
    // The package throws for every head that it cannot read.
    return { _tag: 'None' }
  }
}

const stepBytes = 4 * 1024
const stepBytesMax = 64 * 1024
const headBytesMax = 256 * 1024

/** The longest side of a map in pixels; a longer one is no map, whatever the picture says. */
const sideMax = 1_000_000

const formats: ReadonlyArray<IImage> = [PNG, JPG, GIF, WEBP, BMP]

const segmentsMax = 256
const frameMarkers: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])
const scanMarker = 0xda

/**
 * Follows the segments of a JPEG to the one with its size. The package searches broken ones byte by byte, which takes
 * 50 ms for 100 KiB.
 */
const followSegments = (head: Buffer): 'Frame' | 'More' | 'None' => {
  let at = 2
  for (let count = 0; count < segmentsMax; count += 1) {
    if (at + 10 > head.length) return 'More'
    const marker = head.readUInt8(at + 1)
    if (head.readUInt8(at) !== 0xff || marker === scanMarker) return 'None'
    if (frameMarkers.has(marker)) return 'Frame'
    at += 2 + head.readUInt16BE(at + 2)
  }
  return 'None'
}

/**
 * The head with what an answer adds: the next range, or all from the start where the server ignores ranges. Null where
 * the answer is neither.
 */
const joinHead = (
  head: Buffer,
  endBytes: number,
  answer: {
    readonly status: number
    readonly headers: IncomingHttpHeaders
    readonly bytes: Buffer
  },
): Buffer | null => {
  if (answer.status === 200) return answer.bytes
  const range = answer.headers['content-range'] ?? ''
  if (answer.status !== 206 || !range.startsWith(`bytes ${head.length}-`)) return null
  return Buffer.concat([head, answer.bytes]).subarray(0, endBytes)
}

const noSize = (reason: DimensionFault): PictureSize => ({ _tag: 'NoSize', reason })

/** A range that begins elsewhere than asked is an answer that makes no sense. */
const statusFault = (status: number): DimensionFault => (status === 206 ? 'BadAnswer' : `Status:${status}`)

const faultOf: Readonly<Record<GuardedFailure, DimensionFault>> = {
  host: 'HostNotAllowed',
  address: 'AddressNotAllowed',
  redirects: 'TooManyRedirects',
  timeout: 'Timeout',
  malformed: 'BadAnswer',
  too_large: 'BadAnswer',
  not_sent: 'Unreachable',
  refused: 'Unreachable',
  tls: 'Unreachable',
  unreachable: 'Unreachable',
}
