import { type Day, type NameKey, nameKey } from '#protocol/atoms.js'
import { denominationIn, heldOn, pursesEverOf } from '#src/domain/currency/purses.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { collectInSlices } from '#src/domain/entities/reading.js'
import { readQuantity } from '#src/domain/lore/figures.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { sortByPrecedence } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { ledgerKeyOf, sessionKey } from '#src/domain/lore/session-header.js'
import { buildNameIndexInSlices } from '#src/domain/names/name-index.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { intelTargetOf } from '../intel-recipients.js'
import { inTime } from '../merge.js'
import type { CloseLedger, Meaning, NamesMeant, Session, Sessions, SessionTransfer } from '../session.js'
import { meaningOf, namesMeant, newSeen, witnessOf } from './closed-sessions.js'
import { applyChanges } from './effects.js'
import { inMoveOrder, type Move, type Moves } from './moves.js'
import {
  type ClosedSession,
  newOverlay,
  type Overlay,
  type Payment,
  resolveEffectName,
  timelineQuantityOn,
} from './overlay-state.js'
import { applyTransfers, transfersOfMove, transfersOfSession } from './transfers.js'

/** What the judgement of one session reads: the entities with the effects of all closed sessions, and their names. */
export interface JudgingGround {
  readonly entities: Entities
  readonly names: NameIndex
  readonly sessions: Pick<Sessions, 'byKey'>
  readonly moves: Pick<Moves, 'byId'>
  readonly closeLedger: Pick<CloseLedger, 'meanings'>
}

/** A purse that the effects of a session change, with what it holds on the day of the session. */
export interface ChangedPurse {
  readonly item: Entity
  readonly denomination: string
  readonly before: number
  readonly after: number
}

/** What one open session would do if it were closed now. */
export interface Judgement {
  /** Its Transfers, in order. */
  readonly payments: ReadonlyArray<Payment>
  readonly purses: ReadonlyArray<ChangedPurse>
  /** The findings that the overlay would report about its Zmiany and Transfers. */
  readonly findings: ReadonlyArray<Finding>
  /** What its ledger row records. */
  readonly meaning: Meaning
}

/**
 * Judges the effects of one open session: Zmiany, then Transfers, on its day. Names mean what they mean now; those of
 * Transfers that were applied before keep what their row of the ledger recorded (D61). Rows of later sessions and of
 * moves that are replayed after it do not count. It reads the blocks that the session names
 * and no others, so its cost does not grow with the number of closed sessions.
 */
export const judgeSession = (ground: JudgingGround, session: Session): Judgement =>
  judgePart(ground, session, 'all')

/** Judges the Transfers of a session as if its other effects did not count yet. */
export const judgeTransfersOf = (ground: JudgingGround, session: Session): Judgement => {
  const judgement = judgePart(ground, session, 'transfers')
  // The Intel of the session is for those who are in its targets when it is closed.
  return { ...judgement, meaning: { ...judgement.meaning, owners: [], recipients: [] } }
}

const judgePart = (ground: JudgingGround, session: Session, part: ClosedSession['part']): Judgement => {
  const { entities, names } = ground
  const known = ground.closeLedger.meanings.get(ledgerKeyOf(session)) ?? null
  const seen = newSeen(known)
  const rowsBefore = rowsBeforeSession(ground, session)
  const overlay = newOverlay(entities, names, {
    witness: witnessOf(() => seen),
    items: itemsNamed(ground, session.transfers, session.changes),
    rowsBefore,
  })
  const closed: ClosedSession = { session, meaning: known, part }
  atOnce(overlay.stacks.prepare())
  if (part === 'all') atOnce(applyChanges(overlay, closed))
  atOnce(applyTransfers(overlay, transfersOfSession(closed)))
  const { payments, findings } = overlay
  const state = stateAfter(ground, session, overlay)
  const meaning = meaningOf(state.entities, state.names, session, seen)
  const purses = changedPurses(session.date, overlay, rowsBefore)
  return { payments, findings, meaning, purses: part === 'all' ? notYetPaid(session, purses) : purses }
}

/**
 * Judges a move of money that is not made yet: its Transfers on its day, after the sessions of that day and before
 * later moves.
 */
export const judgeMove = (
  ground: JudgingGround,
  move: Move,
): Pick<Judgement, 'payments' | 'purses' | 'findings'> & { readonly meaning: NamesMeant } => {
  const rowsBefore = rowsBeforeMove(ground, move)
  const seen = newSeen(move.meaning)
  const overlay = newOverlay(ground.entities, ground.names, {
    witness: witnessOf(() => seen),
    items: itemsNamed(ground, move.transfers, []),
    rowsBefore,
  })
  atOnce(overlay.stacks.prepare())
  atOnce(applyTransfers(overlay, transfersOfMove(move)))
  const { payments, findings } = overlay
  const purses = changedPurses(move.day, overlay, rowsBefore)
  return { payments, findings, purses, meaning: namesMeant(seen) }
}

/**
 * The purses that a close changes: where the Transfers of the session were applied before it, its rows are counted to
 * what a purse held before.
 */
const notYetPaid = (session: Session, purses: ReadonlyArray<ChangedPurse>): ReadonlyArray<ChangedPurse> =>
  purses.flatMap(purse => {
    const paid = purse.item.rows.findLast(
      ({ tag, source }) =>
        tag === 'ilość' && source._tag === 'Session' && sessionKey(source.header) === session.key,
    )
    const before = paid === undefined ? purse.before : (readQuantity(paid.value) ?? 0)
    return paid !== undefined && before === purse.after ? [] : [{ ...purse, before }]
  })

type RowsBefore = (entity: Entity) => ReadonlyArray<Row>

/** The rows of a block without those that are replayed after the session. */
const rowsBeforeSession = ({ sessions, moves }: JudgingGround, session: Session): RowsBefore => {
  const isBefore = ({ source }: Row): boolean => {
    if (source._tag === 'Move') return (moves.byId.get(source.id)?.day ?? session.date) < session.date
    if (source._tag !== 'Session') return true
    const other = sessions.byKey.get(sessionKey(source.header))
    return other === undefined || inTime(other, session) < 0
  }
  return ({ rows }) => (rows.every(isBefore) ? rows : rows.filter(isBefore))
}

/** The rows of a block without those that are replayed after the move. */
const rowsBeforeMove = ({ sessions, moves }: JudgingGround, move: Move): RowsBefore => {
  const isBefore = ({ source }: Row): boolean => {
    if (source._tag === 'Session')
      return (sessions.byKey.get(sessionKey(source.header))?.date ?? move.day) <= move.day
    const other = source._tag === 'Move' ? moves.byId.get(source.id) : undefined
    return other === undefined || inMoveOrder(other, move) < 0
  }
  return ({ rows }) => (rows.every(isBefore) ? rows : rows.filter(isBefore))
}

/** The items that may be purses of the session: those of every side of its Transfers, and those that it changes. */
const itemsNamed = (
  { entities, names }: JudgingGround,
  transfers: ReadonlyArray<SessionTransfer>,
  changes: Session['changes'],
): ReadonlyArray<Entity> => {
  const sides = new Map<NameKey, string>()
  for (const { source, destination } of transfers)
    for (const name of [source, destination]) sides.set(nameKey(name), name)
  const items = new Set<Entity>()
  for (const [key, name] of sides) {
    const { entity } = resolveEffectName(names, name).found
    for (const owner of entity === null ? [key] : [key, entity])
      for (const { item } of pursesEverOf(entities, owner)) items.add(item)
  }
  for (const change of changes) {
    const { entity } = resolveEffectName(names, change.entity).found
    if (entity?.type === 'Przedmiot') items.add(entity)
  }
  return [...items]
}

const changedPurses = (
  date: Day,
  { timelines }: Overlay,
  rowsBefore: RowsBefore,
): ReadonlyArray<ChangedPurse> =>
  [...timelines.added].flatMap(([item, rows]) => {
    const denomination = rows.some(row => row.tag === 'ilość') ? denominationIn(item) : null
    if (denomination === null) return []
    const before = heldOn({ item: { ...item, rows: rowsBefore(item) }, denomination }, date)
    const after = timelineQuantityOn(timelines, item, date)
    return [{ item, denomination: denomination.name, before, after }]
  })

/** Whether a tag decides which block a name of an Intel target means, or whether that block gets it. */
const isNaming = (tag: string): boolean =>
  nameTags.has(tag) || tag === 'generyczne_nazwy' || tag === 'status' || tag === 'typ'

/** Tags that decide who belongs to a group or a place. */
const memberTags: ReadonlySet<string> = new Set(['drzwi', 'grupa', 'lokacja'])

/**
 * The entities and names after the session, as far as its own recipients can depend on them: made only where the
 * session itself changes whom a group, a place or a name means.
 */
const stateAfter = (
  { entities, names }: JudgingGround,
  { intel, changes }: Session,
  { timelines: { added } }: Overlay,
): Pick<JudgingGround, 'entities' | 'names'> => {
  const reaches = intel.some(({ target }) => intelTargetOf(target).directive !== 'Direct')
  const decides = (tag: string): boolean => isNaming(tag) || (reaches && memberTags.has(tag))
  if (intel.length === 0 || !changes.some(({ tags }) => tags.some(({ tag }) => decides(tag))))
    return { entities, names }
  const groups = entities.groups.map(group =>
    group.some(one => added.has(one))
      ? group.map(one => {
          const rows = added.get(one)
          return rows === undefined ? one : { ...one, rows: sortByPrecedence([...one.rows, ...rows]) }
        })
      : group,
  )
  const after = atOnce(collectInSlices(groups, entities.findings, entities))
  return { entities: after, names: atOnce(buildNameIndexInSlices(after, names.language, names)) }
}
