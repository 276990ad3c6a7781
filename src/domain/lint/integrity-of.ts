import type { Day } from '#protocol/atoms.js'
import { entitiesRoutes } from '#protocol/lore/entities.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { cycleFindings } from '#src/domain/entities/canonical-path.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { isServable } from '#src/domain/entities/ref-target.js'
import { type ReferenceResult, referenceOf } from '#src/domain/entities/references.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { activeOn } from '#src/domain/lore/rows/days.js'
import { rowOn } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { tagRule } from '#src/domain/lore/tag-schema.js'
import { quotableLine } from '#src/domain/lore/topic-text.js'
import {
  blocksWithOddNames,
  findLookAlikes,
  isPlainName,
  mixedWordIn,
  namesOfEntity,
} from '#src/domain/names/look-alike.js'
import { firstNames } from '#src/domain/names/name-index.js'
import { suggestType } from '#src/domain/names/nearest.js'

/** Findings of look-alikes that are looked for: a file may hold tens of thousands. */
const lookAlikesMax = 1000

/**
 * Findings for names with a character outside printable ASCII and the Polish letters: those that look like a name of
 * another block, and those with a word that mixes scripts (docs/spec/name-ownership.md#look-alikes).
 */
export const lookAlikeFindings = perValue((entities: Entities): ReadonlyArray<Finding> => {
  const odd = blocksWithOddNames(entities)
  const findingsOf = (entity: Entity): ReadonlyArray<Finding> =>
    namesOfEntity(entity)
      .filter(({ name }) => !isPlainName(name))
      .flatMap(({ name, line }) =>
        [...mixedProblem(name), ...likenessProblem(entities, entity, name)].map(problem => ({
          ...problem,
          severity: 'warning',
          file: entity.file,
          line,
          subject: entity.name,
        })),
      )
  const found: Array<Finding> = []
  for (const entity of entities.all) {
    if (found.length >= lookAlikesMax) break
    if (odd.has(entity)) found.push(...findingsOf(entity))
  }
  return found
})

/**
 * The findings of `GET /entities/integrity`: those of the files, then those of the whole (cycles, hidden
 * names, names that no block has).
 */
export const integrityOfEntities = (entities: Entities, day: Day): ReadonlyArray<Finding> => [
  ...entities.findings,
  ...cycleFindings(entities, day),
  ...shadowFindings(entities),
  ...unservable(entities),
  ...lookAlikeFindings(entities),
  ...findDanglingReferences(entities, day),
]

/**
 * Findings for rows that decide on a day and name a missing block or one of several. An owner that was
 * recorded when its session was closed is unambiguous. Linear in the rows.
 */
export const findDanglingReferences = (entities: Entities, day: Day): ReadonlyArray<Finding> =>
  entities.all.flatMap(entity =>
    entity.rows.flatMap(row => {
      if (!decides(entity, row, day)) return []
      const found = referenceOf(entities, entity, row, day)
      if (found === null || found._tag === 'Known') return []
      return found._tag === 'Ambiguous' && row.owner !== undefined ? [] : [findingOf(entity, row, found)]
    }),
  )

/** Second segments of paths that are words and not names, as in `/entities/links`. */
const literals: ReadonlySet<string> = new Set(
  Object.values(entitiesRoutes).flatMap(row => {
    const [, , second] = row.path.split('/')
    return second === undefined || second.startsWith('{') ? [] : [second]
  }),
)

/** Findings for headings that a literal route hides (D13): only `GET /entities?name=` reaches them. */
const shadowFindings = (entities: Entities): ReadonlyArray<Finding> =>
  entities.all
    .filter(entity => literals.has(entity.name))
    .map(entity => ({
      kind: 'NameShadowedByRoute',
      severity: 'warning',
      file: entity.file,
      line: entity.line,
      subject: entity.name,
      reason: `Nazwa „${entity.name}” jest też adresem: GET /entities/${entity.name} nie pokazuje tego bloku.`,
      suggestion: 'Zmień nagłówek albo szukaj bloku przez GET /entities?name=.',
    }))

/** Findings for `@plik` rows with a file that no answer may show, for people who edit the files by hand. */
const unservable = (entities: Entities): ReadonlyArray<Finding> =>
  entities.all.flatMap(entity =>
    entity.rows
      .filter(row => row.tag === 'plik' && row.value !== '' && !isServable(row.value, entity))
      .map(row => ({
        kind: 'UnservableFile',
        severity: 'warning' as const,
        file: row.source._tag === 'File' ? row.source.path : entity.file,
        line: row.source._tag === 'File' ? row.line : entity.line,
        subject: entity.name,
        reason:
          '@plik wskazuje plik, którego żadna odpowiedź nie pokazuje: dawny rejestr, plik generowany, ' +
          'indeks, kartę innej Postaci albo dane osób.',
        suggestion: 'Wskaż dokument opisujący ten blok albo usuń wiersz.',
      })),
  )

type Problem = Pick<Finding, 'kind' | 'reason' | 'suggestion'>

const mixedProblem = (name: string): ReadonlyArray<Problem> => {
  const mixed = mixedWordIn(name)
  if (mixed === null) return []
  return [
    {
      kind: 'NameMixesScripts',
      reason: `Słowo „${mixed.word}” w nazwie „${name}” ma litery kilku alfabetów.`,
      suggestion: 'Zapisz słowo literami jednego alfabetu.',
    },
  ]
}

const likenessProblem = (entities: Entities, entity: Entity, name: string): ReadonlyArray<Problem> => {
  const others = findLookAlikes(entities, name, entity)
  if (others.length === 0) return []
  const { names, more } = firstNames(others, one => `${one.type} ${one.name}`)
  const blocks = names.join(', ') + (more === 0 ? '' : ` i jeszcze ${more}`)
  return [
    {
      kind: 'NameLooksAlike',
      reason: `Nazwa „${name}” wygląda jak nazwa innego bloku (${blocks}), ale ma inne znaki.`,
      suggestion: 'Zmień jedną z nazw, jeśli ktoś mógłby je pomylić.',
    },
  ]
}

/** Whether a row decides on a day: it is active and, for a scalar, the last one. */
const decides = (entity: Entity, row: Row, day: Day): boolean => {
  const rule = tagRule(row.tag, entity.type)
  if (rule === null || row.value === '' || !activeOn(row.range, day)) return false
  return rule.multi || rowOn(entity.rows, row.tag, day) === row
}

const blocksText = perValue((candidates: ReadonlyArray<Entity>): string => {
  const { names, more } = firstNames(candidates, one => `${one.type} ${one.name}`)
  return names.join(', ') + (more === 0 ? '' : ` i jeszcze ${more}`)
})

type Doubt = Exclude<ReferenceResult, { readonly _tag: 'Known' }>

const describeDoubt = (doubt: Doubt, value: string): Pick<Finding, 'kind' | 'reason' | 'suggestion'> =>
  doubt._tag === 'Unknown'
    ? {
        kind: 'DanglingReference',
        reason: `„${value}” nie jest nazwą ani aliasem żadnego bloku`,
        suggestion: 'Popraw nazwę, dodaj brakujący blok albo zamknij zakres dat wiersza.',
      }
    : {
        kind: 'AmbiguousReference',
        reason: `„${value}” należy do kilku bloków (${blocksText(doubt.candidates)})`,
        suggestion: 'Wpisz nagłówek bloku, o który chodzi.',
      }

const findingOf = (entity: Entity, row: Row, doubt: Doubt): Finding => {
  const { source } = row
  // A session finding names only its header, so the place is the block that the session changes.
  const [file, line, from] =
    source._tag === 'Session'
      ? [entity.file, entity.line, ` (z sesji „${source.header}”)`]
      : [source.path, row.line, '']
  const { kind, reason, suggestion } = describeDoubt(doubt, quotableLine(row.value))
  return {
    kind,
    severity: 'warning',
    file,
    line,
    subject: entity.name,
    reason: `@${row.tag}: ${reason}${from}.`,
    suggestion,
    ...(doubt._tag === 'Unknown' ? { missing: { name: row.value, type: suggestType(row.tag) } } : {}),
  }
}
