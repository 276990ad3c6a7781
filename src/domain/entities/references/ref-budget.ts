import { formatCount } from '#src/domain/caching/counted.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { Entity } from '../entity.js'
import { type AfterRef, followRef } from './follow-ref.js'

/** How many rows all blocks of a tree together take through `@ref` (D65). */
export const refRowsMax = 1_000_000

/** The kind of the finding for a block whose `@ref` is not followed for lack of budget. */
export const refLeftOut = 'ref-ponad-limit'

const rows = ['wiersz', 'wiersze', 'wierszy'] as const

const findingOf = (entity: Entity): Finding => ({
  kind: refLeftOut,
  severity: 'error',
  file: entity.file,
  line: entity.rows.find(row => row.tag === 'ref')?.line ?? entity.line,
  subject: entity.name,
  reason:
    `Przez @ref czytane są najwyżej ${formatCount(refRowsMax, rows)} w całym repozytorium; ` +
    'ten @ref jest pomijany.',
  suggestion: 'Skróć wskazywane pliki albo usuń zbędne wiersze @ref.',
})

const leaveOut = perValue((entity: Entity): AfterRef => {
  const file = entity.rows.findLast(row => row.tag === 'ref')?.value ?? ''
  return {
    entity: { ...entity, ref: { file, form: null, broken: refLeftOut, hidden: [] } },
    taken: 0,
    findings: [findingOf(entity)],
  }
})

/**
 * Follows the references of blocks in the order of calls until the budget of the tree is used up. The first
 * block whose rows do not fit, and every later one, keeps its own rows as with a broken reference and has a
 * finding.
 */
export const refReader = (fileAt: (path: string) => SourceFile | null): ((entity: Entity) => AfterRef) => {
  let left = refRowsMax
  return entity => {
    if (left < 0) return leaveOut(entity)
    const after = followRef(entity, fileAt)
    left -= after.taken
    return left < 0 ? leaveOut(entity) : after
  }
}
