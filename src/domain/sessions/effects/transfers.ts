import { type Day, type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { denominationOf } from '#src/domain/currency/denomination.js'
import { denominationIn } from '#src/domain/currency/purses.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import {
  aliasKeys,
  type BlockRecord,
  blockRecord,
  findRecorded,
  genericKeys,
} from '#src/domain/entities/reading.js'
import { sumText } from '#src/domain/lore/figures.js'
import { splitRange } from '#src/domain/lore/rows/days.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { possibleForms, startOfKey } from '#src/domain/names/resolve.js'
import type { LanguageData } from '#src/domain/names/word-table.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { SessionTransfer } from '../session.js'
import { isAmount, type Move, movesPath } from './moves.js'
import {
  addRow,
  blockMeant,
  type ClosedSession,
  denominationNow,
  type EffectNote,
  explainLoss,
  formNote,
  isMove,
  isRecordable,
  type Meant,
  noteEffect,
  type Overlay,
  type PaymentSide,
  recallOf,
  severalReason,
  sideOwner,
  type TransferGroup,
  timelineQuantityOn,
} from './overlay-state.js'

/**
 * Applies the Transfers of a closed session or of a move in order, each to both sides or to neither (FORMATS 7),
 * and records what became of each. Yields between them.
 */
export const applyTransfers = (overlay: Overlay, group: TransferGroup): Sliced<void> =>
  forEachInSlices(group.transfers, transfer => applyTransfer(overlay, group, transfer))

/** The Transfers of a closed session. */
export const transfersOfSession = ({ session, meaning }: ClosedSession): TransferGroup => ({
  date: session.date,
  transfers: session.transfers,
  meaning,
  origin: session,
})

/** The Transfers of a move. */
export const transfersOfMove = (move: Move): TransferGroup => ({
  date: move.day,
  transfers: move.transfers,
  meaning: move.meaning,
  origin: move,
})

/**
 * Maps the entities of `before` to their successors when no effect can depend on the differences: none of the
 * different entities is an item, and none has a name that an effect or an owner of money uses, or of which an
 * effect may use a form. Null when an effect may depend on them.
 */
export const unreadMoves = (
  before: Entities,
  after: Entities,
  effects: ReadonlyArray<ClosedSession>,
  moves: ReadonlyArray<Move>,
  language: LanguageData,
): ReadonlyMap<Entity, Entity> | null => {
  const { moved, different } = movesOf(before, after)
  if (different.length === 0) return moved
  if (different.length > comparedMax || different.some(entity => entity.type === 'Przedmiot')) return null
  const keys = new Set(different.flatMap(keysOf))
  const names = mentioned(effects)(moves)
  for (const key of keys) if (names.keys.has(key)) return null
  if (different.some(entity => mayBeNamed(entity, names, language))) return null
  const owned = (item: Entity): boolean => purseOwners(item).some(key => keys.has(key))
  return (after.byType.get('Przedmiot') ?? []).some(owned) ? null : moved
}

/** One side of a transfer. `form` is the block if the name is an inflected form of it. */
type Side = { readonly owner: BlockRecord | null } & (
  | { readonly _tag: 'Stack'; readonly item: Entity; readonly form: Entity | null }
  | Fault
)

/** Why a transfer does not apply. `kind` is that of its finding. */
interface Fault {
  readonly _tag: 'Fault'
  readonly kind: keyof typeof stateByKind
  readonly reason: string
}

/** The state of a transfer by the kind of the finding that reports it. */
const stateByKind = {
  MalformedTransfer: 'refused',
  PendingTransfer: 'pending',
  UnresolvedTransfer: 'pending',
  AmbiguousTransfer: 'refused',
  RefusedTransfer: 'refused',
} as const

const faultOf = (kind: Fault['kind'], reason: string): Fault => ({ _tag: 'Fault', kind, reason })

const recordedBlock = perValue(blockRecord)

const ownerMeant = (meant: Meant): BlockRecord | null => {
  if (meant._tag === 'Block') return recordedBlock(meant.entity)
  return meant._tag === 'Gone' ? meant.record : null
}

const formOf = (meant: Meant): Entity | null => (meant._tag === 'Block' && meant.isForm ? meant.entity : null)

/**
 * The purse of a side, by its owners on the day of the session. An owner whose row has the name as written comes
 * before the block of which the name is a form.
 */
const purseNow = (overlay: Overlay, date: Day, meant: Meant, name: string, denomination: string): Side => {
  const owner = ownerMeant(meant)
  if (meant._tag === 'Several')
    return {
      owner,
      ...faultOf('AmbiguousTransfer', `Nazwa „${name}” pasuje do więcej niż jednej encji.`),
    }
  if (meant._tag === 'SeveralAtClose') return { owner, ...faultOf('AmbiguousTransfer', severalReason(name)) }
  if (meant._tag === 'Gone')
    return { owner, ...faultOf('UnresolvedTransfer', explainLoss(name, meant.record)) }
  const { stacks } = overlay
  const form = formOf(meant)
  const written = form === null ? null : stacks.find(denomination, nameKey(name), date)
  if (written !== null) return { _tag: 'Stack', owner: null, item: written, form: null }
  const item = stacks.find(denomination, sideOwner(overlay, meant, name), date)
  if (item !== null) return { _tag: 'Stack', owner, item, form }
  return meant._tag === 'Nobody'
    ? { owner, ...faultOf('UnresolvedTransfer', `Żadna encja nie nosi nazwy „${name}”.`) }
    : {
        owner,
        ...faultOf('PendingTransfer', `„${name}” nie ma tego dnia sakiewki w nominale „${denomination}”.`),
      }
}

/** The purse of a side: the one recorded when the Transfer was applied, else the one of the day. */
const sideOf = (overlay: Overlay, group: TransferGroup, name: string, denomination: string): Side => {
  const { date, meaning, origin } = group
  const record = recallOf(meaning).purse(name, denomination)
  const meant = blockMeant(overlay, group, name)
  const item = record === null ? null : findRecorded(overlay.entities, record)
  const owner = ownerMeant(meant)
  if (record !== null && item === null)
    return { owner, ...faultOf('PendingTransfer', explainLoss(name, record)) }
  const held = item === null ? denomination : denominationNow(overlay, item)
  if (item !== null && held !== denomination)
    return {
      owner,
      ...faultOf('PendingTransfer', `Sakiewka „${item.name}” nie ma już nominału „${denomination}”.`),
    }
  const side: Side =
    item === null
      ? purseNow(overlay, date, meant, name, denomination)
      : { _tag: 'Stack', owner, item, form: formOf(meant) }
  if (side._tag === 'Stack' && isRecordable(overlay, side.item))
    overlay.witness?.purse(origin, name, denomination, side.item)
  return side
}

const recordPayment = (
  overlay: Overlay,
  { date, origin }: TransferGroup,
  item: Entity,
  value: string,
  line: number,
): void => {
  addRow(overlay.timelines, item, {
    tag: 'ilość',
    value,
    range: { from: date, to: null },
    auto: false,
    line,
    endLine: line,
    source: isMove(origin)
      ? { _tag: 'Move', path: movesPath, id: origin.id }
      : { _tag: 'Session', header: origin.header },
  })
}

type Stack = Extract<Side, { readonly _tag: 'Stack' }>

/** The two purses of a transfer, or why it does not apply. */
type Purses =
  | {
      readonly _tag: 'Both'
      /** The quantities of the two after the transfer. */
      readonly paid: number
      readonly received: number
      readonly source: Stack
      readonly destination: Stack
    }
  | Fault

/** Why an amount cannot be paid. */
export const amountReason = 'Kwota nie jest dodatnią liczbą całkowitą, najwyżej piętnastocyfrową.'

/**
 * Why a transfer with a side that has no purse can never apply, or not before a name is mended: both sides are judged,
 * so that a missing purse hides neither an unknown name nor a transfer from a block to itself. Null for any other.
 */
const faultOfSides = (source: Side, destination: Side): Fault | null => {
  const bad = [source, destination].find(
    (side): side is Side & Fault => side._tag === 'Fault' && side.kind !== 'PendingTransfer',
  )
  if (bad !== undefined) return bad
  const lacksPurse = source._tag === 'Fault' || destination._tag === 'Fault'
  return lacksPurse && source.owner !== null && source.owner === destination.owner
    ? faultOf('RefusedTransfer', `Obie strony to ${source.owner.type} „${source.owner.heading}”.`)
    : null
}

const pursesOf = (
  overlay: Overlay,
  { date }: TransferGroup,
  { amount }: SessionTransfer,
  [source, destination]: readonly [Side, Side],
): Purses => {
  const fault = faultOfSides(source, destination)
  if (fault !== null) return fault
  if (source._tag === 'Fault') return source
  if (destination._tag === 'Fault') return destination
  if (source.item === destination.item)
    return faultOf('RefusedTransfer', 'Obie strony mają tę samą sakiewkę.')
  const after = ({ item }: Stack, delta: number): number =>
    timelineQuantityOn(overlay.timelines, item, date) + delta
  const [paid, received] = [after(source, -amount), after(destination, amount)]
  if (!isAmount(amount)) return faultOf('MalformedTransfer', amountReason)
  return sumText(paid, 0) === null || sumText(received, 0) === null
    ? faultOf('RefusedTransfer', 'Ilość w sakiewce miałaby ponad 15 cyfr.')
    : { _tag: 'Both', source, destination, paid, received }
}

const noteTransfer = (
  overlay: Overlay,
  { origin }: TransferGroup,
  transfer: SessionTransfer,
  said: EffectNote,
): void => {
  if (isMove(origin))
    overlay.findings.push({ severity: 'warning', ...said, file: movesPath, subject: origin.id })
  else noteEffect(overlay, origin, transfer, said)
}

const noteForm = (
  overlay: Overlay,
  group: TransferGroup,
  transfer: SessionTransfer,
  name: string,
  { form }: Stack,
): void => {
  // What a close recorded depends on no form, and the text may no longer change.
  if (form !== null && group.meaning === null)
    noteTransfer(overlay, group, transfer, formNote('InflectedTransfer', name, form, transfer.line))
}

/** A side of a payment. Its purse is null where the transfer does not apply. */
const paymentSide = (side: Side | null, after: number | null): PaymentSide => ({
  owner: side?.owner ?? null,
  purse: side?._tag === 'Stack' && after !== null ? side.item.name : null,
  after,
  lacksPurse: side?._tag === 'Fault' && side.kind === 'PendingTransfer',
})

const applyTransfer = (overlay: Overlay, group: TransferGroup, transfer: SessionTransfer): void => {
  const { date, origin } = group
  const denomination = denominationOf(transfer.denomination)?.name ?? null
  const sides =
    denomination === null
      ? null
      : ([
          sideOf(overlay, group, transfer.source, denomination),
          sideOf(overlay, group, transfer.destination, denomination),
        ] as const)
  const purses =
    sides === null
      ? faultOf('RefusedTransfer', `„${transfer.denomination}” nie jest nominałem pieniędzy.`)
      : pursesOf(overlay, group, transfer, sides)
  const [paid, received] = purses._tag === 'Both' ? [purses.paid, purses.received] : [null, null]
  overlay.payments.push({
    date,
    header: isMove(origin) ? null : origin.header,
    move: isMove(origin) ? origin.id : null,
    transfer,
    denomination,
    state: purses._tag === 'Both' ? 'applied' : stateByKind[purses.kind],
    reason: purses._tag === 'Both' ? null : purses.reason,
    source: paymentSide(sides?.[0] ?? null, paid),
    destination: paymentSide(sides?.[1] ?? null, received),
  })
  if (purses._tag === 'Fault') {
    const { kind, reason } = purses
    return noteTransfer(overlay, group, transfer, {
      kind,
      line: transfer.line,
      reason: `${reason} Stan obu stron zostaje bez zmian.`,
      suggestion: null,
    })
  }
  recordPayment(overlay, group, purses.source.item, String(purses.paid), transfer.line)
  recordPayment(overlay, group, purses.destination.item, String(purses.received), transfer.line)
  noteForm(overlay, group, transfer, transfer.source, purses.source)
  noteForm(overlay, group, transfer, transfer.destination, purses.destination)
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

const namesOfSessions = perValue((effects: ReadonlyArray<ClosedSession>): ReadonlySet<NameKey> => {
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
  return names
})

const mentioned = perValue((effects: ReadonlyArray<ClosedSession>) =>
  perValue((moves: ReadonlyArray<Move>): Mentions => {
    const paid = moves.flatMap(({ transfers, meaning }) => [
      ...transfers.flatMap(one => [one.source, one.destination]),
      ...(meaning?.blocks ?? []).map(({ heading }) => heading),
    ])
    const keys = new Set([...namesOfSessions(effects), ...paid.map(nameKey)])
    return { keys, byStart: byStartOf(keys) }
  }),
)

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
const purseOwners = perValue(
  (item: Entity): ReadonlyArray<NameKey> =>
    denominationIn(item) === null
      ? []
      : item.rows.flatMap(row => (row.tag === 'należy_do' ? [nameKey(row.value)] : [])),
)

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
