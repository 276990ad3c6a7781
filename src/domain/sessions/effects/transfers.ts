import { type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { denominationOf } from '#src/domain/currency/denomination.js'
import { moneyNames } from '#src/domain/currency/stacks.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { aliasKeys, findRecorded, genericKeys } from '#src/domain/entities/reading.js'
import { sumText } from '#src/domain/lore/figures.js'
import { splitRange } from '#src/domain/lore/rows/days.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { possibleForms, startOfKey } from '#src/domain/names/resolve.js'
import type { LanguageData } from '#src/domain/names/word-table.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { Session, SessionTransfer } from '../session.js'
import {
  addRow,
  blockMeant,
  type ClosedSession,
  explainLoss,
  formNote,
  type Meant,
  noteEffect,
  type Overlay,
  recallOf,
  severalReason,
  sideOwner,
  timelineQuantityOn,
} from './overlay-state.js'

/**
 * Applies the Transfers of a closed session in order, each to both sides or to neither (FORMATS 7). Yields
 * between them.
 */
export const applyTransfers = (overlay: Overlay, closed: ClosedSession): Sliced<void> =>
  forEachInSlices(closed.session.transfers, transfer => applyTransfer(overlay, closed, transfer))

/**
 * Maps the entities of `before` to their successors when no effect can depend on the differences: none of the
 * different entities is an item, and none has a name that an effect or an owner of money uses, or of which an
 * effect may use a form. Null when an effect may depend on them.
 */
export const unreadMoves = (
  before: Entities,
  after: Entities,
  effects: ReadonlyArray<ClosedSession>,
  language: LanguageData,
): ReadonlyMap<Entity, Entity> | null => {
  const { moved, different } = movesOf(before, after)
  if (different.length === 0) return moved
  if (different.length > comparedMax || different.some(entity => entity.type === 'Przedmiot')) return null
  const keys = new Set(different.flatMap(keysOf))
  const names = mentioned(effects)
  for (const key of keys) if (names.keys.has(key)) return null
  if (different.some(entity => mayBeNamed(entity, names, language))) return null
  const owned = (item: Entity): boolean => purseOwners(item).some(key => keys.has(key))
  return (after.byType.get('Przedmiot') ?? []).some(owned) ? null : moved
}

/** One side of a transfer. `form` is the block if the name is an inflected form of it. */
type Side =
  | { readonly _tag: 'Stack'; readonly item: Entity; readonly form: Entity | null }
  | { readonly _tag: 'Missing'; readonly kind: string; readonly reason: string }

const missingSide = (kind: string, reason: string): Side => ({ _tag: 'Missing', kind, reason })

const formOf = (meant: Meant): Entity | null => (meant._tag === 'Block' && meant.isForm ? meant.entity : null)

/** The purse recorded for a side of a transfer when its session was closed; null when none is recorded. */
const findRecordedPurse = (
  overlay: Overlay,
  closed: ClosedSession,
  name: string,
  denomination: string,
): Side | null => {
  const record = recallOf(closed.meaning).purse(name, denomination)
  if (record === null) return null
  const item = findRecorded(overlay.entities, record)
  return item === null
    ? missingSide('PendingTransfer', explainLoss(name, record))
    : { _tag: 'Stack', item, form: formOf(blockMeant(overlay, closed, name)) }
}

/**
 * The purse of a side, by its owners on the day of the session. An owner whose row has the name as written comes
 * before the block of which the name is a form.
 */
const purseNow = (overlay: Overlay, closed: ClosedSession, name: string, denomination: string): Side => {
  const meant = blockMeant(overlay, closed, name)
  if (meant._tag === 'Several')
    return missingSide('AmbiguousTransfer', `Nazwa „${name}” pasuje do więcej niż jednej encji.`)
  if (meant._tag === 'SeveralAtClose') return missingSide('AmbiguousTransfer', severalReason(name))
  if (meant._tag === 'Gone') return missingSide('UnresolvedTransfer', explainLoss(name, meant.record))
  const { stacks } = overlay
  const { date } = closed.session
  const form = formOf(meant)
  const written = form === null ? null : stacks.find(denomination, nameKey(name), date)
  if (written !== null) return { _tag: 'Stack', item: written, form: null }
  const item = stacks.find(denomination, sideOwner(overlay, meant, name), date)
  if (item !== null) return { _tag: 'Stack', item, form }
  return meant._tag === 'Nobody'
    ? missingSide('UnresolvedTransfer', `Żadna encja nie nosi nazwy „${name}”.`)
    : missingSide('PendingTransfer', `„${name}” nie ma tego dnia sakiewki w nominale „${denomination}”.`)
}

const sideOf = (overlay: Overlay, closed: ClosedSession, name: string, denomination: string): Side => {
  const side =
    findRecordedPurse(overlay, closed, name, denomination) ?? purseNow(overlay, closed, name, denomination)
  if (side._tag === 'Stack') overlay.witness?.purse(closed.session, name, denomination, side.item)
  return side
}

const recordPayment = (
  overlay: Overlay,
  session: Session,
  item: Entity,
  value: string,
  line: number,
): void => {
  addRow(overlay.timelines, item, {
    tag: 'ilość',
    value,
    range: { from: session.date, to: null },
    auto: false,
    line,
    endLine: line,
    source: { _tag: 'Session', header: session.header },
  })
}

type Stack = Extract<Side, { readonly _tag: 'Stack' }>

type Purses =
  | {
      readonly _tag: 'Both'
      readonly source: Stack
      readonly destination: Stack
      /** The quantities of the two after the transfer. */
      readonly paid: string
      readonly received: string
    }
  | Extract<Side, { readonly _tag: 'Missing' }>

const pursesOf = (overlay: Overlay, closed: ClosedSession, transfer: SessionTransfer): Purses => {
  const denomination = denominationOf(transfer.denomination)
  if (denomination === null)
    return {
      _tag: 'Missing',
      kind: 'RefusedTransfer',
      reason: `„${transfer.denomination}” nie jest nominałem pieniędzy.`,
    }
  const source = sideOf(overlay, closed, transfer.source, denomination.name)
  if (source._tag === 'Missing') return source
  const destination = sideOf(overlay, closed, transfer.destination, denomination.name)
  if (destination._tag === 'Missing') return destination
  if (source.item === destination.item)
    return { _tag: 'Missing', kind: 'RefusedTransfer', reason: 'Obie strony mają tę samą sakiewkę.' }
  const amountIn = ({ item }: Stack, delta: number): string | null =>
    sumText(timelineQuantityOn(overlay.timelines, item, closed.session.date), delta)
  const [paid, received] = [amountIn(source, -transfer.amount), amountIn(destination, transfer.amount)]
  return paid === null || received === null
    ? { _tag: 'Missing', kind: 'RefusedTransfer', reason: 'Ilość w sakiewce miałaby ponad 15 cyfr.' }
    : { _tag: 'Both', source, destination, paid, received }
}

const noteForm = (
  overlay: Overlay,
  session: Session,
  transfer: SessionTransfer,
  name: string,
  { form }: Stack,
): void => {
  if (form !== null)
    noteEffect(overlay, session, transfer, formNote('InflectedTransfer', name, form, transfer.line))
}

const applyTransfer = (overlay: Overlay, closed: ClosedSession, transfer: SessionTransfer): void => {
  const { session } = closed
  const purses = pursesOf(overlay, closed, transfer)
  if (purses._tag === 'Both') {
    const { source, destination, paid, received } = purses
    recordPayment(overlay, session, source.item, paid, transfer.line)
    recordPayment(overlay, session, destination.item, received, transfer.line)
    noteForm(overlay, session, transfer, transfer.source, source)
    noteForm(overlay, session, transfer, transfer.destination, destination)
    return
  }
  noteEffect(overlay, session, transfer, {
    kind: purses.kind,
    line: transfer.line,
    reason: `${purses.reason} Stan obu stron zostaje bez zmian.`,
    suggestion: null,
  })
}

/** Tags of an entity that applying effects reads, beside those that spell names. */
const readTags: ReadonlySet<string> = new Set(['typ', 'generyczne_nazwy', 'ilość', 'należy_do', 'status'])

const isRead = (row: Row): boolean => readTags.has(row.tag) || nameTags.has(row.tag)

/** Everything of an entity that an effect can depend on; line numbers are not part of it. */
const readText = perValue((entity: Entity): string =>
  JSON.stringify([
    entity.name,
    entity.type,
    entity.rows.filter(isRead).map(({ tag, value, range }) => [tag, value, range.from, range.to]),
  ]),
)

const keysOf = (entity: Entity): ReadonlyArray<NameKey> => [
  entity.key,
  ...aliasKeys(entity),
  ...genericKeys(entity),
]

/** The names by which the effects of sessions refer to blocks, and the same by their first word. */
interface Mentions {
  readonly keys: ReadonlySet<NameKey>
  readonly byStart: ReadonlyMap<string, ReadonlyArray<NameKey>>
}

const byStartOf = (keys: ReadonlySet<NameKey>): Mentions['byStart'] => {
  const byStart = new Map<string, Array<NameKey>>()
  for (const key of keys) {
    const start = startOfKey(key)
    const known = start === null ? undefined : byStart.get(start)
    if (known !== undefined) known.push(key)
    else if (start !== null) byStart.set(start, [key])
  }
  return byStart
}

const mentioned = perValue((effects: ReadonlyArray<ClosedSession>): Mentions => {
  const names = new Set<NameKey>()
  for (const { session, meaning } of effects) {
    const { changes, transfers } = session
    for (const { heading } of [...(meaning?.blocks ?? []), ...(meaning?.owners ?? [])])
      names.add(nameKey(heading))
    for (const { source, destination } of transfers) names.add(nameKey(source)).add(nameKey(destination))
    for (const { entity, tags } of changes) {
      names.add(nameKey(entity))
      for (const { tag, value } of tags) if (tag === 'należy_do') names.add(nameKey(splitRange(value).text))
    }
  }
  return { keys: names, byStart: byStartOf(names) }
})

/** Whether an effect may name a form of a spelling of the entity. */
const mayBeNamed = (entity: Entity, { byStart }: Mentions, { forms }: LanguageData): boolean => {
  const added = (forms.get(entity.key) ?? []).map(one => one.form)
  return keysOf(entity).some((name, at) => {
    const { starts, has } = possibleForms(name, at === 0 ? added : [])
    for (const start of starts) if (byStart.get(start)?.some(has) === true) return true
    return false
  })
}

/** Above so many different entities their forms are not compared: effects are applied again. */
const comparedMax = 100

/** The names of all owners, on any day, of an item that is money; empty for any other item. */
const purseOwners = perValue((item: Entity): ReadonlyArray<NameKey> => {
  const isMoney = item.rows.some(row => row.tag === 'generyczne_nazwy' && moneyNames(row.value).length > 0)
  return isMoney ? item.rows.flatMap(row => (row.tag === 'należy_do' ? [nameKey(row.value)] : [])) : []
})

interface Moves {
  readonly moved: ReadonlyMap<Entity, Entity>
  /** Entities that were added or removed, or that differ in what an effect reads. */
  readonly different: ReadonlyArray<Entity>
}

const entitiesNotIn = (
  one: ReadonlyArray<ReadonlyArray<Entity>>,
  other: typeof one,
): ReadonlyArray<Entity> => {
  const known = new Set(other)
  return one.filter(group => !known.has(group)).flat()
}

const movesOf = (before: Entities, after: Entities): Moves => {
  const come = entitiesNotIn(after.groups, before.groups)
  const waiting = new Map<string, Array<number>>()
  const placeOf = (entity: Entity): string => `${entity.file}\0${readText(entity)}`
  for (const [at, entity] of come.entries()) {
    const place = placeOf(entity)
    const known = waiting.get(place)
    if (known === undefined) waiting.set(place, [at])
    else known.push(at)
  }
  const moved = new Map<Entity, Entity>()
  const different: Array<Entity> = []
  let last = -1
  for (const entity of entitiesNotIn(before.groups, after.groups)) {
    const at = waiting.get(placeOf(entity))?.shift()
    const successor = at === undefined ? undefined : come[at]
    if (at === undefined || successor === undefined) {
      different.push(entity)
      continue
    }
    moved.set(entity, successor)
    // Among equal entities the first registered one has the effect, so one that changed its order counts as
    // different.
    if (at < last) different.push(entity, successor)
    last = Math.max(last, at)
  }
  for (const left of waiting.values()) for (const at of left) different.push(...come.slice(at, at + 1))
  return { moved, different }
}
