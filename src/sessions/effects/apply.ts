import { nameKey } from '#protocol/atoms/name.js'
import { noteStack } from '#src/currency/stacks.js'
import type { Entity } from '#src/entities/entity.js'
import { commaList } from '#src/lore/on-day.js'
import { splitRange } from '#src/lore/range.js'
import type { Row } from '#src/lore/row.js'
import { nameTags } from '#src/lore/rows.js'
import { tagRule } from '#src/lore/tag-schema.js'
import { recallOf } from '#src/sessions/closing/recall.js'
import type { ChangedTag, Session, SessionCopy } from '#src/sessions/session.js'
import {
  blockMeant,
  type ClosedSession,
  goneReason,
  type Meant,
  noteEffect,
  type Overlay,
  rowOwner,
} from './overlay-state.js'
import { addRow, quantityOn, rowsOf } from './timelines.js'

const spelled = (overlay: Overlay, entity: Entity, row: Row): void => {
  const spellings = nameTags.has(row.tag)
    ? [row.value]
    : row.tag === 'generyczne_nazwy'
      ? commaList(row.value)
      : []
  for (const spelling of spellings) {
    const key = nameKey(spelling)
    if (key !== '' && !overlay.aliases.has(key)) overlay.aliases.set(key, entity)
  }
}

const whole = /^-?\d{1,15}$/

/**
 * A quantity as history keeps it: absolute. `+N` and `-N` add to what was active on the row's own FROM
 * (FORMATS 1.8).
 */
const absolute = (overlay: Overlay, entity: Entity, text: string, day: Session['date']): string | null => {
  if (/^[+-]\d{1,15}$/.test(text)) return String(quantityOn(overlay.timelines, entity, day) + Number(text))
  return whole.test(text) ? String(Number(text)) : null
}

/** An item may become money, or somebody's money, in a session. */
const notePurse = (overlay: Overlay, item: Entity, row: Row): void => {
  const rows = (tag: string): ReadonlyArray<Row> =>
    row.tag === tag ? [row] : rowsOf(overlay.timelines, item, tag)
  noteStack(overlay.stacks(), item, rows('generyczne_nazwy'), rows('należy_do'), one =>
    rowOwner(overlay, one),
  )
}

const changeTag = (
  overlay: Overlay,
  { session, meaning }: ClosedSession,
  entity: Entity,
  tag: ChangedTag,
): string | null => {
  const { text, range: written, suspect } = splitRange(tag.value)
  if (suspect) return `Zakres przy @${tag.tag} nie jest zakresem dni: ${tag.value}`
  if (tagRule(tag.tag, entity.type)?.writer === 'batch')
    return `Znacznik @${tag.tag} zmienia tylko rozliczenie PU.`
  const range = written.from === null && written.to === null ? { from: session.date, to: null } : written
  const quantity = tag.tag === 'ilość' ? absolute(overlay, entity, text, range.from ?? session.date) : text
  if (quantity === null) return `@ilość: „${tag.value}” nie jest liczbą całkowitą, +N ani -N.`
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
  addRow(overlay.timelines, entity, row)
  spelled(overlay, entity, row)
  if (row.tag === 'należy_do' || row.tag === 'generyczne_nazwy') notePurse(overlay, entity, row)
  return null
}

const namesOf = (candidates: ReadonlyArray<Entity>): string =>
  candidates.map(one => `${one.type} ${one.name}`).join(', ')

type Unapplied = Exclude<Meant, { readonly _tag: 'Block' }>

const kindOf = ({ _tag }: Unapplied): string => (_tag === 'Several' ? 'AmbiguousChange' : 'UnresolvedChange')

const reasonOf = (name: string, meant: Unapplied): string => {
  switch (meant._tag) {
    case 'Several':
      return `Nazwa „${name}” pasuje do więcej niż jednej encji (${namesOf(meant.candidates)}); nic nie zmieniono.`
    case 'Gone':
      return `${goneReason(name, meant.record)} Nic nie zmieniono.`
    case 'Nobody':
      return `Żadna encja nie nosi nazwy „${name}”; nic nie zmieniono.`
  }
}

/** Applies the Zmiany of a closed session. */
export const applyChanges = (overlay: Overlay, closed: ClosedSession): void => {
  const { session } = closed
  for (const { entity: name, tags, line } of session.changes) {
    const holds = (copy: SessionCopy): boolean =>
      copy.changes.some(change => change.tags.some(tag => tags.includes(tag)))
    const meant = blockMeant(overlay, closed, name)
    if (meant._tag !== 'Block') {
      const suggestion = 'Wpisz nagłówek jednej encji albo dopisz @alias.'
      noteEffect(overlay, session, holds, {
        kind: kindOf(meant),
        line,
        reason: reasonOf(name, meant),
        suggestion,
      })
      continue
    }
    const refuse = (at: number, reason: string): void =>
      noteEffect(overlay, session, holds, { kind: 'RefusedChange', line: at, reason, suggestion: null })
    if (meant.entity.type === 'Gracz') {
      refuse(line, `„${name}” to Gracz, a tego zmienia tylko commit.`)
      continue
    }
    for (const tag of tags) {
      const refused = changeTag(overlay, closed, meant.entity, tag)
      if (refused !== null) refuse(tag.line, refused)
    }
  }
}
