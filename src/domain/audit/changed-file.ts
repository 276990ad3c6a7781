import { absurd } from 'fp-ts/lib/function.js'
import { pathOf, type RepoPath } from '#protocol/atoms.js'
import type { ChangeOp, Withheld } from '#protocol/audit.js'
import { roleOf } from '#src/domain/lore/layout.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { differencesOf, type Found } from './differences.js'
import { dropSharedPieces, piecesOf, recordsOf } from './pieces.js'
import { describeValue, type Told } from './told.js'
import { describeBlocks } from './told-block.js'
import { describeCharacter } from './told-character.js'
import { describeRecord, describeSettings } from './told-json.js'
import { describeSession } from './told-session.js'

/** A version of a file. `text` is null when it was not read, because it is too large or no text. */
export interface Version {
  readonly path: string
  readonly text: string | null
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

const sameEnd = ({ kind, name, field, is }: Found): string => JSON.stringify([kind, name, field, is])

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
