import type { Day } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { type ReferenceResult, referenceOf } from '#src/domain/entities/references.js'
import { activeOn } from '#src/domain/lore/days.js'
import { rowOn } from '#src/domain/lore/deciding-order.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Row } from '#src/domain/lore/row-change.js'
import { tagRule } from '#src/domain/lore/tag-schema.js'
import { quotableLine } from '#src/domain/lore/topic-text.js'
import { firstNames } from '#src/domain/names/name-index.js'
import { suggestType } from '#src/domain/names/nearest.js'

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
    source._tag === 'File'
      ? [source.path, row.line, '']
      : [entity.file, entity.line, ` (z sesji „${source.header}”)`]
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
