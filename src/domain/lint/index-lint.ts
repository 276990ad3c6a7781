import type { Day } from '#protocol/atoms.js'
import { type LintFinding, lintKinds } from '#protocol/lore/places.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { roleOf } from '#src/domain/lore/layout.js'
import { activeOn } from '#src/domain/lore/rows/days.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { tagRule } from '#src/domain/lore/tag-schema.js'
import { isTopicTag } from '#src/domain/lore/topic-text.js'
import { atOnce, forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'

/** The lint of the index on a day: every kind of A 2.5 that one snapshot can show. Linear in the rows. */
export const lintIndexInSlices = function* (
  entities: Entities,
  day: Day,
): Sliced<ReadonlyArray<LintFinding>> {
  const found: Array<LintFinding> = []
  const keys = unique(entities.all.map(entity => entity.key))
  yield
  yield* forEachInSlices(
    keys,
    key => void found.push(...duplicateHeadingFindings(entities.byHeading.get(key) ?? [])),
  )
  yield* forEachInSlices(entities.all, entity => void found.push(...doublyActive(entity, day)))
  return [...found, ...entities.findings.flatMap(indexFindingsOf)]
}

/** Runs `lintIndexInSlices` to its end without yielding. */
export const indexLint = (entities: Entities, day: Day): ReadonlyArray<LintFinding> =>
  atOnce(lintIndexInSlices(entities, day))

/**
 * Counts of rows, blocks and their authors in the index files (D35). A row that a `@ref` hides still counts
 * for its block.
 */
export const claimStats = (
  entities: Entities,
): {
  readonly claims: number
  readonly blocks: number
  readonly splitGroups: number
  readonly operator: number
  readonly auto: number
} => {
  const blocks = entities.all.filter(isIndexed)
  const claims = blocks.flatMap(block =>
    [...block.rows, ...(block.ref?.hidden ?? [])].filter(
      row => row.source._tag === 'File' && row.source.path === block.file,
    ),
  )
  const auto = claims.filter(row => row.auto).length
  return {
    claims: claims.length,
    blocks: blocks.length,
    splitGroups: blocks.filter(block => block.rows.some(row => row.tag === 'ref')).length,
    operator: claims.length - auto,
    auto,
  }
}

type LintKind = keyof typeof lintKinds

const isLintKind = (kind: string): kind is LintKind => Object.hasOwn(lintKinds, kind)

const groupItems = <A, K>(
  items: ReadonlyArray<A>,
  keyOf: (item: A) => K,
): ReadonlyMap<K, ReadonlyArray<A>> => {
  const groups = new Map<K, Array<A>>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

const unique = <A extends string>(texts: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(texts)]

/** Whether a block is in an index file rather than the contributor store. */
const isIndexed = (entity: Entity): boolean => roleOf(entity.file) === 'index'

const duplicateHeadingFindings = (homonyms: ReadonlyArray<Entity>): ReadonlyArray<LintFinding> => {
  if (homonyms.length < 2) return []
  const byType = groupItems(homonyms.filter(isIndexed), entity => entity.type)
  return [...byType.values()].flatMap(blocks => {
    const [first] = blocks
    const files = unique(blocks.map(block => block.file))
    if (first === undefined || files.length < 2) return []
    const reason = `Nagłówek „${first.name}” typu ${first.type} występuje w więcej niż jednym pliku indeksu.`
    return [{ kind: 'zdublowany-nagłówek', severity: 'error' as const, entity: first.name, reason, files }]
  })
}

/**
 * Whether a row is a dated row of a scalar tag from a file that covers the day. Rows of sessions are
 * excluded: by design they end no earlier row.
 */
const isClaimedOn = (entity: Entity, row: Row, day: Day): boolean =>
  row.tag !== 'ref' &&
  row.source._tag === 'File' &&
  (row.range.from !== null || row.range.to !== null) &&
  activeOn(row.range, day) &&
  tagRule(row.tag, entity.type)?.multi === false

const fileOf = (row: Row, entity: Entity): string =>
  row.source._tag === 'File' ? row.source.path : entity.file

const quoteValues = (rows: ReadonlyArray<Row>): string => rows.map(row => `„${row.value}”`).join(', ')

const doublyActive = (entity: Entity, day: Day): ReadonlyArray<LintFinding> => {
  const claimed = entity.rows.filter(row => isClaimedOn(entity, row, day))
  if (claimed.length < 2) return []
  return [...groupItems(claimed, row => row.tag)].flatMap(([tag, rows]) =>
    rows.length < 2
      ? []
      : [
          {
            kind: 'podwójnie-aktywny-wiersz',
            severity: 'error' as const,
            entity: entity.name,
            reason: `Wiersze @${tag} obowiązują jednocześnie${isTopicTag(tag) ? '' : `: ${quoteValues(rows)}`}.`,
            tag,
            files: unique(rows.map(row => fileOf(row, entity))),
            ...(isTopicTag(tag) ? {} : { values: rows.map(row => row.value) }),
          },
        ],
  )
}

/** Findings of the index parser whose kind is one of A 2.5. */
const indexFindingsOf = (finding: Finding): ReadonlyArray<LintFinding> => {
  const { kind, subject, reason, file } = finding
  if (!isLintKind(kind) || kind === 'zdublowany-nagłówek') return []
  const tag = kind.endsWith('-ref') && kind !== 'konflikt-ref' ? { tag: 'ref' } : {}
  return [{ kind, severity: lintKinds[kind], entity: subject, reason, ...tag, files: [file] }]
}
