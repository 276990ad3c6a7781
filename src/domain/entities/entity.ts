import {
  type Day,
  type EntityType,
  entityTypes,
  type NameKey,
  nameKey,
  type RepoPath,
  type Status,
  statuses,
} from '#protocol/atoms.js'
import type { LayeredMap } from '#src/domain/caching/layered-map.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { readQuantity } from '#src/domain/lore/figures.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Line, linesOf, newlineOf } from '#src/domain/lore/lines.js'
import { activeOn } from '#src/domain/lore/rows/days.js'
import { commaList, scalarOn, valuesOn } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { spellingIn } from '#src/domain/lore/rows/rows.js'
import { isServable } from './ref-target.js'

/**
 * How `@ref` was followed (B 2.1): `list` uses the leading tag list of the file, `index` the block of the
 * same heading.
 */
export interface RefProvenance {
  readonly file: string
  readonly form: 'list' | 'index' | null
  /** Null when the target was read; otherwise the reason why not. */
  readonly broken: string | null
  /** Rows of the block itself that are ignored while the reference is active. */
  readonly hidden: ReadonlyArray<Row>
}

/**
 * A block of an index file. `rows` are its own, those of its `@ref` target, and those that closed sessions
 * add (FORMATS 4.5), per tag in the deciding order: undated first, then by FROM, stable (FORMATS 1.5).
 */
export interface Entity {
  readonly name: string
  readonly key: NameKey
  readonly type: EntityType
  readonly file: RepoPath
  readonly line: number
  readonly endLine: number
  readonly rows: ReadonlyArray<Row>
  readonly ref: RefProvenance | null
}

/** The entities with each spelling. */
export type Owners = LayeredMap<NameKey, ReadonlyArray<Entity>>

/**
 * All entities of a snapshot: the Gracz blocks of the contributor store first, then index files by path, in
 * line order.
 */
export interface Entities {
  /** The entities of each file, in order. A file that a commit did not change keeps the same list object. */
  readonly groups: ReadonlyArray<ReadonlyArray<Entity>>
  readonly all: ReadonlyArray<Entity>
  /** By heading. Several blocks may share one (D12); they are ordered as `entityTypes`. */
  readonly byHeading: Owners
  /** By `@alias`, `@nazwa_svc`, `@nick`, with any range. */
  readonly byAlias: Owners
  /** By the names of `@generyczne_nazwy`, in the order of `all`. */
  readonly byGeneric: Owners
  readonly byType: ReadonlyMap<EntityType, ReadonlyArray<Entity>>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * The committed file that an entity names by `@plik` (D15); null when it names none or one that may not be
 * served.
 */
export const documentOf = (
  entity: Entity,
  files: ReadonlyMap<string, SourceFile>,
  day: Day,
): SourceFile | null => {
  const path = documentOn(entity, day)
  return path !== null && isServable(path, entity) ? (files.get(path) ?? null) : null
}

/**
 * The numbers of the lines of session blocks (D15): everything from a `###` header with anything like a date
 * to the next header of level 1 to 3. Doubtful lines count too.
 */
export const findSessionLines = (lines: ReadonlyArray<Line>): ReadonlySet<number> => {
  const found = new Set<number>()
  let inside = false
  for (const line of lines) {
    if (line._tag === 'Header' && line.level <= 3) inside = false
    if (maySession(line.raw)) inside = true
    if (inside) found.add(line.number)
  }
  return found
}

/** A document without the lines of its session blocks. */
export const withoutSessions = (text: string): { readonly content: string; readonly cut: boolean } => {
  const { lines } = linesOf(text)
  const sessions = findSessionLines(lines)
  if (sessions.size === 0) return { content: text, cut: false }
  const kept = lines.filter(({ number }) => !sessions.has(number))
  const newline = newlineOf(text)
  return { content: kept.map(({ raw }) => raw + newline).join(''), cut: true }
}

/**
 * The type that a text names, in any case; `Organizacja` counts as Grupa (FORMATS 10). Null for any other
 * text.
 */
export const typeOf = (text: string): EntityType | null =>
  written.get(text) ?? types.get(nameKey(text)) ?? null

/** The type on a day: the last active `@typ` that names one, else the type of the block. */
export const typeOn = (entity: Entity, day: Day): EntityType =>
  typeChanges(entity)?.findLast(({ range }) => activeOn(range, day))?.type ?? entity.type

/**
 * The status on a day: Aktywny when none is stated (FORMATS 1.4), Niepewny for a text that is none of the
 * four (FORMATS 10).
 */
export const statusOn = (entity: Entity, day: Day): Status => {
  const text = scalarOn(entity.rows, 'status', day)
  return text === null ? 'Aktywny' : (statusOf(text) ?? 'Niepewny')
}

/** The owner as written (`@należy_do`). */
export const ownerOn = (entity: Entity, day: Day): string | null => scalarOn(entity.rows, 'należy_do', day)

/** The location as written; for a Lokacja that is its parent. A slash path is not split. */
export const locationOn = (entity: Entity, day: Day): string | null => scalarOn(entity.rows, 'lokacja', day)

export const groupsOn = (entity: Entity, day: Day): ReadonlyArray<string> =>
  valuesOn(entity.rows, 'grupa', day)

export const doorsOn = (entity: Entity, day: Day): ReadonlyArray<string> =>
  valuesOn(entity.rows, 'drzwi', day)

export const aliasesOn = (entity: Entity, day: Day): ReadonlyArray<string> =>
  valuesOn(entity.rows, 'alias', day)

export const genericNamesOn = (entity: Entity, day: Day): ReadonlyArray<string> => [
  ...new Set(valuesOn(entity.rows, 'generyczne_nazwy', day).flatMap(commaList)),
]

/**
 * The other spellings on a day, in the order of B 2.1: `@nazwa_svc`, `@alias`, `@nick`; never the heading.
 */
export const spellingsOn = (entity: Entity, day: Day): ReadonlyArray<string> => {
  const seen = new Set([entity.key])
  return ['nazwa_svc', 'alias', 'nick']
    .flatMap(tag => valuesOn(entity.rows, tag, day))
    .flatMap(value => spellingIn({ value }) ?? [])
    .filter(name => {
      const key = nameKey(name)
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
}

/**
 * The quantity on a day, an integer of either sign; null when none is stated or it is no integer (FORMATS
 * 1.8).
 */
export const quantityOn = (entity: Entity, day: Day): number | null => {
  const text = scalarOn(entity.rows, 'ilość', day)
  return text === null ? null : readQuantity(text)
}

/** The entity's document (`@plik`), as written. */
export const documentOn = (entity: Entity, day: Day): string | null => scalarOn(entity.rows, 'plik', day)

/** The status that a text names, in any case; null for any other text. */
export const statusOf = (text: string): Status | null =>
  statusWritten.get(text) ?? known.get(nameKey(text)) ?? null

/**
 * Whether a line may be a session header: level three with anything like a date, also inside a fence or a comment,
 * and after any blanks and signs.
 */
const maySession = (raw: string): boolean =>
  /^[^\p{L}\p{N}#]*###(?!#)/u.test(raw) && /\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/u.test(raw)

const types: ReadonlyMap<string, EntityType> = new Map([
  ...entityTypes.map(type => [nameKey(type), type] as const),
  ['organizacja', 'Grupa'],
  ['organizacje', 'Grupa'],
])

const written: ReadonlyMap<string, EntityType> = new Map(entityTypes.map(type => [type, type] as const))

/**
 * The `@typ` rows of an entity whose type changes over time; null for one that keeps it, as nearly all do.
 */
const typeChanges = perValue((entity: Entity) => {
  const stated = entity.rows.flatMap(({ tag, value, range }) => {
    const type = tag === 'typ' ? typeOf(value) : null
    return type === null ? [] : [{ type, range }]
  })
  return stated.every(({ type }) => type === entity.type) ? null : stated
})

const known: ReadonlyMap<string, Status> = new Map(statuses.map(status => [nameKey(status), status] as const))

const statusWritten: ReadonlyMap<string, Status> = new Map(statuses.map(status => [status, status] as const))
