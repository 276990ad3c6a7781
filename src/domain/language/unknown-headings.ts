import { nameKey } from '#protocol/atoms.js'
import { firstOfType } from '#src/domain/entities/entities.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import type { CorrectedHeading, Language } from './language.js'

const isKnown = (entities: Entities, { heading, type }: CorrectedHeading): boolean => {
  const blocks = entities.byHeading.get(nameKey(heading))
  if (blocks === undefined) return false
  return type === null || firstOfType(blocks, type) !== undefined
}

/** Findings about lines of `odmiany.tsv` whose heading no block of that type has. */
export const unknownHeadings = (
  { formsFile, headings }: Language,
  entities: Entities,
): ReadonlyArray<Finding> =>
  formsFile === null
    ? []
    : firstFindings(
        headings.filter(one => !isKnown(entities, one)),
        ({ line, heading, type }) => ({
          kind: 'UnknownHeading',
          severity: 'warning',
          file: formsFile.path,
          line,
          subject: heading,
          reason:
            type === null
              ? `Żaden blok nie ma nagłówka „${heading}”, więc wiersz niczego nie poprawia.`
              : `Żaden blok typu ${type} nie ma nagłówka „${heading}”, więc wiersz niczego nie poprawia.`,
          suggestion: 'Wpisz nagłówek dokładnie tak, jak w pliku encji, albo usuń wiersz.',
          missing: { name: heading, type },
        }),
      )
