import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { SearchEngine, Tier } from '#protocol/atoms.js'
import { writeDurably } from '#src/adapters/state/state-area.js'

/** The version of the files; a file of another version is built again. */
const format = 2

/** What `<tier>.json` says of the file of an index. */
export const SavedHead = t.type(
  {
    format: t.literal(format),
    tier: Tier,
    engine: SearchEngine,
    /** Name of the file beside the head; its number grows with each build. */
    file: t.string,
    number: t.number,
    bytes: t.number,
    sha256: t.string,
    documents: t.number,
    /** The stamp of the content that the index was built from. */
    stamp: t.string,
    /** Lengths of the sections of a wink file; empty for SQLite. */
    sections: t.array(t.number),
  },
  'SavedHead',
)
export type SavedHead = t.TypeOf<typeof SavedHead>

/** What is found where the index of a tier is saved. */
export type FoundIndex =
  | { readonly _tag: 'None' }
  | { readonly _tag: 'Unusable'; readonly reason: string }
  | { readonly _tag: 'Saved'; readonly head: SavedHead }

export const savedFormat = format

/** The bytes and the checksum of a file, read in pieces. */
export const measureFile = (path: string): { readonly bytes: number; readonly sha256: string } => {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(1 << 20)
  const handle = openSync(path, 'r')
  try {
    let bytes = 0
    for (;;) {
      const read = readSync(handle, piece)
      if (read === 0) return { bytes, sha256: hash.digest('hex') }
      hash.update(piece.subarray(0, read))
      bytes += read
    }
  } finally {
    closeSync(handle)
  }
}

export const flushFile = (path: string): void => {
  const handle = openSync(path, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Reads the head of a saved index, and where `whole` compares the file with its checksum. Never throws. */
export const findIndex = (folder: string, tier: Tier, whole: boolean): FoundIndex => {
  try {
    const path = headPath(folder, tier)
    if (!existsSync(path)) return { _tag: 'None' }
    const head = parseHead(readFileSync(path, 'utf8'))
    if (head === null) return { _tag: 'Unusable', reason: 'its head is damaged or of another version' }
    if (head.tier !== tier || !head.file.startsWith(`${tier}-`) || !/^\w+-\d+\.(?:db|wink)$/u.test(head.file))
      return { _tag: 'Unusable', reason: 'its head names another index' }
    const file = join(folder, head.file)
    if (!existsSync(file)) return { _tag: 'Unusable', reason: 'its file is missing' }
    if (!whole) return { _tag: 'Saved', head }
    const { bytes, sha256 } = measureFile(file)
    return bytes === head.bytes && sha256 === head.sha256
      ? { _tag: 'Saved', head }
      : { _tag: 'Unusable', reason: 'its file differs from its checksum' }
  } catch (error) {
    return { _tag: 'Unusable', reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Replaces the head of a tier, after which the file that it names is the index; removes the tier's other files. */
export const saveHead = (folder: string, head: SavedHead): void => {
  const path = headPath(folder, head.tier)
  for (const place of [path, `${path}.new`]) removeDirectory(place)
  writeDurably(path, JSON.stringify({ sha256: digestOf(JSON.stringify(head)), head }))
  removeOthers(folder, head.tier, head.file)
}

/** Removes files of builds that did not end, or of earlier indexes. */
export const removeOthers = (folder: string, tier: Tier, file: string | null): void => {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder))
    if (name.startsWith(`${tier}-`) && name !== file) removeAt(join(folder, name))
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

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const headPath = (folder: string, tier: Tier): string => join(folder, `${tier}.json`)

const parseHead = (text: string): SavedHead | null => {
  try {
    const outer: unknown = JSON.parse(text)
    if (typeof outer !== 'object' || outer === null || !('sha256' in outer) || !('head' in outer)) return null
    if (outer.sha256 !== digestOf(JSON.stringify(outer.head))) return null
    const head = SavedHead.decode(outer.head)
    return isLeft(head) ? null : head.right
  } catch {
    return null
  }
}

/** Removes what is at a path of the folder, also a directory, which no file could replace. */
const removeAt = (path: string): void => rmSync(path, { force: true, recursive: true })

const removeDirectory = (path: string): void => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) removeAt(path)
}

const pieceBytes = 1 << 20
const bufferedCharsMin = 1 << 18

const writeWhole = (handle: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
}

/** Writes a file in pieces, so that its text is never in memory as a whole. */
interface PieceWriter {
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

const newLine = 10
