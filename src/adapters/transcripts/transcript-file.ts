import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { BlobId } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { breaksTitle, namesTopics } from '#src/domain/lore/topic-text.js'
import type { Ranking, RankQuestion } from '#src/domain/search/ranking.js'
import { type Lemmas, termsOf } from '#src/domain/search/texts/documents.js'
import type { LogDate } from '#src/domain/transcripts/questions.js'
import type { SpokenLine, Transcript } from '#src/domain/transcripts/transcript.js'
import { openSqlite, type Sqlite } from '../runtime/sqlite.js'
import { tierIndex } from '../search/build-index.js'
import { type Fts5Build, fts5Build, openForBuild } from '../search/fts5-build.js'
import { fts5Part } from '../search/fts5-engine.js'
import type { PackedDocument } from '../search/wink-file.js'
import { makeFolderInState } from '../state/state-area.js'
import {
  coldOf,
  type HeldLog,
  heldLog,
  hotOf,
  isTopicFlag,
  kindFlag,
  type LogColumns,
} from './line-columns.js'

/** A transcript to be put into the index. */
export interface LogToIndex extends LogDate {
  readonly name: string
  /** Equal versions mean equal rows. */
  readonly version: string
  /** The text, and its path in its tree. */
  readonly blob: BlobId
  readonly path: string
  readonly transcript: Transcript
}

/** The changes that one transaction makes. */
export interface IndexChange {
  readonly dropped: ReadonlyArray<string>
  /** A transcript that the index has is dropped first. */
  readonly added: ReadonlyArray<LogToIndex>
  readonly stamp: string
  readonly lemmas: Lemmas
}

/** An open transcript index. Reads throw where the file is damaged. */
export interface TranscriptFile {
  readonly sqlite: Sqlite
  readonly stamp: () => string
  readonly versions: () => ReadonlyArray<readonly [name: string, version: string]>
  /** The transcripts by name, in the order of answers: by day, then by name, undated ones last. */
  readonly logs: () => ReadonlyArray<HeldLog>
  /** The transcripts with lines by their rows. */
  readonly logsByRow: () => ReadonlyArray<PlacedLog>
  /** The rows of what a speaker said, the lowest first. */
  readonly rowsOfSpeaker: (id: number) => Uint32Array
  readonly speakerIds: (speaker: string) => number | null
  readonly speakerName: (id: number) => string | null
  readonly channelName: (id: number) => string | null
  readonly lines: () => number
  readonly rank: (question: RankQuestion) => Ranking
  /** Whether so many rows are dropped that a build from nothing pays. */
  readonly isWorn: () => boolean
  readonly apply: (change: IndexChange) => void
  readonly close: () => void
}

/** A transcript with the row behind its last one, and its place in the order of answers. */
export interface PlacedLog {
  readonly log: HeldLog
  readonly end: number
  readonly place: number
}

/** Opens an index that `draftTranscriptFile` made. Throws where the file is none, or of another version. */
export const openTranscriptFile = (path: string): TranscriptFile => {
  const sqlite = openSqlite(path, 5_000)
  try {
    if (sqlite.pragma('user_version') !== formatVersion) throw new Error('the index is of another version')
    sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = NORMAL')
    return serveFile(sqlite)
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** An index that is being built from nothing. */
export interface TranscriptDraft {
  readonly add: (logs: ReadonlyArray<LogToIndex>, lemmas: Lemmas) => void
  /** Makes the file durable and puts it at its path. */
  readonly finish: (stamp: string) => void
  /** Gives it up. */
  readonly drop: () => void
}

/** Begins a build at `path`, in a file beside it. */
export const draftTranscriptFile = (path: string): TranscriptDraft => {
  makeFolderInState(dirname(path))
  const draft = `${path}.draft`
  removeTranscriptFile(draft)
  const sqlite = openForBuild(draft)
  sqlite.exec(schema)
  const build = fts5Build(sqlite, true)
  const writer = logWriter(sqlite, build)
  return {
    add: (logs, lemmas) => {
      for (const log of logs) writer.put(log, lemmas)
    },
    finish: stamp => {
      writer.finish(stamp)
      build.finish()
      sqlite.exec(`PRAGMA user_version = ${formatVersion}`)
      sqlite.close()
      flush(draft)
      removeTranscriptFile(path)
      renameSync(draft, path)
    },
    drop: () => {
      sqlite.close()
      removeTranscriptFile(draft)
    },
  }
}

/** Removes an index with the files that SQLite keeps beside it. */
export const removeTranscriptFile = (path: string): void => {
  for (const end of ['', '-wal', '-shm', '-journal'])
    rmSync(`${path}${end}`, { force: true, recursive: true })
}

/** The version of the file; one of another version is built again. */
const formatVersion = 1

const schema = `
CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE speaker (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE channel (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE log (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, version TEXT NOT NULL, address TEXT NOT NULL,
  parser INTEGER NOT NULL, format TEXT NOT NULL, sha256 TEXT NOT NULL, unread INTEGER NOT NULL,
  header TEXT, title TEXT, day TEXT, dayEnd TEXT, row INTEGER NOT NULL, lines INTEGER NOT NULL,
  hot BLOB NOT NULL, cold BLOB NOT NULL) STRICT;
CREATE TABLE line (row INTEGER PRIMARY KEY, text TEXT NOT NULL, dice TEXT) STRICT;
CREATE TABLE segment (
  log INTEGER NOT NULL, at INTEGER NOT NULL, place TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  PRIMARY KEY (log, at)) STRICT, WITHOUT ROWID;
`

/** Rows of the index, by which transcripts are read at a start. */
const LogRow = t.type({
  id: t.number,
  name: t.string,
  version: t.string,
  header: t.union([t.string, t.null]),
  title: t.union([t.string, t.null]),
  day: t.union([t.string, t.null]),
  dayEnd: t.union([t.string, t.null]),
  row: t.number,
  lines: t.number,
  hot: new t.Type<Uint8Array, Uint8Array, unknown>(
    'Bytes',
    (u): u is Uint8Array => u instanceof Uint8Array,
    (u, c) => (u instanceof Uint8Array ? t.success(u) : t.failure(u, c)),
    t.identity,
  ),
})

const NamedRow = t.type({ id: t.number, name: t.string })

const flush = (path: string): void => {
  const handle = openSync(path, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const decodeAll = <A>(codec: t.Decoder<unknown, A>, rows: ReadonlyArray<unknown>): ReadonlyArray<A> =>
  rows.map(row => {
    const decoded = codec.decode(row)
    if (isLeft(decoded)) throw new Error('the transcript index has a row that no build wrote')
    return decoded.right
  })

/** Names with their numbers, read once and added to. */
const nameBook = (sqlite: Sqlite, table: 'speaker' | 'channel') => {
  const insert = sqlite.prepare(`INSERT INTO ${table} (id, name) VALUES (?, ?)`)
  const [ids, names] = [new Map<string, number>(), new Map<number, string>()]
  for (const { id, name } of decodeAll(NamedRow, sqlite.prepare(`SELECT id, name FROM ${table}`).all())) {
    ids.set(name, id)
    names.set(id, name)
  }
  return {
    find: (name: string): number | null => ids.get(name) ?? null,
    nameOf: (id: number): string | null => names.get(id) ?? null,
    idOf: (name: string | null): number => {
      if (name === null) return 0
      const known = ids.get(name)
      if (known !== undefined) return known
      const id = ids.size + 1
      insert.run(id, name)
      ids.set(name, id)
      names.set(id, name)
      return id
    },
  }
}

type NameBook = ReturnType<typeof nameBook>

/** The lines that name restricted topics, by their places; a title may be broken over two. */
const topicsOf = (lines: ReadonlyArray<SpokenLine>): ReadonlySet<number> => {
  const found = new Set<number>()
  for (const [at, { text, speaker }] of lines.entries()) {
    if (namesTopics(text) || (speaker !== null && namesTopics(speaker))) found.add(at)
    const next = lines[at + 1]?.text
    if (next !== undefined && breaksTitle(text, next)) found.add(at).add(at + 1)
  }
  return found
}

const countWords = (text: string): number => text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0

const columnsOf = (
  { lines }: Transcript,
  topics: ReadonlySet<number>,
  speakers: NameBook,
  channels: NameBook,
): LogColumns => {
  const count = lines.length
  const columns: LogColumns = {
    speakers: new Uint32Array(count),
    channels: new Uint32Array(count),
    segments: new Uint32Array(count),
    words: new Uint16Array(count),
    flags: new Uint8Array(count),
  }
  for (const [at, line] of lines.entries()) {
    columns.speakers[at] = speakers.idOf(line.speaker)
    columns.channels[at] = channels.idOf(line.channel)
    columns.segments[at] = line.segment === null ? 0 : line.segment + 1
    columns.words[at] = Math.min(0xffff, countWords(line.text))
    columns.flags[at] = kindFlag(line.kind) | (topics.has(at) ? isTopicFlag : 0)
  }
  return columns
}

/** Puts transcripts into the tables, inside the transaction of the build of the engine. */
const logWriter = (
  sqlite: Sqlite,
  build: Fts5Build,
  speakers = nameBook(sqlite, 'speaker'),
  channels = nameBook(sqlite, 'channel'),
) => {
  const newLog = sqlite.prepare(
    `INSERT INTO log (name, version, address, parser, format, sha256, unread, header, title, day, dayEnd, row, lines,
      hot, cold) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const idOf = sqlite.prepare('SELECT id FROM log WHERE name = ?')
  const newLine = sqlite.prepare('INSERT INTO line (row, text, dice) VALUES (?, ?, ?)')
  const newSegment = sqlite.prepare(
    'INSERT OR REPLACE INTO segment (log, at, place, first, last) VALUES (?, ?, ?, ?, ?)',
  )
  const state = sqlite.prepare('INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)')
  const put = (log: LogToIndex, lemmas: Lemmas): HeldLog => {
    const { name, version, transcript, header, title, day, dayEnd } = log
    const { lines } = transcript
    const topics = topicsOf(lines)
    const row = build.rows() + 1
    for (const [at, line] of lines.entries()) {
      build.add(documentOf(log, line, topics.has(at) ? '' : termsOf(line.text, lemmas).join(' ')))
      newLine.run(build.rows(), line.text, line.dice)
    }
    const columns = columnsOf(transcript, topics, speakers, channels)
    const { address, parser, format, sha256, unread } = transcript
    const hot = hotOf(columns)
    const facts = [address, parser, format, sha256, unread, header, title, day, dayEnd, row, lines.length]
    newLog.run(name, version, ...facts, hot, coldOf(lines))
    const id = Number(idOf.column(name)[0])
    for (const [at, { place, first, last: end }] of transcript.segments.entries())
      newSegment.run(id, at, place, first, end)
    return heldLog({ id, name, version, header, title, day, dayEnd, row, lines: lines.length }, columns)
  }
  return { put, finish: (stamp: string): void => void state.run('stamp', stamp) }
}

/** The line as a document of the search; the words are those of the index. */
const documentOf = (log: LogToIndex, line: SpokenLine, words: string): PackedDocument => ({
  id: `${log.name}:${line.index}`,
  source: log.name,
  kind: 'speech',
  path: log.path,
  blob: log.blob,
  title: log.title ?? log.name,
  header: log.header,
  day: log.day === null ? null : { from: log.day, to: log.dayEnd ?? log.day },
  diegesis: null,
  authority: 'transcript',
  visibility: 'all',
  bytes: { from: line.start, to: line.end },
  line: line.index + 1,
  words,
})

/** Orders transcripts as answers do. */
const byDay = (one: HeldLog, other: HeldLog): number => {
  const [left, right] = [one.day ?? '\uffff', other.day ?? '\uffff']
  return left < right ? -1 : left > right ? 1 : one.name < other.name ? -1 : 1
}

const stampOf = (sqlite: Sqlite): string => {
  const [stamp] = sqlite.prepare("SELECT value FROM state WHERE name = 'stamp'").column()
  return typeof stamp === 'string' ? stamp : ''
}

const readLogs = (sqlite: Sqlite): Map<string, HeldLog> =>
  new Map(
    decodeAll(
      LogRow,
      sqlite
        .prepare('SELECT id, name, version, header, title, day, dayEnd, row, lines, hot FROM log ORDER BY id')
        .all(),
    ).map(({ hot, ...row }) => [row.name, heldLog(row, hot)]),
  )

/** Drops transcripts from the tables, inside the transaction of the build. */
const logDropper = (sqlite: Sqlite, build: Fts5Build, held: Map<string, HeldLog>) => {
  const lines = sqlite.prepare('DELETE FROM line WHERE row BETWEEN ? AND ?')
  const segments = sqlite.prepare('DELETE FROM segment WHERE log = ?')
  const log = sqlite.prepare('DELETE FROM log WHERE id = ?')
  return (name: string): void => {
    const known = held.get(name)
    if (known === undefined) return
    build.drop(name)
    lines.run(known.row, known.row + known.lines - 1)
    segments.run(known.id)
    log.run(known.id)
    held.delete(name)
  }
}

/** What is found by row, made when it is first asked for. */
const rowIndexOf = perValue((inOrder: ReadonlyArray<HeldLog>) => {
  const byRow = inOrder
    .map((log, place): PlacedLog => ({ log, end: log.row + log.lines, place }))
    .filter(({ log }) => log.lines > 0)
    .sort((one, other) => one.log.row - other.log.row)
  const counts = new Map<number, number>()
  for (const { log } of byRow)
    for (const speaker of log.speakers) counts.set(speaker, (counts.get(speaker) ?? 0) + 1)
  const rows = new Map([...counts].map(([speaker, count]) => [speaker, new Uint32Array(count)]))
  const filled = new Map<number, number>()
  for (const { log } of byRow)
    for (const [at, speaker] of log.speakers.entries()) {
      const [own, next] = [rows.get(speaker), filled.get(speaker) ?? 0]
      filled.set(speaker, next + 1)
      if (own !== undefined) own[next] = log.row + at
    }
  return { byRow, rows }
})

const noRows = new Uint32Array(0)

/** More dropped rows than this, and than there are rows, make an index worn. */
const wornRowsMin = 50_000

const serveFile = (sqlite: Sqlite): TranscriptFile => {
  const [speakers, channels] = [nameBook(sqlite, 'speaker'), nameBook(sqlite, 'channel')]
  const held = readLogs(sqlite)
  let stamp = stampOf(sqlite)
  let inOrder = [...held.values()].sort(byDay)
  let engine = tierIndex(fts5Part(sqlite))
  const countLines = (): number => inOrder.reduce((count, { lines }) => count + lines, 0)
  if (countLines() !== engine.documents()) throw new Error('the transcript index lacks lines')
  const apply = (change: IndexChange): void => {
    const build = fts5Build(sqlite, false)
    const next = new Map(held)
    try {
      const drop = logDropper(sqlite, build, next)
      const writer = logWriter(sqlite, build, speakers, channels)
      for (const name of change.dropped) drop(name)
      for (const log of change.added) {
        drop(log.name)
        next.set(log.name, writer.put(log, change.lemmas))
      }
      writer.finish(change.stamp)
      build.finish()
    } catch (error) {
      sqlite.exec('ROLLBACK')
      throw error
    }
    held.clear()
    for (const [name, log] of next) held.set(name, log)
    inOrder = [...held.values()].sort(byDay)
    stamp = change.stamp
    engine = tierIndex(fts5Part(sqlite))
  }
  return {
    sqlite,
    stamp: () => stamp,
    versions: () => inOrder.map(({ name, version }) => [name, version] as const),
    logs: () => inOrder,
    logsByRow: () => rowIndexOf(inOrder).byRow,
    rowsOfSpeaker: id => rowIndexOf(inOrder).rows.get(id) ?? noRows,
    speakerIds: speakers.find,
    speakerName: speakers.nameOf,
    channelName: channels.nameOf,
    lines: countLines,
    rank: question => engine.rank(question),
    isWorn: () => {
      const last = inOrder.reduce((most, { row, lines }) => Math.max(most, row + lines - 1), 0)
      const dropped = last - countLines()
      return dropped > wornRowsMin && dropped > countLines()
    },
    apply,
    close: sqlite.close,
  }
}
