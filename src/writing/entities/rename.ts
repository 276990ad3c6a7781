import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Day, type NameKey, nameKey, type RepoPath } from '#protocol/atoms.js'
import type { Reference, RenameAnswer } from '#protocol/lore/entity-writes.js'
import type { RefusalOf } from '#protocol/refusal.js'
import { ownerMeant } from '#src/domain/entities/entities.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { FileEdit, Splice } from '#src/domain/lore/file-edit.js'
import { roleOf, type SourceFile } from '#src/domain/lore/layout.js'
import { rawLines, shownOf } from '#src/domain/lore/lines.js'
import { activeOn } from '#src/domain/lore/rows/days.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { rowSplices, valueSplice } from '#src/domain/lore/rows/row-splices.js'
import { nameTags, valueFault } from '#src/domain/lore/rows/rows.js'
import { characterPath } from '#src/domain/people/character-file.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { quoteBlock } from '../answers/quoted-lore.js'
import {
  type EntityTarget,
  entityClaim,
  fileEdit,
  nameClaim,
  readFile,
  targetOf,
  touchBlock,
} from './entity-change.js'
import { unresolvedUses } from './name-uses.js'
import { placesSharingLeaf, refuseValue, sharedLeafReason } from './tags.js'
import { headingFault, nameTaken, nameText, recordTaken } from './taken.js'

/**
 * Gives a block another heading (B 4.1, ADR 1027). Keeps the old name as an alias, changes the `@należy_do`
 * rows that name it, and moves the character file of a Postać. Reports every other place that holds the old
 * name and leaves it as it is.
 */
export const renameEntity = (
  snapshot: Snapshot,
  entity: Entity,
  written: string,
): Either<RenameRefusal, ChangeSet<RenameAnswer>> => {
  const target = targetOf(snapshot.files, entity, null)
  if (isLeft(target)) return target
  const refusal = refusalOf(snapshot, entity, written)
  if (refusal !== null) return left(refusal)
  const name = nameText(written)
  const moved = characterFileMove(snapshot, entity, name)
  if (isLeft(moved)) return moved
  const { entities, files } = snapshot
  const same = name === entity.name
  const naming = rowsThatName(entities, entity)
  const follows = naming.filter(
    one => !same && isOwnerRow(entities, entity, one) && one.path !== moved.right.from,
  )
  const own = same ? [] : [headingSplice(target.right, name), ...aliasSplices(snapshot, target.right, name)]
  const retargeted = groupMentions(follows.map(mentionOf))
  const kept = naming.filter(one => !follows.includes(one)).map(mentionOf)
  const told = new Set([...naming.map(mentionOf), { file: entity.file, line: entity.line }].map(mentionPlace))
  const prose = textMentions(files, entity.name).filter(one => !told.has(mentionPlace(one)))
  const reported = groupMentions([...kept, ...prose])
  const said = { from: entity.name, retargeted, reported, ...unresolvedUses(snapshot, [name], entity) }
  return right({
    edits: [...editsOf(snapshot, target.right.file, own, follows, name), ...moved.right.edits],
    claims: [
      ...[entity, ...follows.map(one => one.holder)].map(entityClaim),
      nameClaim(entity.key),
      nameClaim(nameKey(name)),
    ],
    touches: [touchBlock({ type: entity.type, name })],
    subject: `entities: ${entity.name} is now ${name}`,
    answer: { renamed: name, ...said },
    preview: { wouldRename: name, ...said },
  })
}

/**
 * Moves the file of a Postać to its new name. Refuses when a file of that name exists, or when the file is
 * not UTF-8.
 */
export const characterFileMove = (
  { characterFiles, files }: Snapshot,
  entity: Entity,
  name: string,
): Either<RefusalOf<'ValueRefused'>, Move> => {
  const from = entity.type === 'Postać' ? (characterFiles.get(entity.key)?.path ?? null) : null
  const file = from === null ? undefined : files.get(from)
  if (from === null || file === undefined) return right({ from: null, edits: [] })
  const path = characterPath(name)
  if (path === from) return right({ from, edits: [] })
  if (files.has(path)) return left(refuseValue('name', `would need the file ${path}, which already exists`))
  if (file.undecodable)
    return left(
      quoteBlock(
        refuseValue('name', `belongs to the file ${from}, which is not UTF-8`),
        refuseValue('name', 'belongs to a character file that is not UTF-8'),
        entity,
      ),
    )
  return right({
    from,
    edits: [
      { _tag: 'Whole', path: from, before: file.blob, after: null },
      { _tag: 'Whole', path, before: null, after: `${file.bom === true ? '\u{feff}' : ''}${file.text}` },
    ],
  })
}

type RenameRefusal = RefusalOf<'RosterStoreProperty' | 'AmbiguousName' | 'ValueRefused' | 'NameTaken'>

/** Whether a block has the name as another spelling that is active today or later. */
const isCalled = ({ rows }: Entity, key: NameKey, day: Day): boolean =>
  rows.some(
    ({ tag, value, range }) =>
      nameTags.has(tag) && nameKey(value) === key && (range.to === null || range.to >= day),
  )

/**
 * Another block that already has a name, by heading or by another spelling that is active today or later; it
 * may be of any type, in the index or the contributor store (D54, ADR 1027). Null when the name is free.
 */
const findOwnerOfName = ({ entities, day }: Snapshot, entity: Entity, name: string): Entity | null => {
  const key = nameKey(name)
  const called = (entities.byAlias.get(key) ?? []).filter(one => isCalled(one, key, day))
  const bearers = [...(entities.byHeading.get(key) ?? []), ...called]
  return bearers.find(one => one !== entity) ?? null
}

/**
 * The splices that keep the old name as an alias without an end; none when only the spelling of the name changes. An
 * alias of that spelling that has ended, or begins later, is opened: without it another block could take the name.
 */
const aliasSplices = (
  { day }: Snapshot,
  { block, lines, entity }: EntityTarget,
  name: string,
): ReadonlyArray<Splice> => {
  if (nameKey(name) === entity.key) return []
  const rows = block.rows.filter(row => row.tag === 'alias' && nameKey(row.value) === entity.key)
  if (rows.some(({ range }) => range.to === null && activeOn(range, day))) return []
  const [row] = rows
  const open = { value: entity.name, range: '' }
  return rowSplices(block, lines, [
    row === undefined ? { _tag: 'Add', tag: 'alias', ...open } : { _tag: 'Rewrite', row, ...open },
  ])
}

const headingSplice = ({ block, lines }: EntityTarget, name: string): Splice => {
  const line = lines.lines[block.line - 1]
  if (line?._tag !== 'Header') throw new Error(`line ${block.line} holds no heading`)
  const shown = shownOf(line)
  const [mark = '### '] = /^[\s\u00a0]*#+[\s\u00a0]*/u.exec(shown) ?? []
  const closing = shown.slice(mark.length + line.text.length)
  return { from: block.line, to: block.line, lines: [mark + name + closing] }
}

/** One edit a file: the splices of the block itself together with those of the rows in its file. */
const editsOf = (
  { files }: Snapshot,
  file: SourceFile,
  own: ReadonlyArray<Splice>,
  rows: ReadonlyArray<NamingRow>,
  name: string,
): ReadonlyArray<FileEdit> => {
  const byFile = new Map<SourceFile, ReadonlyArray<Splice>>([[file, own]])
  for (const { path, row } of rows) {
    const other = files.get(path)
    if (other === undefined) continue
    byFile.set(other, [...(byFile.get(other) ?? []), valueSplice(readFile(other).lines, row, name)])
  }
  return [...byFile].flatMap(([one, splices]) => fileEdit(one, splices))
}

/** Why a block cannot get a name; null when it can. */
const refusalOf = (snapshot: Snapshot, entity: Entity, written: string): RenameRefusal | null => {
  const fault = headingFault(written, entity.type)
  if (fault !== null) return refuseValue('name', fault)
  const name = nameText(written)
  const taken = findOwnerOfName(snapshot, entity, name)
  if (taken !== null) return nameTaken(name, taken)
  const sharing = entity.type === 'Lokacja' ? placesSharingLeaf(snapshot.entities, name, entity) : []
  if (sharing.length > 0) return refuseValue('name', sharedLeafReason, sharing)
  const recorded = recordTaken(snapshot, [name], { type: entity.type, entity })
  if (recorded !== null) return recorded
  // A rename is how a heading with lost characters is mended, so they are no fault of the old name.
  const old = valueFault(entity.name.replaceAll('\ufffd', '?'))
  return old === null ? null : refuseValue('name', `cannot be given: the old one, as an alias, ${old}`)
}

/** A row of a file that names a block. */
interface NamingRow {
  readonly path: RepoPath
  readonly row: Row
  readonly holder: Entity
}

/** Whether a value is the name, or a path with the name as one part. */
const names = (value: string, key: string): boolean =>
  nameKey(value) === key || (value.includes('/') && value.split('/').some(part => nameKey(part) === key))

/** The rows of files that name a block, each once, although `@ref` can show one row in several blocks. */
const rowsThatName = ({ all }: Entities, { key }: Entity): ReadonlyArray<NamingRow> => {
  const rows = new Map<string, NamingRow>()
  for (const holder of all)
    for (const row of holder.rows) {
      if (row.source._tag !== 'File' || !names(row.value, key)) continue
      const { path } = row.source
      const place = `${path}:${row.line}`
      if (!rows.has(place)) rows.set(place, { path, row, holder })
    }
  return [...rows.values()]
}

/** Whether a row names the block as owner, by its heading (B 4.1). */
const isOwnerRow = (entities: Entities, entity: Entity, { row, holder }: NamingRow): boolean =>
  row.tag === 'należy_do' &&
  nameKey(row.value) === entity.key &&
  ownerMeant(entities, holder, row.value) === entity

/** A line that a report groups by file and tag. */
interface Mention {
  readonly file: string
  readonly tag: string | null
  readonly line: number
}

const mentionOf = ({ path, row }: NamingRow): Mention => ({
  file: path,
  tag: row.tag,
  line: row.line,
})

const mentionPlace = ({ file, line }: Pick<Mention, 'file' | 'line'>): string => `${file}:${line}`

/** Groups mentions by file and tag, their lines ascending. */
const groupMentions = (mentions: ReadonlyArray<Mention>): ReadonlyArray<Reference> => {
  const groups = new Map<string, { readonly file: string; readonly tag: string | null; lines: Set<number> }>()
  for (const { file, tag, line } of mentions) {
    const key = `${file}\n${tag ?? ''}`
    const group = groups.get(key) ?? { file, tag, lines: new Set<number>() }
    group.lines.add(line)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ file, tag, lines }) => ({
    file,
    tag,
    lines: [...lines].sort((one, other) => one - other),
  }))
}

const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)

const mentions = (text: string, name: string): boolean => {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + name.length])) return true
  return false
}

/** Lines of all files except the registry that contain a name as written, as whole words. */
const textMentions = (files: ReadonlyMap<string, SourceFile>, name: string): ReadonlyArray<Mention> => {
  const found: Array<Mention> = []
  for (const file of files.values()) {
    if (roleOf(file.path) === 'registry' || !file.text.includes(name)) continue
    rawLines(file.text).forEach((line, at) => {
      if (mentions(line, name)) found.push({ file: file.path, tag: null, line: at + 1 })
    })
  }
  return found
}

/** The edits that move a character file. `from` is null when the entity has no such file. */
interface Move {
  readonly from: RepoPath | null
  readonly edits: ReadonlyArray<FileEdit>
}
