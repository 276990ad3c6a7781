import { nameKey } from '#protocol/atoms/name.js'
import { entityTypes } from '#protocol/atoms/vocabulary.js'
import { denominationOf } from '#src/currency/denomination.js'
import { type Owner, type Stacks, stacksOf } from '#src/currency/stacks.js'
import type { Entities, Entity } from '#src/entities/entity.js'
import type { Finding } from '#src/lore/finding.js'
import { commaList } from '#src/lore/on-day.js'
import { splitRange } from '#src/lore/range.js'
import type { Row } from '#src/lore/row.js'
import { nameTags } from '#src/lore/rows.js'
import { restingOver, type Sliced } from '#src/lore/sliced.js'
import { tagRule } from '#src/lore/tag-schema.js'
import type { NameIndex, Resolution } from '#src/names/resolution.js'
import { resolve } from '#src/names/resolve.js'
import type { ChangedTag, Session, SessionChange, SessionTransfer } from '#src/sessions/session.js'
import { noted, refusedChange } from './effect-findings.js'
import { addRow, newTimelines, rowsOf, type Timelines, valueOn } from './timelines.js'

/** An overlay under way; never leaves its build. */
export interface Overlay {
  readonly names: NameIndex
  readonly timelines: Timelines
  readonly resolved: Map<string, Resolution>
  /** Spellings that sessions so far gave. */
  readonly aliases: Map<string, Entity>
  readonly stacks: Stacks
  readonly findings: Array<Finding>
}

const writable = entityTypes.filter(type => type !== 'Gracz')
const carrying: ReadonlySet<string> = new Set(['exact', 'alias', 'declension', 'alternation'])

/**
 * Whom a name means where an effect hangs on it: no near form, and no Gracz while another type answers
 * (FORMATS 4.5).
 */
const target = (overlay: Overlay, name: string): Resolution => {
  const known = overlay.resolved.get(name)
  if (known !== undefined) return known
  const first = resolve(overlay.names, name, { types: writable, noFuzzy: true })
  const given = overlay.aliases.get(nameKey(name))
  if (first.stage === 'miss' && given !== undefined)
    return { entity: given, stage: 'alias', confidence: 1, ambiguous: false, candidates: [given] }
  const found = first.stage === 'miss' ? resolve(overlay.names, name, { noFuzzy: true }) : first
  if (found.stage !== 'miss') overlay.resolved.set(name, found)
  return found
}

const certain = (found: Resolution): Entity | null => (carrying.has(found.stage) ? found.entity : null)

const ownerOf = (overlay: Overlay, name: string): Owner => certain(target(overlay, name)) ?? nameKey(name)

export const newOverlay = (entities: Entities, names: NameIndex): Overlay => {
  const timelines = newTimelines()
  const overlay: Overlay = {
    names,
    timelines,
    resolved: new Map(),
    aliases: new Map(),
    stacks: stacksOf(entities, {
      rowsOf: (item, tag) => rowsOf(timelines, item, tag),
      ownerOf: name => ownerOf(overlay, name),
      ownerOn: (item, day) => {
        const owner = valueOn(timelines, item, 'należy_do', day)
        return owner === null || owner === '' ? null : ownerOf(overlay, owner)
      },
      goneOn: (item, day) => valueOn(timelines, item, 'status', day) === 'Usunięty',
    }),
    findings: [],
  }
  return overlay
}

const spelled = (overlay: Overlay, entity: Entity, row: Row): void => {
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

const whole = /^-?\d{1,15}$/

const quantityOn = (overlay: Overlay, entity: Entity, day: Session['date']): number => {
  const text = valueOn(overlay.timelines, entity, 'ilość', day) ?? ''
  return whole.test(text) ? Number(text) : 0
}

/**
 * A quantity as history keeps it: absolute. `+N` and `-N` add to what was active on the row's own FROM
 * (FORMATS 1.8).
 */
const absolute = (overlay: Overlay, entity: Entity, text: string, day: Session['date']): string | null => {
  if (/^[+-]\d{1,15}$/.test(text)) return String(quantityOn(overlay, entity, day) + Number(text))
  return whole.test(text) ? String(Number(text)) : null
}

const changeTag = (overlay: Overlay, session: Session, entity: Entity, tag: ChangedTag): string | null => {
  const { text, range: written, suspect } = splitRange(tag.value)
  if (suspect) return `Zakres przy @${tag.tag} nie jest zakresem dni: ${tag.value}`
  if (tagRule(tag.tag, entity.type)?.writer === 'batch')
    return `Znacznik @${tag.tag} zmienia tylko rozliczenie PU.`
  const range = written.from === null && written.to === null ? { from: session.date, to: null } : written
  const quantity = tag.tag === 'ilość' ? absolute(overlay, entity, text, range.from ?? session.date) : text
  if (quantity === null) return `@ilość: „${tag.value}” nie jest liczbą całkowitą, +N ani -N.`
  const row: Row = {
    tag: tag.tag,
    value: quantity,
    range,
    auto: false,
    line: tag.line,
    endLine: tag.line,
    source: { _tag: 'Session', header: session.header },
  }
  addRow(overlay.timelines, entity, row)
  spelled(overlay, entity, row)
  overlay.stacks.noteRow(entity, row)
  return null
}

const applyChange = function* (overlay: Overlay, session: Session, change: SessionChange): Sliced<void> {
  const { entity: name, tags, line } = change
  const found = target(overlay, name)
  const entity = certain(found)
  if (entity === null) {
    const [kind, reason] = refusedChange(found, name)
    noted(overlay, session, tags[0], line, kind, reason, 'Wpisz nagłówek jednej encji albo dopisz @alias.')
    return
  }
  if (entity.type === 'Gracz') {
    const reason = `„${name}” to Gracz, a tego zmienia tylko commit.`
    noted(overlay, session, tags[0], line, 'RefusedChange', reason, null)
    return
  }
  yield* restingOver(tags, tag => {
    const refused = changeTag(overlay, session, entity, tag)
    if (refused !== null) noted(overlay, session, tag, tag.line, 'RefusedChange', refused, null)
  })
}

/** Applies the Zmiany of a closed session. Rests within: a session may state thousands. */
export const applyChanges = function* (overlay: Overlay, session: Session): Sliced<void> {
  for (const change of session.changes) {
    yield* applyChange(overlay, session, change)
    yield
  }
}

type Side =
  | { readonly _tag: 'Stack'; readonly item: Entity }
  | { readonly _tag: 'Missing'; readonly kind: string; readonly reason: string }

const sideOf = (overlay: Overlay, session: Session, name: string, denomination: string): Side => {
  const found = target(overlay, name)
  if (found.ambiguous)
    return {
      _tag: 'Missing',
      kind: 'AmbiguousTransfer',
      reason: `Nazwa „${name}” pasuje do więcej niż jednej encji.`,
    }
  const day = session.date
  const item = overlay.stacks.find(denomination, ownerOf(overlay, name), day)
  if (item !== null) return { _tag: 'Stack', item }
  return found.entity === null
    ? { _tag: 'Missing', kind: 'UnresolvedTransfer', reason: `Żadna encja nie nosi nazwy „${name}”.` }
    : {
        _tag: 'Missing',
        kind: 'PendingTransfer',
        reason: `„${name}” nie ma tego dnia sakiewki w nominale „${denomination}”.`,
      }
}

const paid = (overlay: Overlay, session: Session, item: Entity, delta: number, line: number): void => {
  addRow(overlay.timelines, item, {
    tag: 'ilość',
    value: String(quantityOn(overlay, item, session.date) + delta),
    range: { from: session.date, to: null },
    auto: false,
    line,
    endLine: line,
    source: { _tag: 'Session', header: session.header },
  })
}

type Purses =
  | { readonly _tag: 'Both'; readonly source: Entity; readonly destination: Entity }
  | Extract<Side, { readonly _tag: 'Missing' }>

const pursesOf = (overlay: Overlay, session: Session, transfer: SessionTransfer): Purses => {
  const denomination = denominationOf(transfer.denomination)
  if (denomination === null)
    return {
      _tag: 'Missing',
      kind: 'RefusedTransfer',
      reason: `„${transfer.denomination}” nie jest nominałem pieniędzy.`,
    }
  const source = sideOf(overlay, session, transfer.source, denomination.name)
  if (source._tag === 'Missing') return source
  const destination = sideOf(overlay, session, transfer.destination, denomination.name)
  if (destination._tag === 'Missing') return destination
  return source.item === destination.item
    ? { _tag: 'Missing', kind: 'RefusedTransfer', reason: 'Obie strony mają tę samą sakiewkę.' }
    : { _tag: 'Both', source: source.item, destination: destination.item }
}

const transferred = (overlay: Overlay, session: Session, transfer: SessionTransfer): void => {
  const purses = pursesOf(overlay, session, transfer)
  if (purses._tag === 'Both') {
    paid(overlay, session, purses.source, -transfer.amount, transfer.line)
    paid(overlay, session, purses.destination, transfer.amount, transfer.line)
    return
  }
  noted(
    overlay,
    session,
    transfer,
    transfer.line,
    purses.kind,
    `${purses.reason} Stan obu stron zostaje bez zmian.`,
    null,
  )
}

/** Applies the Transfers of a closed session, in order: both sides or neither (FORMATS 7). Rests within. */
export const applyTransfers = (overlay: Overlay, session: Session): Sliced<void> =>
  restingOver(session.transfers, transfer => transferred(overlay, session, transfer))
