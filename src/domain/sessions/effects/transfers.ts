import { nameKey } from '#protocol/atoms.js'
import { denominationOf } from '#src/domain/currency/denomination.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { findRecorded } from '#src/domain/entities/reading/block-record.js'
import { sumText } from '#src/domain/lore/decimal.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { recallOf } from '../closing/recall.js'
import type { Session, SessionTransfer } from '../session.js'
import { formNote, noteEffect } from './effect-findings.js'
import {
  blockMeant,
  type ClosedSession,
  explainLoss,
  type Meant,
  type Overlay,
  severalReason,
  sideOwner,
} from './overlay-state.js'
import { addRow, timelineQuantityOn } from './timelines.js'

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

/**
 * Applies the Transfers of a closed session in order, each to both sides or to neither (FORMATS 7). Yields
 * between them.
 */
export const applyTransfers = (overlay: Overlay, closed: ClosedSession): Sliced<void> =>
  forEachInSlices(closed.session.transfers, transfer => applyTransfer(overlay, closed, transfer))
