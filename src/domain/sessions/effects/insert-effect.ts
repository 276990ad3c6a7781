import { changeMap, type LayeredMap } from '#src/domain/caching/layered-map.js'
import { denominationOf } from '#src/domain/currency/denomination.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { findRecorded } from '#src/domain/entities/reading.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { sortByPrecedence } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { inTime } from '../merge.js'
import type { Session } from '../session.js'
import { applyChanges } from './effects.js'
import type { Move } from './moves.js'
import { type ClosedSession, isMove, newOverlay, type Payment, recallOf } from './overlay-state.js'
import { applyTransfers, transfersOfSession } from './transfers.js'

/** What one session or move did when it was replayed. */
export interface Step {
  readonly origin: Session | Move
  readonly findings: ReadonlyArray<Finding>
  readonly payments: ReadonlyArray<Payment>
  /** Keys of the blocks that got rows, by `stepKey`. */
  readonly touched: ReadonlyArray<string>
}

/** What a replay has made so far. */
export interface Replay {
  readonly steps: ReadonlyArray<Step>
  readonly added: LayeredMap<Entity, ReadonlyArray<Row>>
}

/** The key of a block in a step. Blocks of one type and heading share it. */
export const stepKey = ({ type, key }: Pick<Entity, 'type' | 'key'>): string => `${type}\n${key}`

/** The blocks that an inserted session touches, beside the replay with it. */
interface Inserted extends Replay {
  readonly touched: ReadonlySet<Entity>
}

/**
 * The replay with one more closed session, as replaying everything would make it; null where only that can tell. It
 * can where the ledger recorded every block and purse of the session, and no session or move that is replayed after it
 * touches a block of it or could find another owner or name.
 */
export const insertEffect = (
  entities: Entities,
  names: NameIndex,
  { steps, added }: Replay,
  closed: ClosedSession,
): Inserted | null => {
  const { session } = closed
  const found = steps.findIndex(({ origin }) => isAfter(origin, session))
  const at = found < 0 ? steps.length : found
  const later = steps.slice(at)
  if (!isRecorded(closed) || (later.length > 0 && decidesOthers(closed))) return null
  const rowsBefore = (entity: Entity): ReadonlyArray<Row> => {
    const rows = added.get(entity)
    return rows === undefined ? entity.rows : sortByPrecedence([...entity.rows, ...rows])
  }
  const items = (closed.meaning?.purses ?? []).flatMap(
    ({ heading }) => findRecorded(entities, { heading, type: 'Przedmiot' }) ?? [],
  )
  const overlay = newOverlay(entities, names, { items: [...new Set(items)], rowsBefore })
  atOnce(overlay.stacks.prepare())
  if (closed.part === 'all') atOnce(applyChanges(overlay, closed))
  atOnce(applyTransfers(overlay, transfersOfSession(closed)))
  const { findings, payments, timelines } = overlay
  const touched = new Set(timelines.added.keys())
  const keys = new Set([...touched].map(stepKey))
  if (payments.some(({ state }) => state !== 'applied')) return null
  if (later.some(step => step.touched.some(key => keys.has(key)))) return null
  const rows = [...timelines.added].map(
    ([entity, own]) => [entity, [...(added.get(entity) ?? []), ...own]] as const,
  )
  return {
    steps: [...steps.slice(0, at), { origin: session, findings, payments, touched: [...keys] }, ...later],
    added: changeMap(added, new Map(rows)),
    touched,
  }
}

/** Whether a session or a move is replayed after a session. */
const isAfter = (origin: Session | Move, session: Session): boolean =>
  isMove(origin) ? origin.day >= session.date : inTime(origin, session) > 0

/** Whether the ledger says which block every name of the session means, and which purse pays and is paid. */
const isRecorded = ({ session: { changes, transfers }, meaning }: ClosedSession): boolean => {
  const recall = recallOf(meaning)
  const isPurse = (name: string, denomination: string): boolean => recall.purse(name, denomination) !== null
  return (
    changes.every(({ entity }) => recall.block(entity) !== null) &&
    transfers.every(({ source, destination, denomination }) => {
      const money = denominationOf(denomination)
      return money !== null && isPurse(source, money.name) && isPurse(destination, money.name)
    })
  )
}

const decidingTags: ReadonlySet<string> = new Set(['generyczne_nazwy', 'należy_do', 'status', 'typ'])

/** Whether a session can change which block or purse a later effect finds. */
const decidesOthers = ({ session: { changes }, part }: ClosedSession): boolean =>
  part === 'all' &&
  changes.some(({ tags }) => tags.some(({ tag }) => nameTags.has(tag) || decidingTags.has(tag)))
