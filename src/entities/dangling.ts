import type { Day } from '#protocol/atoms/day.js'
import type { Finding } from '#src/lore/finding.js'
import { rowOn } from '#src/lore/on-day.js'
import { activeOn } from '#src/lore/range.js'
import type { Row } from '#src/lore/row.js'
import { tagRule } from '#src/lore/tag-schema.js'
import { quotable } from '#src/lore/withheld-tags.js'
import type { Entities, Entity } from './entity.js'
import { entityMeant } from './meaning.js'
import { isPlaceKnown } from './place.js'

type Answers = (entities: Entities, value: string, day: Day) => boolean

const anybody: Answers = (entities, value) => entityMeant(entities, value, []) !== null
const anywhere: Answers = (entities, value, day) =>
  isPlaceKnown(entities, value, day) || anybody(entities, value, day)

/** Tags whose value is the name of another block, and who answers to it. */
const references: ReadonlyMap<string, Answers> = new Map([
  ['lokacja', anywhere],
  ['drzwi', anywhere],
  ['należy_do', anybody],
  ['grupa', anybody],
  ['region', anybody],
])

/** A row that decides on a day: active, and of a scalar the last. */
const decides = (entity: Entity, row: Row, day: Day): boolean => {
  const rule = tagRule(row.tag, entity.type)
  if (rule === null || row.value === '' || !activeOn(row.range, day)) return false
  return rule.multi || rowOn(entity.rows, row.tag, day) === row
}

const findingOf = (entity: Entity, row: Row): Finding => {
  const { source } = row
  // A session tells its header alone: the block that it changes is the place that a person can open.
  const [file, line, from] =
    source._tag === 'File'
      ? [source.path, row.line, '']
      : [entity.file, entity.line, ` (z sesji „${source.header}”)`]
  return {
    kind: 'DanglingReference',
    severity: 'warning',
    file,
    line,
    subject: entity.name,
    reason: `@${row.tag}: „${quotable(row.value)}” nie jest nazwą ani aliasem żadnego bloku${from}.`,
    suggestion: 'Popraw nazwę, dodaj brakujący blok albo zamknij zakres dat wiersza.',
  }
}

/** Rows that decide on a day and name a block that is not there. Linear in the rows. */
export const danglingReferences = (entities: Entities, day: Day): ReadonlyArray<Finding> =>
  entities.all.flatMap(entity =>
    entity.rows.flatMap(row => {
      const answers = references.get(row.tag)
      return answers === undefined || !decides(entity, row, day) || answers(entities, row.value, day)
        ? []
        : [findingOf(entity, row)]
    }),
  )
