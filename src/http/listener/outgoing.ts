import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gzip, gzipSync } from 'node:zlib'

/**
 * An answer up to this size is sent in one write at the end of the turn; a larger one in pieces of this size.
 */
export const pieceBytes = 64 * 1024
/** How long a client may take to accept a piece before its connection is destroyed. */
export const stallMs = 30_000
/** The most bytes of unsent answers in memory; an answer that several clients share counts once. */
export const heldBytesMax = 256 * 1024 * 1024

/** The most answers that are made while they are sent, each of which holds the file that it reads. */
export const streamsMax = 8

/** Sends the bodies of answers, no faster than clients read them. */
export interface Outgoing {
  /**
   * Whether an answer of these bytes may wait until it is read: small ones always, large ones within
   * `heldBytesMax`.
   */
  readonly takes: (bytes: Buffer) => boolean
  /**
   * Writes the body, if there is one, and ends the answer; its head has been set. A small one leaves at the end of the
   * turn, behind its work, unless it is `prompt`.
   */
  readonly send: (res: ServerResponse, bytes: Buffer | null, prompt?: boolean) => void
  /** Whether one more answer may be made while it is sent. */
  readonly takesStream: () => boolean
  /**
   * Writes pieces as the client reads them, compressed on request, and ends the answer; its head has been set. Resolves
   * when the client has them, or left. Rejects where making a piece fails; the connection is then destroyed.
   */
  readonly stream: (res: ServerResponse, pieces: AsyncIterable<Buffer>, isPacked: boolean) => Promise<void>
  /** Destroys the connections of clients that accepted no bytes for `stallMs`; returns how many. */
  readonly sweep: () => number
  readonly heldBytes: () => number
  readonly close: () => void
}

/** @param monotonicMs the clock that progress is measured with. */
export const openOutgoing = (monotonicMs: () => number, bytesMax: number = heldBytesMax): Outgoing => {
  const { watch, sweep, stop, held } = openStallWatch(monotonicMs)
  let streams = 0
  const sendNow = ({ res, bytes }: Due): void => {
    if (bytes === null) return void res.end()
    res.end(bytes)
    if ((res.socket?.writableLength ?? 0) > 0) watch(res, bytes)
  }
  const sendLater = batchByTurn(sendNow)
  return {
    takes: bytes => bytes.length <= pieceBytes || held.has(bytes) || held.bytes() + bytes.length <= bytesMax,
    send: (res, bytes, prompt = false) => {
      if (bytes !== null && bytes.length > pieceBytes) sendPieces(watch(res, bytes), monotonicMs)
      else if (prompt) sendNow({ res, bytes })
      else sendLater({ res, bytes })
    },
    takesStream: () => streams < streamsMax,
    stream: async (res, pieces, isPacked) => {
      streams += 1
      const one = watch(res, Buffer.alloc(0))
      const source = Readable.from(notingProgress(one, pieces, monotonicMs), { objectMode: false })
      try {
        await (isPacked ? pipeline(source, createGzip(), res) : pipeline(source, res))
      } catch (error) {
        if (!hasLeft(error)) throw error
      } finally {
        streams -= 1
      }
    },
    sweep,
    heldBytes: held.bytes,
    close: stop,
  }
}

/** Compresses outside the main thread (D16). */
export const compressBytes = (bytes: Buffer): Promise<Buffer> => zip(bytes, piecesOf(bytes))

/** Compresses synchronously: for a thread that has no other work. */
export const compressBytesHere = (bytes: Buffer): Buffer => gzipSync(bytes, piecesOf(bytes))

export const isWorthGzip = (bytes: Buffer): boolean => bytes.length >= gzipBytesMin

/** Whether an `Accept-Encoding` accepts gzip: named with a weight above 0, or covered by `*`. */
export const acceptsGzip = (header: string | undefined): boolean => {
  if (header === undefined) return false
  if (header === 'gzip') return true
  return (weightOfCoding(header, 'gzip') ?? weightOfCoding(header, '*') ?? 0) > 0
}

const sweepEveryMs = 5_000

/** An answer that the socket has not fully accepted yet. */
interface UnderWay {
  readonly res: ServerResponse
  readonly bytes: Buffer
  progressMs: number
}

/** A small answer that is sent at the end of this turn of the loop; null: it has no body. */
interface Due {
  readonly res: ServerResponse
  readonly bytes: Buffer | null
}

/** Counts each buffer once, by how many answers hold it: the memo gives the same buffer to every caller. */
const openHeldCount = () => {
  const holders = new Map<Buffer, number>()
  let held = 0
  return {
    bytes: () => held,
    has: (bytes: Buffer) => holders.has(bytes),
    add: (bytes: Buffer): void => {
      const count = holders.get(bytes) ?? 0
      holders.set(bytes, count + 1)
      if (count === 0) held += bytes.length
    },
    drop: (bytes: Buffer): void => {
      const count = holders.get(bytes) ?? 0
      if (count > 1) holders.set(bytes, count - 1)
      else if (holders.delete(bytes)) held -= bytes.length
    },
  }
}

/**
 * Sends the small answers of one turn of the loop together at its end. Each write wakes the client's process,
 * which takes the processor from this one: written one by one, they cost twice the processor time.
 */
const batchByTurn = (end: (one: Due) => void): ((one: Due) => void) => {
  let due: Array<Due> = []
  const sendDue = (): void => {
    const now = due
    due = []
    for (const one of now) if (!one.res.destroyed) end(one)
  }
  return one => {
    if (due.length === 0) setImmediate(sendDue)
    due.push(one)
  }
}

/** Tracks unsent answers, and destroys those whose clients accept no bytes. */
const openStallWatch = (monotonicMs: () => number) => {
  const all = new Set<UnderWay>()
  const held = openHeldCount()
  // One timer for all unsent answers, and none while there are none: an ordinary answer costs no timer.
  let timer: NodeJS.Timeout | null = null

  const stop = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  const sweep = (): number => {
    const nowMs = monotonicMs()
    // A pipelined answer has no socket until the answers before it are read: its own time starts then.
    for (const one of all) if (one.res.socket === null) one.progressMs = nowMs
    const stalled = [...all].filter(one => one.progressMs <= nowMs - stallMs)
    for (const { res } of stalled) res.destroy()
    return stalled.length
  }
  const sweepOn = (): void => {
    timer = setTimeout(() => {
      sweep()
      if (all.size > 0) sweepOn()
      else stop()
    }, sweepEveryMs).unref()
  }
  const watch = (res: ServerResponse, bytes: Buffer): UnderWay => {
    const one: UnderWay = { res, bytes, progressMs: monotonicMs() }
    all.add(one)
    held.add(bytes)
    if (timer === null) sweepOn()
    res.once('close', () => {
      if (all.delete(one)) held.drop(bytes)
      if (all.size === 0) stop()
    })
    return one
  }
  return { watch, sweep, stop, held }
}

/** The pieces; the client makes progress whenever another one is wanted. */
const notingProgress = async function* (
  one: UnderWay,
  pieces: AsyncIterable<Buffer>,
  monotonicMs: () => number,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    yield piece
    one.progressMs = monotonicMs()
  }
}

/** Whether a stream ended because its client closed the connection, or was too slow for it. */
const hasLeft = (error: unknown): boolean =>
  error instanceof Error &&
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(String(Reflect.get(error, 'code')))

/** Writes the next piece whenever the socket accepted the one before. */
const sendPieces = (one: UnderWay, monotonicMs: () => number): void => {
  const { res, bytes } = one
  let at = 0
  const next = (): void => {
    one.progressMs = monotonicMs()
    let open = true
    while (open && at < bytes.length && !res.destroyed) {
      open = res.write(bytes.subarray(at, at + pieceBytes))
      at += pieceBytes
    }
    if (at >= bytes.length) res.end()
    else if (!res.destroyed) res.once('drain', next)
  }
  next()
}

/** The smallest body that is compressed, in bytes, for callers that accept gzip (A 4.1.7). */
const gzipBytesMin = 1024

const zip: (bytes: Buffer, options: { readonly chunkSize: number }) => Promise<Buffer> = promisify(gzip)

/**
 * Each output chunk costs a turn of the loop. Answers shrink to less than a quarter, so most need one chunk.
 */
const piecesOf = (bytes: Buffer) => ({ chunkSize: Math.max(16 * 1024, bytes.length >> 2) })

const weightOf = (parameters: ReadonlyArray<string>): number => {
  const q = parameters.map(one => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(one)).find(one => one !== null)
  return q?.[1] === undefined ? 1 : Number(q[1])
}

const weightOfCoding = (header: string, coding: string): number | null => {
  for (const part of header.split(',')) {
    const [name, ...parameters] = part.split(';')
    if (name?.trim().toLowerCase() === coding) return weightOf(parameters)
  }
  return null
}
