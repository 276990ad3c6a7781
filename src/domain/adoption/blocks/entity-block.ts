import type { Day, EntityType } from '#protocol/atoms.js'
import { compareDecimals, numberAt } from '#src/domain/lore/decimal.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { adoptRows } from '../adopted-rows.js'
import { legacyScalarOn } from '../legacy/active-row.js'
import type { LegacyLabels } from '../legacy/game-id-tag.js'
import { findingOfNotice } from '../legacy/noticed.js'
import type { LegacyCharacter } from '../legacy/overlay.js'
import { figureNames, pointsText } from '../legacy/points-line.js'
import type { LegacyEntity } from '../legacy/registry.js'
import { type LegacyRow, quoteRow } from '../legacy/registry-row.js'
import { indexTypeOf } from '../legacy/type-word.js'
import { blockText } from './block-text.js'
import { makeRow, type PlannedBlock } from './planned-block.js'

const namesType = (row: LegacyRow): boolean => row.tag === 'typ' && indexTypeOf(row.value) !== null

/**
 * The type of an entity on a day: that of the deciding `@typ` among those that name a type of an index block,
 * else the type of its section. Any other word in a `@typ`, `Gracz` too, is free text.
 */
const typeOnDay = (entity: LegacyEntity, day: Day): EntityType => {
  const typed = entity.rows.filter(namesType)
  return indexTypeOf(legacyScalarOn(typed, 'typ', day)?.value ?? '') ?? entity.type
}

const isUndatedType = (row: LegacyRow): boolean => row.tag === 'typ' && row.from === '' && row.to === ''

/**
 * Rows with the `@typ` rows that name a type first. A `@typ` with the type of the section precedes them
 * unless one of them is undated.
 */
const addTypeRows = (entity: LegacyEntity): ReadonlyArray<LegacyRow> => {
  const named = entity.rows.filter(namesType)
  const ofSection = named.some(isUndatedType) ? [] : [makeRow('typ', entity.type, entity)]
  return [...ofSection, ...named, ...entity.rows.filter(row => !namesType(row))]
}

const block = (
  entity: LegacyEntity,
  rows: ReadonlyArray<LegacyRow>,
  more: ReadonlyArray<Finding>,
  labels: LegacyLabels,
  day: Day,
): PlannedBlock => {
  const type = typeOnDay(entity, day)
  const adopted = adoptRows(rows, type, entity.name, labels)
  return {
    type,
    heading: entity.name,
    text: blockText(entity.name, adopted.rows),
    path: entity.path,
    line: entity.line,
    findings: [...adopted.findings, ...more],
  }
}

/**
 * The index block of an entity that is neither a Gracz nor a Postać. `labels.game` is the brand word in
 * `@<game>id`, by which a game id of the predecessor is recognised; null matches any word. `day` decides the
 * type.
 */
export const entityBlock = (entity: LegacyEntity, labels: LegacyLabels, day: Day): PlannedBlock =>
  block(entity, addTypeRows(entity), [], labels, day)

/**
 * Findings for rows of PU in the registry that one undated row per figure replaces. A row that already is
 * undated and has the adopted value, without a remark, gives none. A dated row gives one although its value
 * may be the adopted one. `brak` means no value and is not worth a warning.
 */
const replacementFindings = (
  character: LegacyCharacter,
  rows: ReadonlyArray<LegacyRow>,
): ReadonlyArray<Finding> =>
  rows.flatMap(row => {
    const name = figureNames.find(known => row.tag === `pu_${known}`)
    const figure = name === undefined ? null : character.figures[name]
    const number = numberAt(row.value, 0, 'minus')
    const value = number?.value ?? null
    const same = figure !== null && value !== null && compareDecimals(figure, value) === 0
    if (same && row.from === '' && row.to === '' && number?.end === row.value.length) return []
    const now = figure === null ? 'no value' : pointsText(figure)
    const at = { file: row.path, line: row.line, subject: character.name } as const
    const reason = `@${row.tag} ${quoteRow(row)} of ${character.name} was adopted as ${now}, undated.`
    const kind = value === null ? 'PuUnreadable' : 'PuSuperseded'
    const brak = row.value.toLowerCase() === 'brak'
    return [findingOfNotice({ ...at, kind, severity: value === null && !brak ? 'warning' : 'info', reason })]
  })

/** Findings for PU of the roster for which another value was adopted, because the registry wins. */
const rosterReplaced = (
  character: LegacyCharacter,
  place: Pick<LegacyRow, 'path' | 'line'>,
): ReadonlyArray<Finding> =>
  figureNames.flatMap(name => {
    const before = character.roster?.figures[name] ?? null
    const now = character.figures[name]
    if (before === null || (now !== null && compareDecimals(before, now) === 0)) return []
    const adopted = now === null ? 'no value' : pointsText(now)
    const reason = `${name.toUpperCase()} ${pointsText(before)} of the roster was adopted as ${adopted}.`
    const at = { file: place.path, line: place.line, subject: character.name } as const
    return [findingOfNotice({ ...at, kind: 'PuSuperseded', severity: 'info', reason })]
  })

const isFigure = (row: LegacyRow): boolean => figureNames.some(name => row.tag === `pu_${name}`)

/**
 * The index block of a character: the rows of the registry (the predecessor's files of entities), then what
 * only the roster (its player database) has: owner and aliases, with the PU that the predecessor held
 * (docs/spec/adoption.md). `rosterPlace` is the place of the rows that the registry lacks. `document` is a
 * character file whose path does not follow from its name; null when no `@plik` row is needed. `labels` is
 * that of `entityBlock`. `day` decides the type and whether the registry has an active owner. Each of the
 * four figures (the values of PU) that is not null is one undated row; the rows of PU in the registry are
 * left out.
 */
export const characterBlock = (
  character: LegacyCharacter,
  rosterPlace: Pick<LegacyRow, 'path' | 'line'>,
  document: string | null,
  labels: LegacyLabels,
  day: Day,
): PlannedBlock => {
  const { entity } = character
  const place = entity ?? rosterPlace
  const base: LegacyEntity = entity ?? { type: 'Postać', name: character.name, rows: [], ...place }
  const own = addTypeRows(base)
  const has = (tag: string, value: string): boolean => own.some(row => row.tag === tag && row.value === value)
  const owner =
    character.player === null || legacyScalarOn(own, 'należy_do', day) !== null
      ? []
      : [makeRow('należy_do', character.player, rosterPlace)]
  const aliases = character.aliases
    .filter(alias => !has('alias', alias) && alias !== character.name)
    .map(alias => makeRow('alias', alias, rosterPlace))
  const figures = figureNames.flatMap(name => {
    const figure = character.figures[name]
    return figure === null ? [] : [makeRow(`pu_${name}`, pointsText(figure), place)]
  })
  const file = document === null || has('plik', document) ? [] : [makeRow('plik', document, rosterPlace)]
  const rows = [...own.filter(row => !isFigure(row)), ...owner, ...aliases, ...figures, ...file]
  const told = [
    ...replacementFindings(character, own.filter(isFigure)),
    ...rosterReplaced(character, rosterPlace),
  ]
  return block(base, rows, told, labels, day)
}
