import { type EntityType, entityTypes, type RepoPath, statuses } from '#protocol/atoms.js'
import { isFigure, readQuantity } from '#src/domain/lore/figures.js'
import type { Finding, Severity } from '#src/domain/lore/finding.js'
import type { Block, Row } from '#src/domain/lore/rows/row-change.js'
import { nameTags, referenceTags, signProblem, spellingIn } from '#src/domain/lore/rows/rows.js'
import { isKnownTag, tagRule } from '#src/domain/lore/tag-schema.js'
import { opensChannel, quotableLine } from '#src/domain/lore/topic-text.js'
import { statusOf, typeOf } from './entity.js'
import { genericNames, typeInRows } from './reading.js'

/** Findings of a block of an index file against the tag schema (D22). The rows are kept in any case. */
export const blockFindings = (block: Block, file: RepoPath): ReadonlyArray<Finding> => {
  const type = typeInRows(block.rows)
  const findings: Array<Finding> = []
  const add = (line: number, [kind, severity, reason, suggestion]: Noted): void => {
    findings.push({ kind, severity, file, line, subject: block.heading, reason, suggestion })
  }
  if (!block.rows.some(row => row.tag === 'typ'))
    add(block.line, [
      'TypeMissing',
      'error',
      'Blok nie ma @typ.',
      `Dodaj wiersz „- @typ: …” z jednym z typów: ${entityTypes.join(', ')}.`,
    ])
  const addSigns = (line: number, name: string): void => {
    const problem = signProblem(name)
    if (problem !== null) findings.push({ ...problem, file, line, subject: block.heading })
  }
  addSigns(block.line, block.heading)
  for (const row of block.rows) {
    const noted = remarkOf(row, type)
    if (noted !== null) add(row.line, noted)
    if (referenceTags.has(row.tag)) addSigns(row.line, row.value)
    else if (isOfNames(row.tag)) for (const name of namesIn(row)) addSigns(row.line, name)
  }
  return findings
}

type Noted = readonly [kind: string, severity: Severity, reason: string, suggestion: string]

const typeRow = (row: Row): Noted | null =>
  typeOf(row.value) === null
    ? [
        'UnknownType',
        'error',
        `Typ „${quotableLine(row.value)}” nie jest żadnym z ośmiu typów.`,
        `Użyj jednego z typów: ${entityTypes.join(', ')}; opis przenieś do @info.`,
      ]
    : null

const valueRow = (row: Row, type: EntityType | null): Noted | null => {
  if (row.value === '') return null
  if (row.tag.startsWith('pu_'))
    return isFigure(row.value)
      ? null
      : [
          'UnknownValue',
          'warning',
          `@${row.tag}: „${quotableLine(row.value)}” nie jest liczbą.`,
          'Zapisz liczbę, na przykład 31,25, albo BRAK; uwagę dopisz po odstępie.',
        ]
  if (row.tag === 'status')
    return statusOf(row.value) === null
      ? [
          'UnknownStatus',
          'warning',
          `Status „${quotableLine(row.value)}” nie jest znany.`,
          `Użyj jednego ze statusów: ${statuses.join(', ')}.`,
        ]
      : null
  if (row.tag === 'ilość')
    return readQuantity(row.value) !== null
      ? null
      : [
          'UnknownValue',
          'warning',
          `@ilość: „${quotableLine(row.value)}” nie jest liczbą całkowitą.`,
          'Zapisz liczbę całkowitą, na przykład 12 albo -3; uwagę dopisz po odstępie.',
        ]
  const values = type === null ? null : (tagRule(row.tag, type)?.values ?? null)
  return values === null || values.includes(row.value.toLowerCase())
    ? null
    : [
        'UnknownValue',
        'warning',
        `@${row.tag}: wartość „${quotableLine(row.value)}” jest spoza listy.`,
        `Użyj jednej z wartości: ${values.join(', ')}.`,
      ]
}

const remarkOf = (row: Row, type: EntityType | null): Noted | null => {
  if (row.tag === 'typ') return typeRow(row)
  if (opensChannel(row.tag, row.value))
    return [
      'RawWebhookValue',
      'error',
      `@${row.tag} zawiera adres, który pozwala pisać na kanale; należy go uznać za ujawniony.`,
      'Unieważnij ten adres i wpisz kanał w postaci kategoria/kanał.',
    ]
  if (!isKnownTag(row.tag))
    return [
      'UnknownTag',
      'warning',
      `Znacznik @${row.tag} nie należy do schematu; wiersz jest zachowany.`,
      'Popraw nazwę znacznika albo przenieś treść do @info.',
    ]
  if (type !== null && tagRule(row.tag, type) === null)
    return [
      'ForeignTag',
      'info',
      `Znacznik @${row.tag} nie dotyczy typu ${type}; wiersz jest zachowany.`,
      'Przenieś treść do @info albo popraw @typ.',
    ]
  return valueRow(row, type)
}

const isOfNames = (tag: string): boolean => tag === 'generyczne_nazwy' || nameTags.has(tag)

/** The names that a row gives its block. */
const namesIn = (row: Row): ReadonlyArray<string> => {
  if (row.tag === 'generyczne_nazwy') return genericNames({ rows: [row] })
  const name = spellingIn(row)
  return name === null ? [] : [name]
}
