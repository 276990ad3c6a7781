import { changeMap, type LayeredMap, layeredMapOf } from '#src/domain/caching/layered-map.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { collectInSlices } from '#src/domain/entities/reading.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { sortByPrecedence } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import type { LanguageData } from '#src/domain/names/word-table.js'
import { type Sliced } from '#src/domain/slicing/sliced.js'
import type { CloseLedger, Sessions } from '../session.js'
import { applyChanges } from './effects.js'
import { type ClosedSession, newOverlay } from './overlay-state.js'
import { applyTransfers, unreadMoves } from './transfers.js'

/** Kinds of the findings that an overlay reports. */
export const overlayKinds: ReadonlySet<string> = new Set([
  'UnresolvedChange',
  'AmbiguousChange',
  'RefusedChange',
  'UnresolvedTransfer',
  'AmbiguousTransfer',
  'RefusedTransfer',
  'PendingTransfer',
  'InflectedChange',
  'InflectedTransfer',
])

export interface Overlaid {
  readonly entities: Entities
  readonly findings: ReadonlyArray<Finding>
  /**
   * The inputs of the overlay and the rows that sessions add. The next build reuses them while no effect can
   * differ.
   */
  readonly base: Entities
  readonly effects: ReadonlyArray<ClosedSession>
  readonly language: LanguageData
  readonly hasForms: boolean
  readonly added: LayeredMap<Entity, ReadonlyArray<Row>>
  /** The entities of each file of `base`, with the rows of sessions. */
  readonly groups: ReadonlyMap<Group, Group>
}

/**
 * Adds to the entities the rows of closed sessions: Zmiany, then Transfers, by date and header (FORMATS 4.5,
 * 7, 10). A session counts only when the close ledger contains it. A name means the block that the ledger
 * recorded for it (D61); without a record written names and inflected forms count (D50). A name that means no
 * block or several is a finding, and so is one that is a form. Entities that no session touches stay the same
 * objects. With the overlay `before`, effects are applied again only where one could differ.
 */
export const buildOverlayInSlices = function* (
  entities: Entities,
  names: NameIndex,
  sessions: Sessions,
  closeLedger: CloseLedger,
  before: Overlaid | null = null,
): Sliced<Overlaid> {
  const effects = effective(sessions)(closeLedger)
  yield
  const taken = reuseOverlay(entities, names, effects, before)
  yield
  const { added, findings, known } = taken ?? (yield* applyEffects(entities, names, effects))
  const { language } = names
  const isSame =
    before !== null && before.base === entities && before.added === added && before.effects === effects
  if (isSame && before.language === language) return before
  const groups = groupsWith(entities, added, known)
  yield
  const all = [...groups.values()]
  const isBase = all.every((group, at) => group === entities.groups[at])
  const after = isBase ? entities : yield* collectInSlices(all, entities.findings, before?.entities ?? null)
  return {
    ...{ entities: after, findings, base: entities, effects, added, groups },
    ...{ language, hasForms: names.forms !== null },
  }
}

type Group = ReadonlyArray<Entity>

const sameRow = (left: Row, right: Row | undefined): boolean =>
  right !== undefined &&
  left.tag === right.tag &&
  left.value === right.value &&
  left.range.from === right.range.from &&
  left.range.to === right.range.to &&
  left.line === right.line &&
  left.source._tag === 'Session' &&
  right.source._tag === 'Session' &&
  left.source.header === right.source.header &&
  left.owner?.heading === right.owner?.heading &&
  left.owner?.type === right.owner?.type

const sameRows = (left: ReadonlyArray<Row>, right: ReadonlyArray<Row>): boolean =>
  left.length === right.length && left.every((row, at) => sameRow(row, right[at]))

const stated = new WeakMap<Entity, { readonly added: ReadonlyArray<Row>; readonly entity: Entity }>()

/** The entity with the added rows; the same object as before while the added rows are the same. */
const withRows = (base: Entity, added: ReadonlyArray<Row>): Entity => {
  const known = stated.get(base)
  if (known !== undefined && sameRows(known.added, added)) return known.entity
  const entity = { ...base, rows: sortByPrecedence([...base.rows, ...added]) }
  stated.set(base, { added, entity })
  return entity
}

const swapped = new WeakMap<Group, Group>()

/** The group with its touched entities replaced; the same list as before while they are the same. */
const swapGroup = (group: Group, touched: ReadonlyMap<Entity, Entity>): Group => {
  const made = group.map(entity => touched.get(entity) ?? entity)
  const known = swapped.get(group)
  if (known?.every((entity, at) => entity === made[at]) === true) return known
  swapped.set(group, made)
  return made
}

/** Each group of the base with the rows that sessions add; groups in `known` are reused. */
const groupsWith = (
  base: Entities,
  added: Overlaid['added'],
  known: Overlaid['groups'] | null,
): Overlaid['groups'] => {
  const groups = new Map<Group, Group>()
  for (const group of base.groups) {
    const kept = known?.get(group)
    if (kept !== undefined) {
      groups.set(group, kept)
      continue
    }
    const touched = new Map<Entity, Entity>()
    for (const entity of group) {
      const rows = added.get(entity)
      if (rows !== undefined) touched.set(entity, withRows(entity, rows))
    }
    groups.set(group, touched.size === 0 ? group : swapGroup(group, touched))
  }
  return groups
}

/** Closed sessions with effects, in the order in which they are applied. */
const effective = perValue((sessions: Sessions) =>
  perValue(
    (closeLedger: CloseLedger): ReadonlyArray<ClosedSession> =>
      sessions.all
        .filter(
          session =>
            session.changes.length + session.transfers.length > 0 &&
            closeLedger.closed.has(ledgerKeyOf(session)),
        )
        .map(session => ({ session, meaning: closeLedger.meanings.get(ledgerKeyOf(session)) ?? null })),
  ),
)

/** Everything of a session that an overlay reads, including its place for findings. */
const effectText = ({
  session: { header, path, date, changes, transfers },
  meaning,
}: ClosedSession): string => JSON.stringify([header, path, date, changes, transfers, meaning])

const sameEffect = (one: ClosedSession, other: ClosedSession): boolean =>
  one.session === other.session && one.meaning === other.meaning

const sameEffects = (left: ReadonlyArray<ClosedSession>, right: ReadonlyArray<ClosedSession>): boolean =>
  left === right ||
  (left.length === right.length &&
    left.every((closed, at) => {
      const other = right[at]
      return other !== undefined && (sameEffect(closed, other) || effectText(closed) === effectText(other))
    }))

type Stated = Pick<Overlaid, 'added' | 'findings'> & { readonly known: Overlaid['groups'] | null }

const applyEffects = function* (
  entities: Entities,
  names: NameIndex,
  effects: ReadonlyArray<ClosedSession>,
): Sliced<Stated> {
  const overlay = newOverlay(entities, names)
  if (effects.length > 0) yield* overlay.stacks.prepare()
  for (const closed of effects) {
    yield* applyChanges(overlay, closed)
    yield* applyTransfers(overlay, closed)
    yield
  }
  return { added: layeredMapOf(overlay.timelines.added), findings: overlay.findings, known: null }
}

/**
 * The result of the build before, when the entities differ in nothing that an effect reads; null otherwise.
 */
const reuseOverlay = (
  entities: Entities,
  { language, forms }: NameIndex,
  effects: ReadonlyArray<ClosedSession>,
  before: Overlaid | null,
): Stated | null => {
  if (before === null || !sameEffects(before.effects, effects)) return null
  if (before.language !== language || before.hasForms !== (forms !== null)) return null
  const { added, findings, groups: known } = before
  if (before.base === entities) return { added, findings, known }
  const moved = unreadMoves(before.base, entities, before.effects, language)
  if (moved === null) return null
  const changes = new Map<Entity, ReadonlyArray<Row> | null>()
  for (const [entity, successor] of moved) {
    const rows = added.get(entity)
    if (rows !== undefined) changes.set(entity, null).set(successor, rows)
  }
  return { added: changeMap(added, changes), findings, known }
}
