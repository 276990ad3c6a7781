import type { Day } from '#protocol/atoms/day.js'
import { entitiesRoutes } from '#protocol/entities/routes.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { cycleFindings } from '#src/domain/entities/places/canonical-path.js'
import { isServable } from '#src/domain/entities/references/ref-target.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { findDanglingReferences } from './dangling.js'
import { lookAlikeFindings } from './look-alikes.js'

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
