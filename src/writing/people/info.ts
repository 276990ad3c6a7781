import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { nameKey, nfc } from '#protocol/atoms.js'
import type { InfoAnswer } from '#protocol/lore/characters.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { View } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { applySplices, type FileEdit, keepHidden, type Splice } from '#src/domain/lore/file-edit.js'
import { pathSegment, type SourceFile, segmentFault } from '#src/domain/lore/layout.js'
import { type Line, linesOf, shownOf } from '#src/domain/lore/lines.js'
import { tagOf, textFault, textStart, valueText } from '#src/domain/lore/rows/rows.js'
import {
  characterPath,
  characterTemplate,
  fileFor,
  parseCharacterFile,
  sectionsOf,
} from '#src/domain/people/character-file.js'
import {
  type CharacterSection,
  isNone,
  type PlacedEntry,
  placeEntries,
  type SectionBody,
} from '#src/domain/people/section-body.js'
import { withheldLinesOf } from '#src/domain/people/visible-document.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { entityClaim } from '../entities/entity-change.js'
import { refuseValue } from '../entities/tags.js'

/**
 * Appends an entry to `Dodatkowe informacje` (A 4.6.8). Keeps every other line; a missing section is added
 * before `Opisane sesje`, a missing file is created.
 */
export const infoAppended = (
  snapshot: Snapshot,
  entity: Entity,
  view: View,
  text: string,
): Either<Refused, ChangeSet<InfoAnswer>> =>
  planInfoWrite(snapshot, entity, view, seen => addition(seen, text))

/**
 * Changes or removes an entry. It must still have the text that the request gives, and the caller must be
 * able to read all of its lines.
 */
export const infoEdited = (
  snapshot: Snapshot,
  entity: Entity,
  view: View,
  edit: InfoEdit,
): Either<Refused | Stale, ChangeSet<InfoAnswer>> =>
  planInfoWrite(snapshot, entity, view, seen => edition(seen, edit))

/** The requested change of an entry: another text, or null to remove it. */
interface InfoEdit {
  readonly match: string
  readonly text: string | null
}

type Stale = RefusalOf<'MatchStale'>
type Refused = RefusalOf<'ValueRefused'>

const faults: ReadonlyArray<readonly [fault: string, has: (text: string) => boolean]> = [
  ['is the word for no entries', isNone],
  ['begins like a tag row', text => tagOf(text) !== null],
]

const textOf = (written: string): Either<Refused, string> => {
  const text = valueText(written)
  const fault = textFault(text) ?? faults.find(([, has]) => has(text))?.[0] ?? null
  return fault === null ? right(text) : left(refuseValue('text', fault))
}

/** The section in its file, and as the caller sees it. */
interface SeenSection {
  readonly place: InfoPlace
  /** Entries as `GET` serves them to the caller. */
  readonly shown: ReadonlyArray<string>
  /** Whether the caller may read every line of an entry. */
  readonly isWhole: (entry: PlacedEntry) => boolean
}

type Text = Pick<SourceFile, 'path' | 'text'>

/** The entries of a file as `GET` serves them. */
const visibleEntries = (file: Text, view: View): ReadonlyArray<string> =>
  fileFor(view, parseCharacterFile(file))?.additionalInfo ?? []

const seenSection = (file: Text, view: View): SeenSection => {
  const withheld = withheldLinesOf(file.text, view.mayReadRestricted)
  const place = infoPlace(file.text)
  return {
    place,
    shown: visibleEntries(file, view),
    isWhole: ({ first, last }) =>
      place.lines.slice(first.number - 1, last.number).every(({ number }) => !withheld.has(number)),
  }
}

const partlyShown =
  'The entry also holds lines that the caller may not read, so it stays as it is. ' +
  'A caller with player.restricted.read can change it; add an entry of your own instead.'

/**
 * The entry with the text `match`, among those that the caller sees in full; the others cannot be changed.
 */
const entryOf = ({ place, shown, isWhole }: SeenSection, match: string): Either<Stale, PlacedEntry> => {
  const wanted = nfc(match).trim()
  const isMatch = (text: string): boolean => nfc(text).trim() === wanted
  const entry = place.entries.find(one => isMatch(one.text) && isWhole(one))
  if (entry !== undefined) return right(entry)
  const detail = shown.some(isMatch)
    ? partlyShown
    : 'No entry has the text of `match`. Send the text of an entry in `current`.'
  return left(refuse('MatchStale', detail, { current: shown }))
}

/** The splices to make, and the entries that must be read afterwards. */
interface Planned {
  readonly splices: ReadonlyArray<Splice>
  readonly items: ReadonlyArray<string>
}

const textsOf = ({ entries }: InfoPlace): ReadonlyArray<string> => entries.map(one => one.text)

const addition = ({ place, shown }: SeenSection, written: string): Either<Refused, Planned> => {
  const text = textOf(written)
  if (isLeft(text)) return text
  const items = textsOf(place)
  return right(
    shown.includes(text.right)
      ? { splices: [], items }
      : { splices: infoAdded(place, text.right), items: [...items, text.right] },
  )
}

const edition = (seen: SeenSection, { match, text: written }: InfoEdit): Either<Refused | Stale, Planned> => {
  const entry = entryOf(seen, match)
  if (isLeft(entry)) return entry
  const { place } = seen
  const { entries } = place
  if (written === null) {
    const items = entries.filter(one => one !== entry.right).map(one => one.text)
    return right({ splices: infoRemoved(place, entry.right), items })
  }
  const text = textOf(written)
  if (isLeft(text)) return text
  const items = entries.map(one => (one === entry.right ? text.right : one.text))
  return right({
    splices: entry.right.text === text.right ? [] : infoChanged(entry.right, text.right),
    items,
  })
}

const editsOf = (
  file: SourceFile | null,
  path: FileEdit['path'],
  after: string,
  splices: ReadonlyArray<Splice>,
) => {
  if (splices.length === 0) return []
  return file === null
    ? [{ _tag: 'Whole', path, before: null, after } as const]
    : [{ _tag: 'Lines', path, before: file.blob, splices } as const]
}

const sameItems = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((text, at) => text === other[at])

const unwritable = (file: SourceFile | null, after: string, { items }: Planned): Refused | null => {
  if (file?.undecodable === true) return refuseValue('text', 'belongs in a file that is not UTF-8')
  return sameItems(textsOf(infoPlace(after)), items)
    ? null
    : refuseValue('text', 'would not be read as one entry')
}

const planInfoWrite = <R>(
  { characterFiles, files }: Snapshot,
  entity: Entity,
  view: View,
  planned: (seen: SeenSection) => Either<R, Planned>,
): Either<R | Refused, ChangeSet<InfoAnswer>> => {
  const known = characterFiles.get(entity.key)?.path
  const fault = known === undefined ? fileFault(entity) : null
  if (fault !== null) return left(refuseValue('name', fault))
  const path = known ?? characterPath(entity.name)
  const file = files.get(path) ?? null
  const text = file?.text ?? characterTemplate(null)
  const plan = planned(seenSection({ path, text }, view))
  if (isLeft(plan)) return plan
  const splices = keepHidden(linesOf(text), plan.right.splices)
  const after = applySplices(text, splices)
  const refusal = unwritable(file, after, plan.right)
  if (refusal !== null) return left(refusal)
  const edits = editsOf(file, path, after, splices)
  const items = visibleEntries({ path, text: after }, view)
  const said = { file: path, changed: edits.length > 0, count: items.length, items }
  return right({
    edits,
    // Also claims the block: a rename moves the file, and must see a file that this write creates.
    claims: [entityClaim(entity)],
    touches: [{ kind: 'character', name: entity.name }],
    subject: `people: additional information of ${entity.name}`,
    answer: { character: entity.name, ...said },
    preview: { wouldUpdate: entity.name, ...said },
  })
}

const section: CharacterSection = 'dodatkowe informacje'
const header = '**Dodatkowe informacje:**'
const none = '- Brak.'

/** The section `Dodatkowe informacje` of a character file, with its lines. */
interface InfoPlace {
  readonly body: SectionBody | null
  /** Entries as served, without placeholders such as `Brak`. */
  readonly entries: ReadonlyArray<PlacedEntry>
  /** Lines that only say that there is no entry. */
  readonly placeholders: ReadonlyArray<PlacedEntry>
  /** Line of `Opisane sesje`; null when the file has no such section. */
  readonly described: number | null
  readonly lines: ReadonlyArray<Line>
}

/** Finds the section in the text of a character file (FORMATS 3). */
const infoPlace = (text: string): InfoPlace => {
  const { lines } = linesOf(text)
  const { bodies } = sectionsOf(lines)
  const body = bodies.get(section) ?? null
  const all = body === null ? [] : placeEntries(body)
  return {
    body,
    entries: all.filter(entry => !isNone(entry.text)),
    placeholders: all.filter(entry => isNone(entry.text)),
    described: bodies.get('opisane sesje')?.line ?? null,
    lines,
  }
}

/** The line of an entry, with the indent and list marker of the line that it replaces or follows. */
const entryLine = (text: string, like: Line | null): string =>
  (like?._tag === 'Item' ? shownOf(like).slice(0, textStart(like)) : '- ') + text

const inPlace = ({ first, last }: PlacedEntry, line: string): Splice => ({
  from: first.number,
  to: last.number,
  lines: [line],
})

const before = (line: number, lines: ReadonlyArray<string>): Splice => ({ from: line, to: line - 1, lines })

const isBlank = (line: Line | undefined): boolean => line === undefined || line._tag === 'Blank'

/** Inserts a missing section before `Opisane sesje` or at the end (FORMATS 3). */
const newSection = ({ described, lines }: InfoPlace, line: string): ReadonlyArray<Splice> => {
  const at = described ?? lines.length + 1
  const above = isBlank(lines[at - 2]) ? [] : ['']
  return [before(at, [...above, header, line, ...(described === null ? [] : [''])])]
}

/** Removes `Brak.` from the header line, which is wrong once an entry follows. */
const inlineNone = (body: SectionBody, lines: ReadonlyArray<Line>): ReadonlyArray<Splice> => {
  const header = lines[body.line - 1]
  const shown = header === undefined ? '' : shownOf(header).trimEnd()
  const none = /brak\.?$/iu.exec(shown)
  const end = none === null ? -1 : shown.slice(0, none.index).trimEnd().length
  return isNone(body.inline) && body.inline !== '' && end > 0
    ? [{ from: body.line, to: body.line, lines: [shown.slice(0, end)] }]
    : []
}

/** The splices that append an entry. */
const infoAdded = (place: InfoPlace, text: string): ReadonlyArray<Splice> => {
  const { body, entries, placeholders, lines } = place
  const [last, empty] = [entries.at(-1), placeholders[0]]
  if (body === null) return newSection(place, entryLine(text, null))
  if (last !== undefined) return [before(last.last.number + 1, [entryLine(text, last.first)])]
  const inline = inlineNone(body, lines)
  return empty === undefined
    ? [...inline, before(body.line + 1, [entryLine(text, null)])]
    : [...inline, inPlace(empty, entryLine(text, empty.first))]
}

/** The splices that change the text of an entry. */
const infoChanged = (entry: PlacedEntry, text: string): ReadonlyArray<Splice> => [
  inPlace(entry, entryLine(text, entry.first)),
]

/** The splices that remove an entry; in place of the last one they leave the word for none. */
const infoRemoved = ({ entries }: InfoPlace, entry: PlacedEntry): ReadonlyArray<Splice> => {
  const { first, last } = entry
  return entries.length === 1 ? [inPlace(entry, none)] : [{ from: first.number, to: last.number, lines: [] }]
}

/**
 * Why a Postać cannot have a file; null when it can. A character file is found by its name alone: under an
 * altered name it would not be found again, or would belong to another Postać
 * (docs/spec/security.md#security-4-8-26).
 */
const fileFault = ({ name, key }: Pick<Entity, 'name' | 'key'>): string | null => {
  const fault = segmentFault(`${name}.md`) ?? (nameKey(pathSegment(name)) === key ? null : 'cannot be a path')
  return fault === null ? null : `cannot be a file name, because it ${fault}; rename the Postać first`
}
