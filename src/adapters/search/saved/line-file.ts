import { closeSync, openSync, readSync, writeSync } from 'node:fs'

const pieceBytes = 1 << 20
const bufferedCharsMin = 1 << 18

const writeWhole = (handle: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
}

/** Writes a file in pieces, so that its text is never in memory as a whole. */
export interface PieceWriter {
  readonly write: (text: string) => void
  /** Copies another file to the end. */
  readonly copy: (path: string) => void
  /** The bytes that were written so far. */
  readonly bytes: () => number
  readonly close: () => void
}

const forEachPiece = (path: string, visit: (piece: Buffer) => void): void => {
  const handle = openSync(path, 'r')
  try {
    const piece = Buffer.allocUnsafe(pieceBytes)
    for (let read = readSync(handle, piece); read > 0; read = readSync(handle, piece))
      visit(piece.subarray(0, read))
  } finally {
    closeSync(handle)
  }
}

export const openPieceWriter = (path: string): PieceWriter => {
  const handle = openSync(path, 'w', 0o600)
  let waiting: Array<string> = []
  let [chars, bytes] = [0, 0]
  const put = (piece: Buffer): void => {
    writeWhole(handle, piece)
    bytes += piece.length
  }
  const flush = (): void => {
    put(Buffer.from(waiting.join('')))
    waiting = []
    chars = 0
  }
  return {
    write: text => {
      waiting.push(text)
      chars += text.length
      if (chars >= bufferedCharsMin) flush()
    },
    copy: from => {
      flush()
      forEachPiece(from, put)
    },
    bytes: () => {
      flush()
      return bytes
    },
    close: () => {
      flush()
      closeSync(handle)
    },
  }
}

/** A range of a file, `to` exclusive. */
export interface FileRange {
  readonly path: string
  readonly from: number
  readonly to: number
}

/** The bytes of a range. Throws where the file ends before it. */
export const readRange = ({ path, from, to }: FileRange): Buffer => {
  const bytes = Buffer.allocUnsafe(to - from)
  const handle = openSync(path, 'r')
  try {
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(handle, bytes, at, bytes.length - at, from + at)
      if (read === 0) throw new Error('the file of the index is too short')
      at += read
    }
    return bytes
  } finally {
    closeSync(handle)
  }
}

const newLine = 10

/** The lines of a range, each ended by a line feed, read in pieces. */
export const readLines = function* ({ path, from, to }: FileRange): Generator<string, void> {
  let rest: Buffer = Buffer.alloc(0)
  for (let at = from; at < to; at += pieceBytes) {
    const piece = readRange({ path, from: at, to: Math.min(to, at + pieceBytes) })
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    let start = 0
    for (let end = bytes.indexOf(newLine); end >= 0; end = bytes.indexOf(newLine, start)) {
      yield bytes.toString('utf8', start, end)
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
}
