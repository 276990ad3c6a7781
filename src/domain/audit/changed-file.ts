import { isRight } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { nameKey, pathOf, type RepoPath } from '#protocol/atoms.js'
import { configKeys } from '#protocol/host/config.js'
import type { ChangeOp, Withheld } from '#protocol/lore/audit.js'
import { parseJson } from '#src/domain/json/json-text.js'
import { headingOf, parseBlocks } from '#src/domain/lore/blocks.js'
import { roleOf } from '#src/domain/lore/layout.js'
import { type Line, linesOf, shownOf } from '#src/domain/lore/lines.js'
import { type Block, type Row, rangeText } from '#src/domain/lore/rows/row-change.js'
import { type BlockKind, readHeader, sessionKey } from '#src/domain/lore/session-header.js'
import { isCredentialTag, isTopicTag, opensChannel } from '#src/domain/lore/topic-text.js'
import { sectionsOf } from '#src/domain/people/character-file.js'
import { lineText, placeEntries, type SectionBody } from '#src/domain/people/section-body.js'
import { readSection, type SectionBlock } from '#src/domain/sessions/reading/section.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import {
  describeValue,
  differencesOf,
  type Found,
  secrecyOfText,
  type Told,
  type ToldValue,
} from './differences.js'
import { dropSharedPieces, piecesOf, recordsOf } from './notifications.js'

/** A version of a file. `text` is null when it was not read, because it is too large or no text. */
export interface Version {
  readonly path: string
  readonly text: string | null
}

/**
 * The changes in a file, field by field. A change without a differing field, or in a file that is not
 * described, is reported for the whole file. Yields every few milliseconds.
 */
export const changesOfFile = function* (
  before: Version | null,
  after: Version | null,
): Sliced<ReadonlyArray<Found>> {
  if (before?.text === null || after?.text === null) return [ofFile(before, after, 'unread')]
  const old = yield* cutOf(before)
  yield
  const now = yield* cutOf(after)
  yield
  const parts = yield* dropSharedPieces(old?.parts ?? [], now?.parts ?? [])
  const found = yield* differencesOf(
    yield* describePieces(old, parts.before),
    yield* describePieces(now, parts.after),
  )
  return found.length === 0 || opOf(before, after) === 'renamed'
    ? [ofFile(before, after, null), ...found]
    : found
}

/**
 * The changes of a commit in a file against all of its parents. What a merge took from one parent was
 * reported with the commit that made it. `before` is the version of the first parent.
 */
export const changesOfCommit = function* (
  befores: ReadonlyArray<Version | null>,
  after: Version | null,
): Sliced<ReadonlyArray<Found>> {
  const [first = null, ...others] = befores
  let found = yield* changesOfFile(first, after)
  for (const before of others) {
    const ends = new Set((yield* changesOfFile(before, after)).map(sameEnd))
    found = found.filter(one => ends.has(sameEnd(one)))
    yield
  }
  return found
}

/** How the parts of a file are described; null for files of which only the fact of a change is reported. */
interface Telling {
  readonly cut: (text: string) => Sliced<ReadonlyArray<string>>
  readonly told: (part: string, path: RepoPath) => ReadonlyArray<Told>
}

const whole = function* (text: string): Sliced<ReadonlyArray<string>> {
  yield
  return [text]
}

const describerOf = (path: string): Telling | null => {
  const role = roleOf(path)
  switch (role) {
    case 'index':
      return { cut: piecesOf, told: describeBlocks('entity') }
    case 'contributors':
      return { cut: piecesOf, told: describeBlocks('person') }
    case 'sessions':
      return { cut: piecesOf, told: describeSession }
    case 'character':
      return { cut: whole, told: describeCharacter }
    case 'batches':
    case 'close-ledger':
    case 'close-reminders':
    case 'moves':
    case 'session-hashes':
      return { cut: recordsOf, told: describeRecord }
    case 'roles':
    case 'format':
    case 'config':
      return { cut: whole, told: describeSettings }
    // Legacy files may hold credentials, drafts belong to their authors, and the rest is no lore.
    case 'legacy':
    case 'draft':
    case 'staged':
    case 'registry':
    case 'location-exclusions':
    // The audit stream reports changes of rights, under a capability of its own.
    case 'grants':
    case 'bindings':
    case 'fleet-keys':
    case 'fleet':
    case 'permissions':
    case 'players-ledger':
    case 'language-forms':
    case 'language-titles':
    case 'language-lemmas':
    case 'transcript':
    case 'sample':
    case 'other':
      return null
    default:
      return absurd(role)
  }
}

const opOf = (before: Version | null, after: Version | null): ChangeOp => {
  if (before === null) return 'added'
  if (after === null) return 'removed'
  return before.path === after.path ? 'changed' : 'renamed'
}

const ofFile = (before: Version | null, after: Version | null, withheld: Withheld | null): Found => {
  const op = opOf(before, after)
  return {
    kind: 'file',
    name: after?.path ?? before?.path ?? null,
    field: null,
    op,
    was: op === 'renamed' ? (before?.path ?? null) : null,
    is: op === 'renamed' ? (after?.path ?? null) : null,
    withheld,
  }
}

/**
 * A longer part is not read, because it would block the event loop. No block, session or character is as
 * long.
 */
const partCharsMax = 128 * 1024

const tooLong = (part: string, path: RepoPath): Told => {
  const name = part.slice(0, 200).split('\n', 1)[0]?.trim() ?? ''
  return { kind: 'file', name: path, key: name, values: [describeValue(name, part, '', 'unread')] }
}

interface Cut {
  readonly path: RepoPath
  readonly way: Telling
  readonly parts: ReadonlyArray<string>
}

const cutOf = function* (version: Version | null): Sliced<Cut | null> {
  const path = version === null ? null : pathOf(version.path)
  const way = path === null ? null : describerOf(path)
  return version === null || version.text === null || path === null || way === null
    ? null
    : { path, way, parts: yield* way.cut(version.text) }
}

const describePieces = function* (
  cut: Cut | null,
  parts: ReadonlyArray<string>,
): Sliced<ReadonlyArray<Told>> {
  const told: Array<Told> = []
  if (cut === null) return told
  for (const part of parts) {
    const short = part.length <= partCharsMax
    for (const one of short ? cut.way.told(part, cut.path) : [tooLong(part, cut.path)]) told.push(one)
    yield
  }
  return told
}

const sameEnd = ({ kind, name, field, is }: Found): string => JSON.stringify([kind, name, field, is])

/** Tags of a person whose values may be reported; any other row may hold a key under a wrong name. */
const ofPersons: ReadonlySet<string> = new Set([
  'alias',
  'nazwa_svc',
  'nick',
  'gameid',
  'rola',
  'status',
  'chat',
  'chat_rola',
  'tematy',
])

const secrecyOfTag = (kind: 'entity' | 'person', { tag, value }: Row): Withheld | null => {
  const isSecret = isCredentialTag(tag) || opensChannel(tag, value)
  if (isSecret || (kind === 'person' && !ofPersons.has(tag))) return 'secret'
  return isTopicTag(tag) ? 'restricted' : null
}

const showRow = ({ value, range, auto }: Row): string => {
  const days = rangeText(range.from, range.to)
  return `${value}${days === '' ? '' : ` (${days})`}${auto ? ' (auto)' : ''}`
}

const proseOf = (kind: 'entity' | 'person', { prose }: Block): ReadonlyArray<ToldValue> =>
  prose.length === 0
    ? []
    : [describeValue('treść', prose.map(one => one.text).join('\n'), '', kind === 'person' ? 'secret' : null)]

const describeBlock = (kind: 'entity' | 'person', block: Block): Told => {
  const type = block.rows.find(row => row.tag === 'typ')?.value ?? ''
  return {
    kind,
    name: block.heading,
    key: `${nameKey(block.heading)}\n${nameKey(type)}`,
    values: [
      ...block.rows.map(row => describeValue(row.tag, showRow(row), row.value, secrecyOfTag(kind, row))),
      ...proseOf(kind, block),
    ],
  }
}

/** The blocks in a piece of an index file or of the contributor store. */
const describeBlocks =
  (kind: 'entity' | 'person') =>
  (piece: string, path: RepoPath): ReadonlyArray<Told> =>
    parseBlocks({ path, text: piece }).blocks.map(block => describeBlock(kind, block))

const lists: ReadonlySet<string> = new Set(['przedmioty specjalne', 'reputacja', 'dodatkowe informacje'])

const ofSection = (section: string, body: SectionBody): ReadonlyArray<ToldValue> => {
  const withheld = section === 'tematy zastrzeżone' ? 'restricted' : null
  const inline = body.inline === '' ? [] : [body.inline]
  if (lists.has(section))
    return [...inline, ...placeEntries(body).map(entry => entry.text)].map(text =>
      describeValue(section, text, text, withheld),
    )
  const text = [...inline, ...body.lines.map(lineText)].join('\n').trim()
  return text === '' ? [] : [describeValue(section, text, '', withheld)]
}

/** The one character of a character file, by its sections (FORMATS 3). */
const describeCharacter = (text: string, path: RepoPath): ReadonlyArray<Told> => {
  const name = headingOf(path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/iu, ''))
  const { bodies, described } = sectionsOf(linesOf(text).lines)
  const values = [
    ...[...bodies].flatMap(([section, body]) => ofSection(section, body)),
    ...described.map(one => describeValue('opisane sesje', one.text)),
  ]
  return [{ kind: 'character', name, key: nameKey(name), values }]
}

/** The most objects around a described leaf; counts the outermost object, which is the file. */
const objectsMax = 6

const texts = t.readonlyArray(t.string)

const known: ReadonlyMap<string, t.Mixed> = new Map(
  Object.entries(configKeys).map(([name, { codec }]): readonly [string, t.Mixed] => [name, codec]),
)

/**
 * Whether a value may be shown: a number under `format`, texts under `roles.`, and a value that the codec of
 * its config key accepts. Any other value could be a secret. `describeValue` still withholds a value whose
 * text holds a credential tag or names restricted topics.
 */
const mayShow = (name: string, value: unknown): boolean => {
  if (name === 'format') return typeof value === 'number'
  if (name.startsWith('roles.')) return texts.is(value)
  const codec = known.get(name)
  return codec !== undefined && isRight(codec.decode(value))
}

const leavesOf = (value: unknown, name: string, objectsLeft: number): ReadonlyArray<ToldValue> => {
  if (t.UnknownRecord.is(value) && !Array.isArray(value))
    return objectsLeft === 0
      ? []
      : Object.entries(value).flatMap(([key, inner]) =>
          leavesOf(inner, name === '' ? key : `${name}.${key}`, objectsLeft - 1),
        )
  const whyWithheld = mayShow(name, value) ? null : 'secret'
  if (texts.is(value)) return value.map(one => describeValue(name, one, one, whyWithheld))
  // The subject is empty: nothing of a scalar stays when it changes.
  return Array.isArray(value) ? [] : [describeValue(name, String(value), '', whyWithheld)]
}

/**
 * The settings in a JSON file, each by its dotted name; a list of texts has one value for each text. Leaves
 * inside more than `objectsMax` objects are left out, and so are lists of anything but texts. A text that is
 * not JSON is one withheld value without a name.
 */
const describeSettings = (text: string, path: string): ReadonlyArray<Told> => {
  const values = leavesOf(parseJson(text), '', objectsMax)
  return [{ kind: 'setting', name: path, key: path, values }]
}

const Named = t.partial({ header: t.string, id: t.string })

/**
 * A record of a ledger by its name only; the routes of that ledger serve its content. The name is its
 * `header`, else its `id`; null when it has neither, or when one of them is no text. `key`, the whole record,
 * only matches the versions of a record; no answer contains it.
 */
const describeRecord = (record: string): ReadonlyArray<Told> => {
  const read = parseJson(record)
  const name = Named.is(read) ? (read.header ?? read.id ?? null) : null
  return [{ kind: 'ledger', name, key: record, values: [] }]
}

const fieldNames: Readonly<Record<Exclude<BlockKind, 'Preserved'>, string>> = {
  Locations: 'Lokacje',
  Logs: 'Logi',
  Points: 'PU',
  Participants: 'Uczestnicy',
  Changes: 'Zmiany',
  Transfer: 'Transfer',
  Intel: 'Intel',
}

const fieldOf = ({ head }: SectionBlock): string =>
  head.kind === 'Preserved' ? head.name : fieldNames[head.kind]

/** A value of a session, which only callers who may read sessions see. */
const fieldValue = (field: string, text: string, subject: string = text): ToldValue =>
  describeValue(field, text, subject, secrecyOfText(text) ?? 'session')

/** The lines from `from` up to but excluding `to`, without blanks around them. */
const textOf = (lines: ReadonlyArray<Line>, from: number, to: number): string =>
  lines
    .slice(from - 1, to - 1)
    .filter(({ _tag }) => _tag !== 'Hidden')
    .map(line => shownOf(line).trimEnd())
    .join('\n')
    .trim()

const subjectOf = (text: string): string => text.split(':', 1)[0] ?? ''

/** The values of a block: one for each entry, and one for its inline text. */
const ofBlock = (lines: ReadonlyArray<Line>, block: SectionBlock): ReadonlyArray<ToldValue> => {
  const field = fieldOf(block)
  const { children } = block.item
  const entries = children.map((child, at) =>
    textOf(lines, child.line, children[at + 1]?.line ?? block.endLine + 1),
  )
  const inline = block.head.inline === '' ? [] : [block.head.inline]
  return [...inline, ...entries].map(text => fieldValue(field, text, subjectOf(text)))
}

/** The session in a piece of a Markdown file; empty when the piece is none. */
const describeSession = (piece: string): ReadonlyArray<Told> => {
  const { lines } = linesOf(piece)
  const [header] = lines
  if (header?._tag !== 'Header' || header.level !== 3 || readHeader(header.text)._tag !== 'Session') return []
  const section = readSection(lines.slice(1))
  const body = section.body.map(run => textOf(lines, run.line, run.endLine + 1)).filter(text => text !== '')
  return [
    {
      kind: 'session',
      name: sessionKey(header.text),
      key: sessionKey(header.text),
      values: [
        ...section.blocks.flatMap(block => ofBlock(lines, block)),
        ...(section.italic === null ? [] : [fieldValue('Lokacje', section.italic)]),
        ...section.plainLogs.map(address => fieldValue('Logi', address)),
        ...(body.length === 0 ? [] : [fieldValue('treść', body.join('\n\n'), '')]),
      ],
    },
  ]
}
