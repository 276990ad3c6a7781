import { type Day, type EntityType, entityTypes, type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { denominationIn } from '#src/domain/currency/purses.js'
import { type Owner, type Stacks, stacksOf } from '#src/domain/currency/stacks.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { type BlockRecord, blockRecord, findRecorded } from '#src/domain/entities/reading.js'
import { readQuantity } from '#src/domain/lore/figures.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { activeOn } from '#src/domain/lore/rows/days.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { firstNames } from '#src/domain/names/name-index.js'
import { type FormResolution, resolveName, resolveUpToForms } from '#src/domain/names/resolve.js'
import type { NameIndex, Resolution } from '#src/domain/names/spelling-table.js'
import { intelTargetKey } from '../intel-recipients.js'
import type { ChangedTag, Meaning, Session, SessionCopy, SessionTransfer } from '../session.js'
import type { Move } from './moves.js'

/**
 * Rows of one tag in the deciding order: by FROM, ties in order of arrival (FORMATS 1.5). An immutable
 * weight-balanced tree: adding a row and finding the active one take logarithmic time. A list would be
 * quadratic, because a session may state its rows in any order of FROM.
 */
export interface RowTree {
  readonly row: Row
  readonly left: RowTree | null
  readonly right: RowTree | null
  readonly size: number
  /** The latest TO of its rows; `openEnd` when one has none. */
  readonly latestTo: string
}

/** The tree with one more row, placed after those with the same FROM. */
export const insertRow = (tree: Tree, row: Row): RowTree => {
  if (tree === null) return node(null, row, null)
  return fromOf(tree.row) <= fromOf(row)
    ? balance(tree.left, tree.row, insertRow(tree.right, row))
    : balance(insertRow(tree.left, row), tree.row, tree.right)
}

/** The tree of rows that are already in the deciding order. Linear. */
export const treeOf = (rows: ReadonlyArray<Row>, start = 0, end = rows.length): Tree => {
  const middle = (start + end) >> 1
  const row = rows[middle]
  return start >= end || row === undefined
    ? null
    : node(treeOf(rows, start, middle), row, treeOf(rows, middle + 1, end))
}

/**
 * The last row that is active on a day; null when there is none. Rows up to some place begin on or before the
 * day, and `latestTo` shows whether a subtree of them has an active row, so the search follows one path.
 */
export const lastActive = (tree: Tree, day: Day): Row | null => {
  if (tree === null || tree.latestTo < day) return null
  if (fromOf(tree.row) > day) return lastActive(tree.left, day)
  const after = lastActive(tree.right, day)
  if (after !== null) return after
  return activeOn(tree.row.range, day) ? tree.row : lastActive(tree.left, day)
}

/** The rows in order. */
export const rowsIn = function* (tree: Tree): Generator<Row, void> {
  if (tree === null) return
  yield* rowsIn(tree.left)
  yield tree.row
  yield* rowsIn(tree.right)
}

/** A session whose effects count, with their meaning at close; null where none is recorded. */
export interface ClosedSession {
  readonly session: Session
  readonly meaning: Meaning | null
  /** Whether all of its effects count, or its Transfers alone. */
  readonly part: 'all' | 'transfers'
}

/** The Transfers that are replayed together: those of a closed session, or those of a move of money. */
export interface TransferGroup {
  readonly date: Day
  readonly transfers: ReadonlyArray<SessionTransfer>
  /** What the names meant when the Transfers were applied; null where nothing recorded it. */
  readonly meaning: Partial<Meaning> | null
  readonly origin: Session | Move
}

/** Whether Transfers are those of a move of money. */
export const isMove = (origin: Session | Move): origin is Move => 'by' in origin

/** A side of a replayed Transfer. */
export interface PaymentSide {
  /** The block that the name means; null when it means none or several. */
  readonly owner: BlockRecord | null
  /** The heading of the purse, and what it holds after the Transfer; null when it does not apply. */
  readonly purse: string | null
  readonly after: number | null
  /** Whether the name means one owner, who has no purse of the denomination on the day. */
  readonly lacksPurse: boolean
}

/** What became of one Transfer, in the order in which they were replayed. */
export interface Payment {
  readonly date: Day
  /** The header of its session; null for a move. */
  readonly header: string | null
  /** The id of its move; null for a session. */
  readonly move: string | null
  readonly transfer: SessionTransfer
  /** The canonical name of the denomination; null for a text that is none. */
  readonly denomination: string | null
  /** `pending`: it applies as soon as both sides have a purse. `refused`: it never applies. */
  readonly state: 'applied' | 'pending' | 'refused'
  /** Why it does not apply, in Polish; null for an applied one. */
  readonly reason: string | null
  readonly source: PaymentSide
  readonly destination: PaymentSide
}

/** Callbacks that report what the names of effects mean while an overlay is built. */
export interface Witness {
  readonly block: (origin: Session | Move, name: string, entity: Entity) => void
  readonly several: (origin: Session | Move, name: string) => void
  readonly purse: (origin: Session | Move, name: string, denomination: string, item: Entity) => void
}

/**
 * Whether a record of the block would find it again. Of several blocks of one heading and type a record finds the
 * first one, so the others are looked up by name.
 */
export const isRecordable = ({ entities }: Pick<Overlay, 'entities'>, entity: Entity): boolean =>
  findRecorded(entities, blockRecord(entity)) === entity

/** Mutable state of an overlay while it is built. */
export interface Overlay {
  readonly entities: Entities
  readonly names: NameIndex
  readonly timelines: Timelines
  /** Names that a block has as written. */
  readonly written: Map<string, Resolution>
  /** The other names as forms; sessions add no forms, so this never changes. */
  readonly forms: Map<string, FormResolution>
  /** Spellings that the sessions applied so far have given. */
  readonly aliases: Map<string, Entity>
  readonly stacks: Stacks
  readonly findings: Array<Finding>
  readonly payments: Array<Payment>
  readonly witness: Witness | null
}

/** The block that a name of an effect means. */
export type Meant =
  /** `isForm`: the name is no written name of the block. */
  | { readonly _tag: 'Block'; readonly entity: Entity; readonly isForm: boolean }
  | { readonly _tag: 'Several'; readonly candidates: ReadonlyArray<Entity> }
  /** The name meant several blocks at close, so its effect never applies. */
  | { readonly _tag: 'SeveralAtClose' }
  /** The block meant at close no longer exists; a block with its name today is another one. */
  | { readonly _tag: 'Gone'; readonly record: BlockRecord }
  | { readonly _tag: 'Nobody' }

/**
 * The block that an effect names: the recorded one, else the one that the name resolves to now (D61).
 */
export const blockMeant = (
  overlay: Overlay,
  { origin, meaning }: Pick<TransferGroup, 'origin' | 'meaning'>,
  name: string,
): Meant => {
  const meant = resolveMeaning(overlay, meaning, name)
  if (meant._tag === 'Block' && isRecordable(overlay, meant.entity))
    overlay.witness?.block(origin, name, meant.entity)
  if (meant._tag === 'Several') overlay.witness?.several(origin, name)
  return meant
}

/** Resolves a name as an effect that counts now would: up to forms, to a Gracz only when nothing else has it. */
export const resolveEffectName = (names: NameIndex, name: string): FormResolution =>
  resolveUpToForms(names, name, [writable, null])

/** The owner on a side of a transfer. */
export const sideOwner = (overlay: Overlay, meant: Meant, name: string): Owner =>
  meant._tag === 'Block' ? meant.entity : ownerOf(overlay, name)

/**
 * The denomination that an item has by its rows so far, those of sessions included; null where it is no money. The
 * stacks may not have the item, because an overlay for one session is given few items.
 */
export const denominationNow = ({ stacks, timelines }: Overlay, item: Entity): string | null =>
  stacks.denominationOf(item) ??
  denominationIn({ rows: [...rowsOf(timelines, item, 'generyczne_nazwy')] })?.name ??
  null

/** What an overlay may begin with beside the blocks. */
interface OverlayStart {
  readonly witness?: Witness
  /** The items that may be purses; without it all of the index. */
  readonly items?: ReadonlyArray<Entity>
  /** The rows of a block before the first session that is applied; without it all. */
  readonly rowsBefore?: (entity: Entity) => ReadonlyArray<Row>
}

/** The overlay before any session: stacks as the blocks have them, and no timelines. */
export const newOverlay = (
  entities: Entities,
  names: NameIndex,
  { witness, items = entities.byType.get('Przedmiot') ?? [], rowsBefore = rowsOfBlock }: OverlayStart = {},
): Overlay => {
  const timelines = newTimelines(rowsBefore)
  const overlay: Overlay = {
    entities,
    names,
    timelines,
    written: new Map(),
    forms: new Map(),
    aliases: new Map(),
    stacks: stacksOf(items, {
      rowsOf: (item, tag) => rowsOf(timelines, item, tag),
      ownerOf: row => rowOwner(overlay, row),
      ownerNamed: name => ownerOf(overlay, name),
      ownerOn: (item, day) => {
        const row = timelineRowOn(timelines, item, 'należy_do', day)
        return row === null || row.value === '' ? null : rowOwner(overlay, row)
      },
      goneOn: (item, day) => valueOn(timelines, item, 'status', day) === 'Usunięty',
    }),
    findings: [],
    payments: [],
    witness: witness ?? null,
  }
  return overlay
}

/** The reason of a finding about a name that meant several blocks when its session was closed. */
export const severalReason = (name: string): string =>
  `Nazwa „${name}” oznaczała przy zamknięciu sesji więcej niż jedną encję.`

/** The reason of a finding about a recorded block that no file contains any more. */
export const explainLoss = (name: string, { heading, type }: BlockRecord): string =>
  `Nazwa „${name}” oznaczała w chwili zapisu blok ${type} „${heading}”, którego już nie ma.`

/** The quantity on a day; 0 when there is none or it is no whole number. */
export const timelineQuantityOn = (timelines: Timelines, entity: Entity, day: Day): number => {
  const text = valueOn(timelines, entity, 'ilość', day)
  return text === null ? 0 : (readQuantity(text) ?? 0)
}

/** Adds a row after those with the same FROM. */
export const addRow = (timelines: Timelines, entity: Entity, row: Row): void => {
  const tree = insertRow(treeAt(timelines, entity, row.tag), row)
  treesOf(timelines, entity).set(row.tag, tree)
  timelines.touched.add(entity)
  const added = timelines.added.get(entity)
  if (added === undefined) timelines.added.set(entity, [row])
  else added.push(row)
}

/** Adds a finding about an effect of a session, at the file of the copy that contains it. */
export const noteEffect = (
  { findings }: { readonly findings: Array<Finding> },
  session: Session,
  effect: Effect | undefined,
  said: EffectNote,
): void => {
  const copy = (effect === undefined ? undefined : copyByEffect(session).get(effect)) ?? session.copies[0]
  findings.push({ severity: 'warning', ...said, file: copy?.path ?? session.path, subject: session.header })
}

/** The first few blocks that a name may mean, as text for a finding; thousands may share a name. */
export const blocksText = perValue((candidates: ReadonlyArray<Entity>): string => {
  const { names, more } = firstNames(candidates, one => `${one.type} ${one.name}`)
  return names.join(', ') + (more === 0 ? '' : ` i jeszcze ${more}`)
})

/** The finding about an effect whose name is an inflected form of a block. */
export const formNote = (kind: string, name: string, block: Entity, line: number): EffectNote => ({
  kind,
  severity: 'info',
  line,
  reason: `Nazwę „${name}” odczytano jako odmienioną formę: ${block.type} „${block.name}”.`,
  suggestion: `Aby skutek nie zależał od odmiany, wpisz „${block.name}”.`,
})

/** The look-ups in a meaning; those of null find nothing. */
export const recallOf = (meaning: Partial<Meaning> | null): Recall => recall(meaning ?? nothing)

type Tree = RowTree | null

/** Sorts after every day. */
const openEnd = '~'

/** A subtree may weigh this many times its sibling; a heavier one is rotated (Adams; Hirai and Yamamoto). */
const heavier = 3

/** From this ratio of the inner grandchild to the outer one, the rotation is a double one. */
const innerRatio = 2

const fromOf = (row: Row): string => row.range.from ?? ''

const sizeOf = (tree: Tree): number => tree?.size ?? 0

const weightOf = (tree: Tree): number => sizeOf(tree) + 1

const later = (one: string, other: string | undefined): string =>
  other === undefined || one > other ? one : other

const node = (left: Tree, row: Row, right: Tree): RowTree => ({
  row,
  left,
  right,
  size: sizeOf(left) + sizeOf(right) + 1,
  latestTo: later(later(row.range.to ?? openEnd, left?.latestTo), right?.latestTo),
})

const rotateLeft = (left: Tree, row: Row, right: RowTree): RowTree => {
  const inner = right.left
  return inner === null || weightOf(inner) < innerRatio * weightOf(right.right)
    ? node(node(left, row, inner), right.row, right.right)
    : node(node(left, row, inner.left), inner.row, node(inner.right, right.row, right.right))
}

const rotateRight = (left: RowTree, row: Row, right: Tree): RowTree => {
  const inner = left.right
  return inner === null || weightOf(inner) < innerRatio * weightOf(left.left)
    ? node(left.left, left.row, node(inner, row, right))
    : node(node(left.left, left.row, inner.left), inner.row, node(inner.right, row, right))
}

const balance = (left: Tree, row: Row, right: Tree): RowTree => {
  if (right !== null && weightOf(right) > heavier * weightOf(left)) return rotateLeft(left, row, right)
  if (left !== null && weightOf(left) > heavier * weightOf(right)) return rotateRight(left, row, right)
  return node(left, row, right)
}

const writable = entityTypes.filter(type => type !== 'Gracz')

const resolutionTo = (entity: Entity, name: string): Resolution => ({
  entity,
  stage: 'alias',
  confidence: 1,
  ambiguous: false,
  candidates: [entity],
  readings: [{ entity, form: name, cases: [], rule: 'alias' }],
})

/** Resolves a written name, to a Gracz only when no other type has the name (FORMATS 4.5). */
const resolveWritten = (overlay: Overlay, name: string): Resolution => {
  const known = overlay.written.get(name)
  if (known !== undefined) return known
  const first = resolveName(overlay.names, name, { types: writable, upTo: 'alias' })
  const given = overlay.aliases.get(nameKey(name))
  if (first.stage === 'miss' && given !== undefined) return resolutionTo(given, name)
  const found = first.stage === 'miss' ? resolveName(overlay.names, name, { upTo: 'alias' }) : first
  if (found.stage !== 'miss') overlay.written.set(name, found)
  return found
}

/** Resolves a name that an effect depends on: a written name, else an inflected form (D50). */
const target = (overlay: Overlay, name: string): FormResolution => {
  const written = resolveWritten(overlay, name)
  if (written.stage !== 'miss') return { found: written, isForm: false }
  const known = overlay.forms.get(name) ?? resolveEffectName(overlay.names, name)
  overlay.forms.set(name, known)
  return known
}

const resolveNow = (overlay: Overlay, name: string): Meant => {
  const { found, isForm } = target(overlay, name)
  if (found.entity !== null) return { _tag: 'Block', entity: found.entity, isForm }
  return found.ambiguous ? { _tag: 'Several', candidates: found.candidates } : { _tag: 'Nobody' }
}

const resolveAtClose = (overlay: Overlay, name: string, record: BlockRecord): Meant => {
  const entity = findRecorded(overlay.entities, record)
  if (entity === null) return { _tag: 'Gone', record }
  const { found, isForm } = target(overlay, name)
  return { _tag: 'Block', entity, isForm: isForm && found.entity === entity }
}

const resolveMeaning = (overlay: Overlay, meaning: TransferGroup['meaning'], name: string): Meant => {
  const recall = recallOf(meaning)
  const record = recall.block(name)
  if (record !== null) return resolveAtClose(overlay, name, record)
  return recall.isSeveral(name) ? { _tag: 'SeveralAtClose' } : resolveNow(overlay, name)
}

/** The owner that a name in a `@należy_do` row means: a block with the written name, or the key of the name. */
const ownerOf = (overlay: Overlay, name: string): Owner =>
  resolveWritten(overlay, name).entity ?? nameKey(name)

/** The owner that a row names: the recorded one, else by its text. */
const rowOwner = (overlay: Overlay, row: Row): Owner =>
  (row.owner === undefined ? null : findRecorded(overlay.entities, row.owner)) ?? ownerOf(overlay, row.value)

/** The rows of a tag: a list as in the block, a tree once a session uses them. */
type TagRows = ReadonlyArray<Row> | RowTree

type TagTrees = Map<string, TagRows>

/**
 * State while an overlay is built: the rows that sessions add, and the rows of each tag in the deciding
 * order.
 */
interface Timelines {
  readonly added: Map<Entity, Array<Row>>
  readonly byTag: Map<Entity, TagTrees>
  /** The blocks that got rows since the replay last cleared this set. */
  readonly touched: Set<Entity>
  readonly rowsBefore: (entity: Entity) => ReadonlyArray<Row>
}

const newTimelines = (rowsBefore: Timelines['rowsBefore']): Timelines => ({
  added: new Map(),
  byTag: new Map(),
  touched: new Set(),
  rowsBefore,
})

const rowsOfBlock = ({ rows }: Entity): ReadonlyArray<Row> => rows

/** The rows of a block by tag, in the deciding order, collected in one pass. */
const rowTreesOf = (rows: ReadonlyArray<Row>): TagTrees => {
  const byTag = new Map<string, Array<Row>>()
  for (const row of rows) {
    const known = byTag.get(row.tag)
    if (known === undefined) byTag.set(row.tag, [row])
    else known.push(row)
  }
  return byTag
}

const treesOf = ({ byTag, rowsBefore }: Timelines, entity: Entity): TagTrees => {
  const known = byTag.get(entity)
  if (known !== undefined) return known
  const trees = rowTreesOf(rowsBefore(entity))
  byTag.set(entity, trees)
  return trees
}

const isList = (rows: TagRows): rows is ReadonlyArray<Row> => Array.isArray(rows)

const treeAt = (timelines: Timelines, entity: Entity, tag: string): RowTree | null => {
  const trees = treesOf(timelines, entity)
  const known = trees.get(tag)
  if (known === undefined) return null
  if (!isList(known)) return known
  const tree = treeOf(known)
  if (tree !== null) trees.set(tag, tree)
  return tree
}

/** The rows of a tag in the deciding order, including those of the sessions so far. */
const rowsOf = (timelines: Timelines, entity: Entity, tag: string): Iterable<Row> => {
  const known = timelines.byTag.get(entity)
  if (known === undefined) return timelines.rowsBefore(entity).filter(row => row.tag === tag)
  const rows = known.get(tag)
  return rows === undefined ? [] : isList(rows) ? rows : rowsIn(rows)
}

/** The last active row of a tag on a day, including those of the sessions so far; null when there is none. */
const timelineRowOn = (timelines: Timelines, entity: Entity, tag: string, day: Day): Row | null =>
  lastActive(treeAt(timelines, entity, tag), day) ?? null

/** The value of the row that `timelineRowOn` finds. */
const valueOn = (timelines: Timelines, entity: Entity, tag: string, day: Day): string | null =>
  timelineRowOn(timelines, entity, tag, day)?.value ?? null

type Effect = ChangedTag | SessionTransfer

/** The copy that contains each tag and each transfer of a session. */
const copyByEffect = perValue((session: Session): ReadonlyMap<Effect, SessionCopy> => {
  const copies = new Map<Effect, SessionCopy>()
  for (const copy of session.copies)
    for (const effect of [...copy.changes.flatMap(change => change.tags), ...copy.transfers])
      copies.set(effect, copy)
  return copies
})

/** What a finding about an effect says; a warning unless it names another severity. */
export interface EffectNote extends Pick<Finding, 'kind' | 'line' | 'reason' | 'suggestion'> {
  readonly severity?: Finding['severity']
}

const ownerKey = (name: string, of: EntityType): string => `${of}\n${nameKey(name)}`

/** The key of a recorded purse. */
export const purseKey = (name: string, denomination: string): string => `${denomination}\n${nameKey(name)}`

/** Look-ups in a recorded meaning. */
interface Recall {
  readonly block: (name: string) => BlockRecord | null
  readonly isSeveral: (name: string) => boolean
  readonly owner: (name: string, of: EntityType) => BlockRecord | null
  readonly purse: (name: string, denomination: string) => BlockRecord | null
  readonly recipients: (target: string) => ReadonlyArray<BlockRecord> | null
}

const recall = perValue((meaning: Partial<Meaning>): Recall => {
  const blocks = new Map<NameKey, BlockRecord>(meaning.blocks?.map(one => [nameKey(one.name), one]))
  const several = new Set(meaning.several?.map(nameKey))
  const owners = new Map(meaning.owners?.map(one => [ownerKey(one.name, one.of), one]))
  const purses = new Map(
    meaning.purses?.map(one => [
      purseKey(one.name, one.denomination),
      { heading: one.heading, type: 'Przedmiot' as const },
    ]),
  )
  const recipients = new Map(meaning.recipients?.map(one => [intelTargetKey(one.target), one.blocks]))
  return {
    block: name => blocks.get(nameKey(name)) ?? null,
    isSeveral: name => several.has(nameKey(name)),
    owner: (name, of) => owners.get(ownerKey(name, of)) ?? null,
    purse: (name, denomination) => purses.get(purseKey(name, denomination)) ?? null,
    recipients: target => recipients.get(intelTargetKey(target)) ?? null,
  }
})

const nothing: Partial<Meaning> = {}
