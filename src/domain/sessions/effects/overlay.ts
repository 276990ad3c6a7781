import type { Day } from '#protocol/atoms.js'
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
import { insertEffect, type Step, stepKey } from './insert-effect.js'
import { type Move, type Moves, noMoves } from './moves.js'
import { type ClosedSession, newOverlay, type Overlay, type Payment } from './overlay-state.js'
import { applyTransfers, transfersOfMove, transfersOfSession, unreadMoves } from './transfers.js'

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
  /** What became of each Transfer of closed sessions and moves, in the order in which they were replayed. */
  readonly payments: ReadonlyArray<Payment>
  /**
   * The inputs of the overlay and the rows that sessions add. The next build reuses them while no effect can
   * differ.
   */
  readonly base: Entities
  readonly effects: ReadonlyArray<ClosedSession>
  readonly moves: ReadonlyArray<Move>
  readonly language: LanguageData
  readonly hasForms: boolean
  readonly added: LayeredMap<Entity, ReadonlyArray<Row>>
  /** What each session and move did, in the order in which they were replayed. */
  readonly steps: ReadonlyArray<Step>
  /** The entities of each file of `base`, with the rows of sessions. */
  readonly groups: ReadonlyMap<Group, Group>
}

/**
 * Adds to the entities the rows of closed sessions: Zmiany, then Transfers, by date and header (FORMATS 4.5,
 * 7, 10). Moves of money come after the sessions of their day. A session counts only when the close ledger
 * contains it. A name means the block that the ledger recorded for it (D61); without a record written names and
 * inflected forms count (D50). A name that means no block or several is a finding, and so is one that is a form.
 * Entities that no session touches stay the same objects. With the overlay `before`, effects are applied again
 * only where one could differ.
 */
export const buildOverlayInSlices = function* (
  entities: Entities,
  names: NameIndex,
  sessions: Sessions,
  closeLedger: CloseLedger,
  before: Overlaid | null = null,
  { all: moves }: Moves = noMoves,
): Sliced<Overlaid> {
  const effects = effective(sessions)(closeLedger)
  yield
  const taken =
    reuseOverlay(entities, names, { effects, moves }, before) ??
    insertOverlay(entities, names, { effects, moves }, before)
  yield
  const replayed = taken ?? (yield* applyEffects(entities, names, { effects, moves }))
  const { added, findings, payments, known, steps } = replayed
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
    ...{ entities: after, findings, payments, base: entities, effects, moves, added, steps, groups },
    ...{ language, hasForms: names.forms !== null },
  }
}

type Group = ReadonlyArray<Entity>

/** The session or the move that added a row. */
const originOf = ({ source }: Row): string => {
  if (source._tag === 'Session') return source.header
  return source._tag === 'Move' ? `${source.path}\n${source.id}` : source.path
}

const sameRow = (left: Row, right: Row | undefined): boolean =>
  right !== undefined &&
  left.tag === right.tag &&
  left.value === right.value &&
  left.range.from === right.range.from &&
  left.range.to === right.range.to &&
  left.line === right.line &&
  originOf(left) === originOf(right) &&
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

/** Sessions with effects, and the key by which the ledger names each. */
const withEffects = perValue(({ all }: Sessions) =>
  all.flatMap(session =>
    session.changes.length + session.transfers.length === 0 ? [] : [{ session, key: ledgerKeyOf(session) }],
  ),
)

/** Closed sessions with effects, in the order in which they are applied. */
const effective = perValue((sessions: Sessions) =>
  perValue(
    (closeLedger: CloseLedger): ReadonlyArray<ClosedSession> =>
      withEffects(sessions).flatMap(({ session, key }): ReadonlyArray<ClosedSession> => {
        const isClosed = closeLedger.closed.has(key)
        if (!isClosed && !closeLedger.transferred.has(key)) return []
        const meaning = closeLedger.meanings.get(key) ?? null
        return [{ session, meaning, part: isClosed ? 'all' : 'transfers' }]
      }),
  ),
)

/** Everything of a session that an overlay reads, including its place for findings. */
const effectText = ({
  session: { header, path, date, changes, transfers },
  meaning,
  part,
}: ClosedSession): string => JSON.stringify([header, path, date, changes, transfers, meaning, part])

const sameEffect = (one: ClosedSession, other: ClosedSession): boolean =>
  one.session === other.session && one.meaning === other.meaning && one.part === other.part

const sameEffects = (left: ReadonlyArray<ClosedSession>, right: ReadonlyArray<ClosedSession>): boolean =>
  left === right ||
  (left.length === right.length &&
    left.every((closed, at) => {
      const other = right[at]
      return other !== undefined && (sameEffect(closed, other) || effectText(closed) === effectText(other))
    }))

/** What an overlay replays, each by date. */
type Replayed = Pick<Overlaid, 'effects' | 'moves'>

type Stated = Pick<Overlaid, 'added' | 'findings' | 'payments' | 'steps'> & {
  readonly known: Overlaid['groups'] | null
}

const applyEffects = function* (
  entities: Entities,
  names: NameIndex,
  { effects, moves }: Replayed,
): Sliced<Stated> {
  const overlay = newOverlay(entities, names)
  const steps: Array<Step> = []
  const endStep = stepsOf(overlay, steps)
  if (effects.length + moves.length > 0) yield* overlay.stacks.prepare()
  let moved = 0
  const applyMoves = function* (before: Day | null): Sliced<void> {
    for (let move = moves[moved]; move !== undefined; move = moves[moved]) {
      if (before !== null && move.day >= before) return
      yield* applyTransfers(overlay, transfersOfMove(move))
      endStep(move)
      moved += 1
      yield
    }
  }
  for (const closed of effects) {
    yield* applyMoves(closed.session.date)
    if (closed.part === 'all') yield* applyChanges(overlay, closed)
    yield* applyTransfers(overlay, transfersOfSession(closed))
    endStep(closed.session)
    yield
  }
  yield* applyMoves(null)
  const { timelines, findings, payments } = overlay
  return { added: layeredMapOf(timelines.added), findings, payments, steps, known: null }
}

/** Ends the step of a session or a move: returns what it added to the overlay since the step before. */
const stepsOf = (overlay: Overlay, steps: Array<Step>): ((origin: Step['origin']) => void) => {
  let [findings, payments] = [0, 0]
  return origin => {
    steps.push({
      origin,
      findings: overlay.findings.slice(findings),
      payments: overlay.payments.slice(payments),
      touched: [...new Set([...overlay.timelines.touched].map(stepKey))],
    })
    overlay.timelines.touched.clear()
    findings = overlay.findings.length
    payments = overlay.payments.length
  }
}

/** The result of the build before with one more closed session; null where everything must be replayed. */
const insertOverlay = (
  entities: Entities,
  names: NameIndex,
  { effects, moves }: Replayed,
  before: Overlaid | null,
): Stated | null => {
  if (before?.base !== entities || before.moves !== moves) return null
  if (before.language !== names.language || before.hasForms !== (names.forms !== null)) return null
  const closed = oneMore(before.effects, effects)
  const inserted = closed === null ? null : insertEffect(entities, names, before, closed)
  if (inserted === null) return null
  const { steps, added, touched } = inserted
  const files = new Set([...touched].map(({ file }) => file))
  const isTouched = (group: Group): boolean =>
    group.some(({ file }) => files.has(file)) && group.some(entity => touched.has(entity))
  const known = new Map([...before.groups].filter(([group]) => !isTouched(group)))
  return {
    ...{ added, steps, known },
    findings: steps.flatMap(step => step.findings),
    payments: steps.flatMap(step => step.payments),
  }
}

/** The effect that `after` has and `before` has not, where there is one and all others are the same. */
const oneMore = (
  before: ReadonlyArray<ClosedSession>,
  after: ReadonlyArray<ClosedSession>,
): ClosedSession | null => {
  if (after.length !== before.length + 1) return null
  const isSame = (at: number, shift: number): boolean => {
    const [one, other] = [before[at], after[at + shift]]
    return one !== undefined && other !== undefined && sameEffect(one, other)
  }
  let at = 0
  while (at < before.length && isSame(at, 0)) at += 1
  for (let rest = at; rest < before.length; rest += 1) if (!isSame(rest, 1)) return null
  return after[at] ?? null
}

/**
 * The result of the build before, when the entities differ in nothing that an effect reads; null otherwise.
 */
const reuseOverlay = (
  entities: Entities,
  { language, forms }: NameIndex,
  { effects, moves }: Replayed,
  before: Overlaid | null,
): Stated | null => {
  if (before === null || !sameEffects(before.effects, effects)) return null
  if (before.moves !== moves) return null
  if (before.language !== language || before.hasForms !== (forms !== null)) return null
  const { added, findings, payments, steps, groups: known } = before
  if (before.base === entities) return { added, findings, payments, steps, known }
  const moved = unreadMoves(before.base, entities, before.effects, moves, language)
  if (moved === null) return null
  const changes = new Map<Entity, ReadonlyArray<Row> | null>()
  for (const [entity, successor] of moved) {
    const rows = added.get(entity)
    if (rows !== undefined) changes.set(entity, null).set(successor, rows)
  }
  return { added: changeMap(added, changes), findings, payments, steps, known }
}
