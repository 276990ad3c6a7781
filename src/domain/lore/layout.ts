import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type BlobId, nfc, type RepoPath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { applySplices, type FileEdit } from './file-edit.js'
import { lineStarts } from './lines.js'

/** What a path of a lore repository holds, by its name alone (LAYOUT, D19). */
export type FileRole =
  | 'index'
  | 'contributors'
  | 'character'
  | 'sessions'
  | 'registry'
  | 'draft'
  | 'staged'
  | 'batches'
  | 'close-ledger'
  | 'close-reminders'
  | 'moves'
  | 'players-ledger'
  | 'session-hashes'
  | 'location-exclusions'
  | 'roles'
  | 'grants'
  | 'bindings'
  | 'fleet-keys'
  | 'permissions'
  | 'fleet'
  | 'format'
  | 'config'
  | 'language-forms'
  | 'language-titles'
  | 'language-lemmas'
  | 'legacy'
  | 'transcript'
  | 'sample'
  | 'other'

const fixed: ReadonlyMap<string, FileRole> = new Map([
  ['kontrybutorzy.md', 'contributors'],
  ['.svc/pu/batches.jsonl', 'batches'],
  ['.svc/close/ledger.jsonl', 'close-ledger'],
  ['.svc/close/reminders.jsonl', 'close-reminders'],
  ['.svc/money/moves.jsonl', 'moves'],
  ['.svc/players/ledger.jsonl', 'players-ledger'],
  ['.svc/sessions/hashes.jsonl', 'session-hashes'],
  ['.svc/location-exclusions.txt', 'location-exclusions'],
  ['.svc/roles.json', 'roles'],
  ['.svc/grants.json', 'grants'],
  ['.svc/bindings.json', 'bindings'],
  ['.svc/fleet-keys.json', 'fleet-keys'],
  ['.svc/permissions.json', 'permissions'],
  ['.svc/fleet.json', 'fleet'],
  ['.svc/format.json', 'format'],
  ['.svc/config.json', 'config'],
  ['jezyk/odmiany.tsv', 'language-forms'],
  ['jezyk/tytuly.txt', 'language-titles'],
  ['jezyk/lematy.tsv', 'language-lemmas'],
  ['Gracze.md', 'legacy'],
  ['entities.md', 'legacy'],
])

const identityRoles: ReadonlySet<FileRole> = new Set([
  'contributors',
  'roles',
  'grants',
  'bindings',
  'fleet-keys',
])

/**
 * The files that say who may do what. The daemon reads them by path from HEAD, also when the tree cannot be
 * loaded (D63).
 */
export const identityPaths: ReadonlyArray<string> = [...fixed]
  .filter(([, role]) => identityRoles.has(role))
  .map(([path]) => path)

/** Whether the layout names this path, so that it tells nothing about the content of a repository. */
export const isFixedPath = (path: string): boolean => fixed.has(path)

/** The role of a file. The snapshot has no text of a file of the lore with the role `other` and the like (`isRead`). */
export const roleOf = (path: string): FileRole => {
  const name = path.normalize('NFC')
  const known = fixed.get(name)
  if (known !== undefined) return known
  if (direct(name, '.svc/staged/') && name.endsWith('.md')) return 'staged'
  if (name.startsWith('logi/')) return 'transcript'
  if (name.startsWith('samples/') && name.endsWith('.jsonl')) return 'sample'
  if (!name.toLowerCase().endsWith('.md') || name.startsWith('.svc/')) return 'other'
  if (direct(name, 'encje/')) return 'index'
  if (direct(name, 'Postaci/Gracze/')) return 'character'
  if (name.startsWith('zgłoszenia/')) return 'draft'
  if (name.startsWith('Lokacje/') && name.endsWith('/Sesje.md')) return 'registry'
  if (name.startsWith('.robot') || name.endsWith('-ent.md')) return 'legacy'
  return 'sessions'
}

/** Whether the snapshot needs the text of files of the lore with this role: of transcripts it only knows the names. */
export const isRead = (role: FileRole): boolean =>
  role !== 'other' && role !== 'transcript' && role !== 'sample'

const ledgerRoles: ReadonlySet<FileRole> = new Set(['batches', 'close-ledger', 'moves'])

/**
 * The ledgers of what was settled, closed and paid. If one of them counted as absent, the host would enact all of it
 * again, so they have a size limit of their own, no budget leaves them out, and the write gate closes where one cannot
 * be read.
 */
export const ledgerPaths: ReadonlyArray<string> = [...fixed]
  .filter(([, role]) => ledgerRoles.has(role))
  .map(([path]) => path)

export const isEnactedLedger = (path: string): boolean => ledgerRoles.has(roleOf(path))

const mebibyte = 1024 ** 2

/** The largest lore file that is parsed, in MiB. A community's largest files are a few hundred KB. */
const fileMebibytes = 8

const ledgerMebibytes = 64

/** The largest file that is parsed at every path. */
export const fileBytesMax = fileMebibytes * mebibyte

/** The largest ledger of `ledgerPaths` that is parsed. */
export const ledgerBytesMax = ledgerMebibytes * mebibyte

/** The largest file that is parsed at a path, in MiB. */
export const mebibytesMaxOf = (path: string): number =>
  isEnactedLedger(path) ? ledgerMebibytes : fileMebibytes

/** The largest file that is parsed at a path, in bytes. */
export const bytesMaxOf = (path: string): number => mebibytesMaxOf(path) * mebibyte

/** Whether lore would be missing if the folder at this path were something else, such as a link. */
export const isLoreFolder = (path: string): boolean => loreFolders.has(path.normalize('NFC'))

/** The path of a decode error, as in `$.tags[0]`. It contains no decoded value. */
export const pathOfContext = (context: t.Context): string =>
  `$${context.map((_, at) => stepOf(context, at)).join('')}`.slice(0, pathCharsMax)

/** The path of the first error. */
export const pathOfErrors = (errors: t.Errors): string => pathOfContext(errors[0]?.context ?? [])

/** A name as one segment of a path: it cannot leave the folder or end the segment. */
export const pathSegment = (name: string): string => {
  const plain = nfc(name)
    .replace(/[/\\\p{Cc}]/gu, '-')
    .trim()
  return /^(?:\.{0,2}|\.git)$/iu.test(plain) ? `_${plain.slice(1)}` : plain
}

/** Whether every checkout can hold a path, also inside the folder of its clone. */
export const pathFits = (path: string): boolean =>
  Buffer.byteLength(path) <= pathBytesMax &&
  path.split('/').every(segment => Buffer.byteLength(segment) <= segmentBytesMax)

/**
 * Why some file system cannot hold a segment; null when all can. One path that Windows rejects fails the
 * whole clone of everybody who works there (docs/spec/security.md#security-4-8-26).
 */
export const segmentFault = (segment: string): string | null => {
  if (Buffer.byteLength(segment) > segmentBytesMax) return `is longer than ${segmentBytesMax} bytes`
  if (unheld.test(segment)) return 'has one of < > : " | ? * / \\'
  return device.test(segment) ? 'is a name that file systems reserve' : null
}

/** Size of a file's text in bytes of UTF-8, computed once. */
export const textBytes = perValue((file: SourceFile): number => Buffer.byteLength(file.text))

/**
 * Upper bound of the bytes that a file has after an edit; exact when it exceeds `enough`. Below `enough` the
 * removed bytes may be ignored, because most edits are far from any bound and then need no copy of the file.
 */
export const bytesAfter = (file: SourceFile | null, edit: FileEdit, enough: number): number => {
  if (edit._tag === 'Whole') return Buffer.byteLength(edit.after ?? '')
  if (file === null) return 0
  const added = edit.splices
    .flatMap(({ lines }) => lines)
    .reduce((sum, line) => sum + Buffer.byteLength(line) + newlineBytes, newlineBytes)
  const most = textBytes(file) + added
  return most <= enough ? most : Buffer.byteLength(applySplices(file.text, edit.splices))
}

/**
 * One file of the served commit. `text` has no BOM. `undecodable` is true when the bytes are not UTF-8
 * (`text` then has U+FFFD).
 */
export interface SourceFile {
  readonly path: RepoPath
  readonly blob: BlobId
  readonly text: string
  readonly undecodable: boolean
  /** Whether a BOM was removed. */
  readonly bom?: true
  /** The committed bytes could not be read: `text` is empty and tells nothing about the file. */
  readonly unread?: true
}

/** The version in `.svc/format.json`, compared with the one that this daemon reads (D21). */
export interface Format {
  readonly stamped: number | null
  readonly expected: 2
  readonly state: 'Current' | 'SchemaTooOld' | 'SchemaTooNew'
}

/**
 * The format of the repository. A missing or unreadable stamp counts as too old, one above 2 as too new
 * (LAYOUT, D21).
 */
export const formatOf = (file: SourceFile | null): Format => {
  const stamped = file === null ? null : stampOf(file)
  const state = stamped === null || stamped < 2 ? 'SchemaTooOld' : stamped > 2 ? 'SchemaTooNew' : 'Current'
  return { stamped, expected: 2, state }
}

/** Bytes of UTF-8 in ranges of lines, newlines included. Takes one pass over the text to find the lines. */
export const bytesOfLines = (text: string, ranges: ReadonlyArray<LineRange>): number => {
  const starts = lineStarts(text)
  const startOf = (line: number): number => starts[line - 1] ?? text.length
  return ranges.reduce(
    (sum, { from, to }) =>
      to < from ? sum : sum + Buffer.byteLength(text.slice(startOf(from), startOf(to + 1))),
    0,
  )
}

/** The edit that appends lines to a file, or creates it when `file` is null. */
export const appendLines = (
  file: SourceFile | null,
  path: RepoPath,
  lines: ReadonlyArray<string>,
): FileEdit => {
  if (file === null) return { _tag: 'Whole', path, before: null, after: `${lines.join('\n')}\n` }
  const count = lineStarts(file.text).length - 1
  return {
    _tag: 'Lines',
    path: file.path,
    before: file.blob,
    splices: [{ from: count + 1, to: count, lines }],
  }
}

/**
 * Visits each line of a text, without its newline and numbered from 1, until `visit` returns false. It makes
 * no list of the lines, so that a file of millions of short lines takes no memory.
 */
export const visitLinesInSlices = function* (
  text: string,
  visit: (raw: string, line: number) => boolean,
): Sliced<void> {
  let [line, since] = [0, 0]
  const hasCr = text.includes('\r')
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const cr = hasCr ? text.indexOf('\r', start) : -1
    const end = Math.min(...[newline, cr].map(at => (at < 0 ? text.length : at)))
    line += 1
    if (!visit(text.slice(start, end), line)) return
    start = end + (text.startsWith('\r\n', end) ? 2 : 1)
    if (line % linesPerSlice !== 0 && start - since < charsPerSlice) continue
    since = start
    yield
  }
}

const direct = (path: string, folder: string): boolean =>
  path.startsWith(folder) && !path.slice(folder.length).includes('/')

/** The folders whose names alone say that lore is in them. */
const loreFolders: ReadonlySet<string> = new Set([
  'encje',
  'Postaci',
  'Postaci/Gracze',
  'Lokacje',
  'zgłoszenia',
  '.svc',
  '.svc/close',
  '.svc/money',
  '.svc/pu',
])

const pathCharsMax = 200

/**
 * Whether io-ts made this key for a member of a union or an intersection: such a key is an index of the
 * codec, not of the value.
 */
const isMember = (context: t.Context, at: number): boolean => {
  const parent = context[at - 1]?.type
  const tag: unknown = parent === undefined ? undefined : Reflect.get(parent, '_tag')
  return tag === 'UnionType' || tag === 'IntersectionType'
}

const stepOf = (context: t.Context, at: number): string => {
  const key = context[at]?.key ?? ''
  if (at === 0 || key === '' || isMember(context, at)) return ''
  return /^\d+$/.test(key) ? `[${key}]` : `.${key}`
}

const segmentBytesMax = 255
const pathBytesMax = 1024

const device = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])\s*(?:\.|$)/iu
const unheld = /[<>:"|?*/\\\p{Cc}]/u

/** Bytes of the newline of an added line, CRLF at most. */
const newlineBytes = 2

const Stamp = t.type({ format: t.Int })

const stampOf = (file: SourceFile): number | null => {
  const parsed = tryCatch<unknown, unknown>(
    () => JSON.parse(file.text),
    error => error,
  )
  if (isLeft(parsed)) return null
  const stamp = Stamp.decode(parsed.right)
  return isLeft(stamp) ? null : stamp.right.format
}

/** Lines of a text, counted from 1, `to` inclusive; empty when `to` is before `from`. */
interface LineRange {
  readonly from: number
  readonly to: number
}

/** Lines visited between two yields. */
const linesPerSlice = 256

/** A row of a ledger may be long: a slice has one of them, or many short ones. */
const charsPerSlice = 256 * 1024
