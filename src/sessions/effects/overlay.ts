import { collect } from '#src/entities/collect.js'
import type { Entities, Entity } from '#src/entities/entity.js'
import { decidingOrder } from '#src/lore/deciding-order.js'
import type { Finding } from '#src/lore/finding.js'
import type { Row } from '#src/lore/row.js'
import type { NameIndex } from '#src/names/resolution.js'
import type { CloseLedger, Session, Sessions } from '#src/sessions/session.js'
import { applyChanges, applyTransfers, newOverlay } from './apply.js'

/** Kinds of the findings that an overlay makes. */
export const overlayKinds: ReadonlySet<string> = new Set([
  'UnresolvedChange',
  'AmbiguousChange',
  'RefusedChange',
  'UnresolvedTransfer',
  'AmbiguousTransfer',
  'RefusedTransfer',
  'PendingTransfer',
])

export interface Overlaid {
  readonly entities: Entities
  readonly findings: ReadonlyArray<Finding>
}

const sameRow = (left: Row, right: Row | undefined): boolean =>
  right !== undefined &&
  left.tag === right.tag &&
  left.value === right.value &&
  left.range.from === right.range.from &&
  left.range.to === right.range.to &&
  left.line === right.line &&
  left.source._tag === 'Session' &&
  right.source._tag === 'Session' &&
  left.source.header === right.source.header

const sameRows = (left: ReadonlyArray<Row>, right: ReadonlyArray<Row>): boolean =>
  left.length === right.length && left.every((row, at) => sameRow(row, right[at]))

const stated = new WeakMap<Entity, { readonly added: ReadonlyArray<Row>; readonly entity: Entity }>()

/** The entity with the rows added: the very same object as long as the same rows are. */
const withRows = (base: Entity, added: ReadonlyArray<Row>): Entity => {
  const known = stated.get(base)
  if (known !== undefined && sameRows(known.added, added)) return known.entity
  const entity = { ...base, rows: decidingOrder([...base.rows, ...added]) }
  stated.set(base, { added, entity })
  return entity
}

const made = new WeakMap<
  Entities,
  { readonly touched: ReadonlyMap<Entity, Entity>; readonly entities: Entities }
>()

const sameTouched = (left: ReadonlyMap<Entity, Entity>, right: ReadonlyMap<Entity, Entity>): boolean =>
  left.size === right.size && [...left].every(([base, entity]) => right.get(base) === entity)

const replaced = (base: Entities, touched: ReadonlyMap<Entity, Entity>): Entities => {
  if (touched.size === 0) return base
  const known = made.get(base)
  if (known !== undefined && sameTouched(known.touched, touched)) return known.entities
  const entities = collect(
    base.all.map(entity => touched.get(entity) ?? entity),
    base.findings,
  )
  made.set(base, { touched, entities })
  return entities
}

/** Closed sessions that state an effect, in the order in which they are applied. */
const effective = (sessions: Sessions, closeLedger: CloseLedger): ReadonlyArray<Session> =>
  sessions.all.filter(
    session => session.changes.length + session.transfers.length > 0 && closeLedger.closed.has(session.key),
  )

/** Everything of a session that an overlay reads, its place for findings included. */
const effectText = ({ header, path, date, changes, transfers }: Session): string =>
  JSON.stringify([header, path, date, changes, transfers])

const sameEffects = (left: ReadonlyArray<Session>, right: ReadonlyArray<Session>): boolean =>
  left.length === right.length &&
  left.every((session, at) => {
    const other = right[at]
    return other === session || (other !== undefined && effectText(session) === effectText(other))
  })

const applied = new WeakMap<
  Entities,
  { readonly names: NameIndex; readonly sessions: ReadonlyArray<Session>; readonly overlaid: Overlaid }
>()

/**
 * Adds to the entities the rows that closed sessions state: Zmiany, then Transfers, by date and header
 * (FORMATS 4.5, 7, 10). A session counts only when the close ledger has it. Exact names and aliases alone
 * carry an effect; what does not resolve, or to several, is a finding. Entities that no session touches stay
 * the same objects.
 */
export const overlaid = (
  entities: Entities,
  names: NameIndex,
  sessions: Sessions,
  closeLedger: CloseLedger,
): Overlaid => {
  const effects = effective(sessions, closeLedger)
  const known = applied.get(entities)
  if (known !== undefined && known.names === names && sameEffects(known.sessions, effects))
    return known.overlaid
  const overlay = newOverlay(entities, names)
  for (const session of effects) {
    applyChanges(overlay, session)
    applyTransfers(overlay, session)
  }
  const touched = new Map<Entity, Entity>()
  for (const [base, added] of overlay.timelines.added) touched.set(base, withRows(base, added))
  const outcome = { entities: replaced(entities, touched), findings: overlay.findings }
  applied.set(entities, { names, sessions: effects, overlaid: outcome })
  return outcome
}
