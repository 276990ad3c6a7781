import { nameKey } from '#protocol/atoms.js'
import { formatCount, perValue } from '#src/domain/caching/per-value.js'
import type { Finding, Severity } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { Range } from '#src/domain/lore/rows/days.js'
import { sortByPrecedence } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { localUnderRef } from '#src/domain/lore/tag-schema.js'
import type { Entity, RefProvenance } from './entity.js'
import { type RefFault, refTarget } from './ref-target.js'

/** The kind of the finding for a block whose `@ref` is not followed for lack of budget. */
export const refLeftOut = 'ref-ponad-limit'

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

/** The days that two ranges share; null when there are none. */
const intersectRanges = (left: Range, right: Range): Range | null => {
  const from = (left.from ?? '') > (right.from ?? '') ? left.from : right.from
  const to = left.to === null ? right.to : right.to === null || left.to < right.to ? left.to : right.to
  return from !== null && to !== null && from > to ? null : { from, to }
}

const reasons: Readonly<Record<RefFault, string>> = {
  'wiszący-ref': 'Nie ma wskazanego pliku albo bloku o tej nazwie.',
  'łańcuch-ref': 'Wskazany blok sam ma @ref; łańcuchy @ref nie są czytane.',
  'odrzucona-ścieżka-ref': 'Ścieżka prowadzi do pliku, którego nie wolno wskazać.',
  'nieczytelny-ref': 'Wskazany plik nie zaczyna się listą właściwości ani nie jest plikiem indeksu.',
}

const findingAt = (
  entity: Entity,
  row: Row,
  kind: string,
  severity: Severity,
  reason: string,
  suggestion: string,
): Finding => ({
  kind,
  severity,
  file: entity.file,
  line: row.line,
  subject: entity.name,
  reason,
  suggestion,
})

const overlaps = (refs: ReadonlyArray<Row>, range: Range): boolean =>
  refs.some(ref => intersectRanges(ref.range, range) !== null)

/** Findings for references that begin before an earlier one ends. `refs` must be in the deciding order. */
const several = (entity: Entity, refs: ReadonlyArray<Row>): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  let until: string | null = ''
  for (const [at, ref] of refs.entries()) {
    if (at > 0 && (until === null || (ref.range.from ?? '') <= until))
      findings.push(
        findingAt(
          entity,
          ref,
          'wielokrotny-ref',
          'error',
          'W tym samym czasie obowiązuje więcej niż jeden @ref.',
          'Zostaw jeden @ref albo rozdziel zakresy dat.',
        ),
      )
    until = until === null || ref.range.to === null ? null : until > ref.range.to ? until : ref.range.to
  }
  return findings
}

type Files = (path: string) => SourceFile | null

interface Followed {
  readonly read: ReadonlyArray<Row>
  readonly rows: ReadonlyArray<Row>
  readonly findings: ReadonlyArray<Finding>
  readonly last: Omit<RefProvenance, 'hidden'> | null
}

/**
 * How many references of one block are followed. More than one active at a time is an error; a history has a
 * few.
 */
const refsMax = 16
const rowsMax = 2000

const clipRows = (rows: ReadonlyArray<Row>, within: Range): ReadonlyArray<Row> =>
  rows.flatMap(row => {
    const range = localUnderRef.has(row.tag) ? null : intersectRanges(row.range, within)
    if (range === null) return []
    return range.from === row.range.from && range.to === row.range.to ? [row] : [{ ...row, range }]
  })

const rows = ['wiersz', 'wiersze', 'wierszy'] as const

/**
 * The rows of a target within a range. Blocks that name one target share the result, because there may be
 * thousands.
 */
const sharedRows = perValue((rows: ReadonlyArray<Row>) => {
  const known = new Map<string, ReadonlyArray<Row>>()
  return (within: Range): ReadonlyArray<Row> => {
    const key = `${within.from ?? ''}:${within.to ?? ''}`
    const found = known.get(key) ?? clipRows(rows.slice(0, rowsMax), within)
    known.set(key, found)
    return found
  }
})

const follow = (entity: Entity, refs: ReadonlyArray<Row>, fileAt: Files): Followed => {
  const read: Array<Row> = []
  const rows: Array<Row> = []
  const findings: Array<Finding> = [...several(entity, refs)]
  let last: Followed['last'] = null
  for (const ref of refs) {
    const target = refTarget(ref.value, nameKey(entity.name), fileAt)
    last = { file: ref.value, form: target.form, broken: target._tag === 'Broken' ? target.fault : null }
    if (target._tag === 'Broken') {
      const advice = 'Popraw ścieżkę w @ref albo usuń ten wiersz.'
      findings.push(findingAt(entity, ref, target.fault, 'error', reasons[target.fault], advice))
      continue
    }
    read.push(ref)
    const taken =
      rows.length === 0
        ? sharedRows(target.rows)(ref.range)
        : clipRows(target.rows.slice(0, rowsMax - rows.length), ref.range)
    for (const row of taken) rows.push(row)
  }
  return { read, rows, findings, last }
}

/** An entity after its references: the number of rows that it took, and the findings. */
interface AfterRef {
  readonly entity: Entity
  readonly taken: number
  readonly findings: ReadonlyArray<Finding>
}

const splitAtReferences = (entity: Entity, refs: ReadonlyArray<Row>, fileAt: Files): AfterRef => {
  const { read, rows, findings, last } = follow(entity, refs, fileAt)
  const isRead = (row: Row): boolean => localUnderRef.has(row.tag) || !overlaps(read, row.range)
  const kept = entity.rows.filter(isRead)
  const unread = entity.rows.filter(row => !isRead(row))
  const conflicts = unread.map(row =>
    findingAt(
      entity,
      row,
      'konflikt-ref',
      'warning',
      `@${row.tag} występuje w bloku, ale przy @ref ten klucz jest czytany ze wskazanego pliku.`,
      'Przenieś wiersz do wskazanego pliku.',
    ),
  )
  return {
    entity: {
      ...entity,
      rows: sortByPrecedence([...kept, ...rows]),
      ref: last === null ? null : { ...last, hidden: unread },
    },
    taken: rows.length,
    findings: [...findings, ...conflicts],
  }
}

const made = new WeakMap<
  Entity,
  { readonly targets: ReadonlyArray<SourceFile | null>; readonly after: AfterRef }
>()

/**
 * Follows `@ref` (FORMATS 1.4). While a reference is active, every key but the local ones comes from its
 * target: the target's rows are cut to the range of the reference, and local rows that overlap it are ignored
 * (`konflikt-ref`). A broken reference leaves the block unchanged. Returns the same object until the block or
 * a target changes.
 */
const followRef = (entity: Entity, fileAt: Files): AfterRef => {
  const refs = entity.rows.filter(row => row.tag === 'ref' && row.value !== '').slice(0, refsMax)
  if (refs.length === 0) return { entity, taken: 0, findings: [] }
  const targets = refs.map(ref => fileAt(ref.value))
  const known = made.get(entity)
  if (known?.targets.every((target, at) => target === targets[at]) === true) return known.after
  const after = splitAtReferences(entity, refs, fileAt)
  made.set(entity, { targets, after })
  return after
}

/** How many rows all blocks of a tree together take through `@ref` (D65). */
const refRowsMax = 1_000_000

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
