import type { SegmentFiles, Writable } from '#src/adapters/logs/segment-files.js'
import type { Mark } from './trace.js'
import { fullDisk, type Life, type Weather } from './weather.js'

interface Segment {
  bytes: Buffer
  /** How many of the bytes a crash cannot take. */
  durable: number
  changedMs: number
}

/** The directory of a journal as it outlives the processes that write it. */
export interface SegmentDisk {
  readonly files: (life: Life) => SegmentFiles
  /** What a crash leaves of bytes that were not on disk yet: any number of them, so that a line may be torn. */
  readonly crash: () => void
  /** The number of the last line that the retention took; 0 before it took any. */
  readonly prunedThrough: () => number
}

const newline = 0x0a

const makeMissingError = (): Error => Object.assign(new Error('no such file'), { code: 'ENOENT' })

export const segmentDisk = (
  weather: Weather,
  nowMs: () => number,
  mark: (mark: Mark) => void,
): SegmentDisk => {
  const segments = new Map<number, Segment>()
  let prunedThrough = 0
  const at = (first: number): Segment => {
    const segment = segments.get(first)
    if (segment === undefined) throw makeMissingError()
    return segment
  }
  const effect = async (life: Life, what: string): Promise<void> => {
    await weather.step(life, `journal ${what}`)
    if (weather.refuses(life.host)) throw fullDisk()
  }
  const writable = (life: Life, first: number): Writable => ({
    append: async bytes => {
      const segment = at(first)
      if (weather.refuses(life.host) || weather.mishap(0.02)) {
        // A disk that fills up takes a part of what it was given; soon after it may take the rest.
        segment.bytes = Buffer.concat([
          segment.bytes,
          bytes.subarray(0, weather.between(0, bytes.length - 1)),
        ])
        throw fullDisk()
      }
      segment.bytes = Buffer.concat([segment.bytes, bytes])
      segment.changedMs = nowMs()
      await effect(life, 'append')
    },
    sync: async () => {
      await effect(life, 'sync')
      const segment = at(first)
      segment.durable = segment.bytes.length
    },
    truncate: async bytes => {
      await effect(life, 'truncate')
      const segment = at(first)
      segment.bytes = segment.bytes.subarray(0, bytes)
      segment.durable = segment.bytes.length
    },
    close: () => Promise.resolve(),
  })
  return {
    files: life => ({
      list: () => Promise.resolve([...segments.keys()].sort((one, other) => one - other)),
      create: async first => {
        await effect(life, 'create')
        if (!segments.has(first))
          segments.set(first, { bytes: Buffer.alloc(0), durable: 0, changedMs: nowMs() })
        return writable(life, first)
      },
      reopen: first => Promise.resolve(writable(life, first)),
      read: (first, offset, bytesMax) =>
        Promise.resolve(Buffer.from(at(first).bytes.subarray(offset, offset + bytesMax))),
      facts: first => {
        const segment = segments.get(first)
        return Promise.resolve(
          segment === undefined ? null : { bytes: segment.bytes.length, changedMs: segment.changedMs },
        )
      },
      remove: async first => {
        await effect(life, 'remove')
        segments.delete(first)
        prunedThrough = Math.max(prunedThrough, Math.min(...segments.keys()) - 1)
      },
    }),
    prunedThrough: () => prunedThrough,
    crash: () => {
      for (const segment of segments.values()) {
        const kept = weather.between(segment.durable, segment.bytes.length)
        if (kept < segment.bytes.length && segment.bytes[kept - 1] !== newline)
          mark('a line of the journal was torn')
        segment.bytes = segment.bytes.subarray(0, kept)
        segment.durable = kept
      }
    },
  }
}
