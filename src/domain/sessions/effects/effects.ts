import { nameKey } from '#protocol/atoms.js'
import { denominationIn } from '#src/domain/currency/purses.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { isFigure, readQuantity, sumText } from '#src/domain/lore/figures.js'
import { splitRange } from '#src/domain/lore/rows/days.js'
import { commaList } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { tagRule } from '#src/domain/lore/tag-schema.js'
import { isTopicTag } from '#src/domain/lore/topic-text.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { ChangedTag, Session, SessionChange } from '../session.js'
import {
  addRow,
  blockMeant,
  blocksText,
  type ClosedSession,
  denominationNow,
  explainLoss,
  formNote,
  type Meant,
  noteEffect,
  type Overlay,
  recallOf,
  severalReason,
  timelineQuantityOn,
} from './overlay-state.js'

/** Applies the Zmiany of a closed session. Yields between changes, because a session may have thousands. */
export const applyChanges = function* (overlay: Overlay, closed: ClosedSession): Sliced<void> {
  for (const change of closed.session.changes) {
    yield* applyChange(overlay, closed, change)
    yield
  }
}

const addSpellings = (overlay: Overlay, entity: Entity, row: Row): void => {
  const spellings = nameTags.has(row.tag)
    ? [row.value]
    : row.tag === 'generyczne_nazwy'
      ? commaList(row.value)
      : []
  for (const spelling of spellings) {
    const key = nameKey(spelling)
    if (key === '' || overlay.aliases.has(key)) continue
    overlay.aliases.set(key, entity)
    overlay.stacks.noteName(key)
  }
}

/**
 * The absolute quantity to store. `+N` and `-N` add to the quantity active on the row's own FROM (FORMATS
 * 1.8). Null when the text is no quantity, or the sum has more than 15 digits.
 */
const absolute = (overlay: Overlay, entity: Entity, text: string, day: Session['date']): string | null => {
  const number = readQuantity(text, 'either')
  if (number === null) return null
  return sumText(number, /^[+\-\u2212]/u.test(text) ? timelineQuantityOn(overlay.timelines, entity, day) : 0)
}

/**
 * Why a row may not name a denomination; null when it may. An item that is money keeps its denomination: otherwise
 * Transfers of one would change the supply of another.
 */
const moneyFault = (overlay: Overlay, item: Entity, row: Row): string | null => {
  const named = row.tag === 'generyczne_nazwy' ? denominationIn({ rows: [row] }) : null
  if (named === null || item.type !== 'Przedmiot') return null
  const held = denominationNow(overlay, item) ?? denominationIn(item)?.name ?? named.name
  return held === named.name ? null : `@generyczne_nazwy: sakiewka ma już nominał „${held}”.`
}

const changeTag = (
  overlay: Overlay,
  { session, meaning }: ClosedSession,
  entity: Entity,
  tag: ChangedTag,
): string | null => {
  const { text, range: written, suspect } = splitRange(tag.value)
  if (suspect)
    return `Zakres przy @${tag.tag} nie jest zakresem dni${isTopicTag(tag.tag) ? '' : `: „${tag.value}”`}.`
  if (tagRule(tag.tag, entity.type)?.writer === 'batch')
    return `Znacznik @${tag.tag} zmienia tylko rozliczenie PU.`
  const range = written.from === null && written.to === null ? { from: session.date, to: null } : written
  const quantity = tag.tag === 'ilość' ? absolute(overlay, entity, text, range.from ?? session.date) : text
  if (quantity === null) return `@ilość: „${tag.value}” nie jest liczbą całkowitą, +N ani -N.`
  if (tag.tag === 'pu_startowe' && !isFigure(text)) return `@${tag.tag}: „${text}” nie jest liczbą ani BRAK.`
  const owner = tag.tag === 'należy_do' ? recallOf(meaning).owner(quantity, entity.type) : null
  const row: Row = {
    tag: tag.tag,
    value: quantity,
    range,
    auto: false,
    line: tag.line,
    endLine: tag.line,
    source: { _tag: 'Session', header: session.header },
    ...(owner === null ? {} : { owner: { heading: owner.heading, type: owner.type } }),
  }
  const fault = moneyFault(overlay, entity, row)
  if (fault !== null) return fault
  addRow(overlay.timelines, entity, row)
  addSpellings(overlay, entity, row)
  overlay.stacks.noteRow(entity, row)
  return null
}

type Unapplied = Exclude<Meant, { readonly _tag: 'Block' }>

const kindOf = ({ _tag }: Unapplied): string =>
  _tag === 'Several' || _tag === 'SeveralAtClose' ? 'AmbiguousChange' : 'UnresolvedChange'

const reasonOf = (name: string, meant: Unapplied): string => {
  switch (meant._tag) {
    case 'Several':
      return `Nazwa „${name}” pasuje do więcej niż jednej encji (${blocksText(meant.candidates)}); nic nie zmieniono.`
    case 'SeveralAtClose':
      return `${severalReason(name)} Nic nie zmieniono.`
    case 'Gone':
      return `${explainLoss(name, meant.record)} Nic nie zmieniono.`
    case 'Nobody':
      return `Żadna encja nie nosi nazwy „${name}”; nic nie zmieniono.`
  }
}

const applyChange = function* (overlay: Overlay, closed: ClosedSession, change: SessionChange): Sliced<void> {
  const { session } = closed
  const { entity: name, tags, line } = change
  const refuse = (tag: ChangedTag | undefined, at: number, reason: string): void =>
    noteEffect(overlay, session, tag, { kind: 'RefusedChange', line: at, reason, suggestion: null })
  const meant = blockMeant(overlay, { origin: session, meaning: closed.meaning }, name)
  if (meant._tag !== 'Block') {
    const suggestion =
      meant._tag === 'SeveralAtClose'
        ? 'Zapisz zmianę w nowej sesji, pod nagłówkiem jednej encji.'
        : 'Wpisz nagłówek jednej encji albo dopisz @alias.'
    noteEffect(overlay, session, tags[0], {
      kind: kindOf(meant),
      line,
      reason: reasonOf(name, meant),
      suggestion,
    })
    return
  }
  const { entity } = meant
  if (entity.type === 'Gracz')
    return refuse(tags[0], line, `„${name}” to Gracz, a tego zmienia tylko commit.`)
  // What a close recorded depends on no form, and the text may no longer change.
  if (meant.isForm && closed.meaning === null)
    noteEffect(overlay, session, tags[0], formNote('InflectedChange', name, entity, line))
  yield* forEachInSlices(tags, tag => {
    const refused = changeTag(overlay, closed, entity, tag)
    if (refused !== null) refuse(tag, tag.line, refused)
  })
}
