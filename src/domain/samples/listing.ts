import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { nameKey } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import {
  type LabelledPage,
  type LabelledRow,
  type LabelledStats,
  SampleGrade,
  type StoreReason,
} from '#protocol/samples/labelled.js'
import { perValueInSlices } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { ArchiveLore } from '#src/domain/transcripts/archive.js'
import { committedPassage } from './passages.js'
import { isSameJudgement, opinionsOf, rowNamesTopics, rulerOf, standingJudgement } from './rulings.js'
import {
  foldText,
  groupBy,
  noneLabel,
  type Sample,
  type SampleRow,
  type Samples,
  undeclared,
} from './samples.js'

/** What is asked of the store; a filter that is absent admits all. */
export interface SampleQuery {
  readonly class: string | undefined
  readonly grade: string | undefined
  readonly project: string | undefined
  readonly label: string | undefined
  readonly entity: string | undefined
  readonly scope: string | undefined
  readonly limit: number | null | undefined
  readonly offset: number | undefined
}

/** A query whose values are known. */
export interface SampleFilter {
  readonly class: string | null
  readonly grades: ReadonlySet<SampleGrade> | null
  readonly project: string | null
  readonly label: string | null
  readonly entity: Entity | null
  /** Folded. */
  readonly scope: string | null
}

/** Checks the filters of a query: a class, grade or block that is not known is refused. */
export const readSampleQuery = (
  query: SampleQuery,
  { classes }: Pick<Samples, 'classes'>,
  names: NameIndex,
): Either<RefusalOf<'TrainingSampleFilterInvalid'>, SampleFilter> => {
  const bad = (parameter: string, detail: string) =>
    left(refuse('TrainingSampleFilterInvalid', detail, { parameter }))
  if (query.class !== undefined && !classes.has(query.class))
    return bad(
      'class',
      `No class "${query.class}" is registered. The classes are ${[...classes.keys()].join(', ')}.`,
    )
  const grades = query.grade?.split(',').map(grade => grade.trim())
  if (grades?.some(grade => !SampleGrade.is(grade)) === true)
    return bad(
      'grade',
      `grade must be one or more of ${Object.keys(SampleGrade.keys).join(', ')}, with commas.`,
    )
  const entity =
    query.entity === undefined ? null : resolveName(names, query.entity, { upTo: 'alias' }).entity
  if (query.entity !== undefined && entity === null)
    return bad('entity', `The index has no single block of the name "${query.entity}".`)
  return right({
    class: query.class ?? null,
    grades: grades === undefined ? null : new Set(grades.filter(SampleGrade.is)),
    project: query.project ?? null,
    label: query.label ?? null,
    entity,
    scope: query.scope === undefined ? null : foldText(query.scope),
  })
}

/** What the listing reads beside the store. */
export interface SampleLore extends ArchiveLore {
  readonly names: NameIndex
  readonly readsTopics: boolean
}

/** A page of the store, with what the store is. */
export const samplePageInSlices = function* (
  samples: Samples,
  query: SampleQuery,
  filter: SampleFilter,
  lore: SampleLore,
  store: { readonly available: boolean; readonly reason: StoreReason | null },
): Sliced<LabelledPage> {
  const { census, open, queued } = yield* surveyInSlices(samples)
  const found: Array<Sample> = []
  const referents = filter.entity === null ? null : referentTest(filter.entity, lore.names)
  for (const [at, sample] of (filter.class === null
    ? queued.all
    : (queued.byClass.get(filter.class) ?? [])
  ).entries()) {
    if (at % rowsPerSlice === rowsPerSlice - 1) yield 1
    if (!lore.readsTopics && !open.has(sample)) continue
    if (passes(sample.row, filter) && referents?.(sample.row) !== false) found.push(sample)
  }
  const { limit = null, offset = 0 } = query
  const page = found.slice(offset, limit === null ? undefined : offset + limit)
  const items: Array<LabelledRow> = []
  for (const [at, sample] of page.entries()) {
    if (at % rowsPerSlice === rowsPerSlice - 1) yield 1
    items.push(showSample(sample, lore))
  }
  return {
    count: items.length,
    total: lore.readsTopics ? samples.rows.length : open.size,
    limit,
    offset,
    available: store.available,
    ...(store.reason === null ? {} : { reason: store.reason }),
    filtered: found.length,
    ...(query.entity === undefined
      ? {}
      : { entity: query.entity, entityCoverage: entityCoverageOf(samples) }),
    ...(query.scope === undefined ? {} : { scope: query.scope }),
    items,
    stats: census,
    coverage: coverageOf(samples, census),
    doesNotCheck,
  }
}

/** A row as answers have it. */
export const showSample = ({ row }: Sample, lore: ArchiveLore): LabelledRow => {
  const { id, grade, label, fields, provenance, locator, verdict, accepted_by, proposed_referent } = row
  const passage = committedPassage(lore, locator)
  return {
    id,
    class: row.class,
    grade,
    label,
    fields,
    provenance: { project: provenance.project },
    ...(locator === undefined ? {} : { locator }),
    ...(verdict === undefined ? {} : { verdict }),
    ...(accepted_by === undefined ? {} : { accepted_by }),
    ...(proposed_referent === undefined ? {} : { proposed_referent }),
    ...('opinions' in row && Array.isArray(row.opinions) ? { opinions: row.opinions } : {}),
    ...(passage?._tag === 'Gone' ? { stale: { proposed: passage.proposed } } : {}),
  }
}

/** What is made of a store once: the census, the order of its rows, and those without restricted topics. */
interface Survey {
  readonly census: LabelledStats
  readonly open: ReadonlySet<Sample>
  readonly queued: {
    readonly all: ReadonlyArray<Sample>
    readonly byClass: ReadonlyMap<string, ReadonlyArray<Sample>>
  }
}

/** How many rows are looked at in one turn. */
const rowsPerSlice = 1_000

const surveyInSlices = perValueInSlices(function* (samples: Samples): Sliced<Survey> {
  const open = new Set<Sample>()
  for (const [at, sample] of samples.rows.entries()) {
    if (!rowNamesTopics(sample.row)) open.add(sample)
    if (at % rowsPerSlice === rowsPerSlice - 1) yield
  }
  const all = queuedRows(samples.rows)
  yield
  return {
    census: yield* censusInSlices(samples),
    open,
    queued: { all, byClass: groupBy(all, one => one.row.class) },
  }
})

const queueTiers = ['contested', 'unattested', 'corroborated']

/** The rows in the order of their files; within those of one project and class the queue goes first, by its tiers. */
const queuedRows = (rows: ReadonlyArray<Sample>): ReadonlyArray<Sample> => {
  const rankOf = ({ row }: Sample): number => {
    const rank = queueTiers.indexOf(String(row.fields['queue']))
    return rank < 0 ? queueTiers.length : rank
  }
  const groups = groupBy(rows, ({ row }) => `${row.provenance.project}\n${row.class}`)
  return [...groups.values()].flatMap(group => group.toSorted((one, other) => rankOf(one) - rankOf(other)))
}

const passes = (row: SampleRow, filter: SampleFilter): boolean =>
  (filter.class === null || row.class === filter.class) &&
  (filter.grades === null || filter.grades.has(row.grade)) &&
  (filter.project === null || row.provenance.project === filter.project) &&
  (filter.label === null || row.label === filter.label) &&
  (filter.scope === null || filter.scope === scopeOf(row))

const scopeOf = ({ fields }: SampleRow): string | null =>
  typeof fields['scope'] === 'string' ? foldText(fields['scope']) : null

/** Whether a row names the entity as its referent, by any spelling; each name is resolved once. */
const referentTest = (entity: Entity, names: NameIndex): ((row: SampleRow) => boolean) => {
  const known = new Map<string, boolean>()
  const isMeant = (name: string): boolean => {
    const before = known.get(name)
    if (before !== undefined) return before
    const is = nameKey(name) === entity.key || resolveName(names, name, { upTo: 'alias' }).entity === entity
    known.set(name, is)
    return is
  }
  return ({ fields, label }) =>
    [fields['referent'], fields['resolved']].some(
      name => typeof name === 'string' && name !== undeclared && label !== noneLabel && isMeant(name),
    )
}

const entityCoverageOf = ({ classes }: Samples): NonNullable<LabelledPage['entityCoverage']> => {
  const named = [...classes].filter(([, { required }]) => required.includes('referent')).map(([name]) => name)
  return { searched: named, blind: [...classes.keys()].filter(name => !named.includes(name)) }
}

const coverageOf = (
  samples: Samples,
  { byClass, byProject, total }: LabelledStats,
): LabelledPage['coverage'] => ({
  partial:
    total !== samples.rows.length || [...samples.classes.keys()].some(name => !Object.hasOwn(byClass, name)),
  depositors: Object.keys(byProject).sort(),
  note: 'The store has what its depositors sent. A text without a row was not necessarily looked at.',
})

const doesNotCheck: ReadonlyArray<string> = [
  'whether the referent of a row is still a block of the index',
  'whether the lines of archived transcripts still have the passages that rows quote; a ruling checks it',
  'documents that are neither a transcript nor a session',
]

const censusInSlices = function* (samples: Samples): Sliced<LabelledStats> {
  const { rows, lines } = samples
  const counters = {
    class: new Map<string, number>(),
    grade: new Map<string, number>(),
    project: new Map<string, number>(),
    label: new Map<string, number>(),
  }
  const split = { byDocument: 0, bySource: 0, aggregate: 0, undocumented: 0 }
  const claims = new Set<string>()
  const pairs = new Map<string, { readonly pair: Pair; rows: number; agreed: number }>()
  let stated = 0
  for (const [at, { row }] of rows.entries()) {
    if (at % rowsPerSlice === rowsPerSlice - 1) yield
    count(counters.class, row.class)
    count(counters.grade, row.grade)
    count(counters.project, row.provenance.project)
    count(counters.label, row.label)
    split[bucketOf(row)] += 1
    if (row.fields['evidence_form'] !== undefined) stated += 1
    const { referent } = row.fields
    const claim = [
      row.class,
      row.label,
      typeof referent === 'string' ? foldText(referent) : '',
      scopeOf(row) ?? '',
    ]
    claims.add(claim.join('\n'))
    for (const { pair, agrees } of pairsOf(row)) {
      const key = [pair.class, ...pair.between].join('\n')
      const known = pairs.get(key) ?? { pair, rows: 0, agreed: 0 }
      known.rows += 1
      if (agrees) known.agreed += 1
      pairs.set(key, known)
    }
  }
  return {
    total: lines,
    byClass: countsOf(counters.class),
    byGrade: countsOf(counters.grade),
    byProject: countsOf(counters.project),
    byLabel: countsOf(counters.label),
    split: { ...split, reconciles: rows.length === lines },
    evidenceForm: { stated, missing: rows.length - stated },
    claimKeyFold: { claims: claims.size, folded: rows.length - claims.size },
    agreement: [...pairs.values()]
      .map(({ pair, ...counts }) => ({ ...pair, ...counts }))
      .sort((one, other) => (pairText(one) < pairText(other) ? -1 : 1)),
  }
}

const count = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Counts by names that people chose: a name such as `__proto__` is one of them. */
const countsOf = (counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)))

/** What divides a row into a training and a test set. */
const bucketOf = ({
  locator,
  fields,
}: SampleRow): 'byDocument' | 'bySource' | 'aggregate' | 'undocumented' => {
  if (locator !== undefined && locator.document !== '') return 'byDocument'
  if (locator !== undefined && locator.source !== '') return 'bySource'
  return fields['scope'] === 'corpus' ? 'aggregate' : 'undocumented'
}

interface Pair {
  readonly class: string
  readonly between: readonly [string, string]
}

const pairText = ({ class: name, between }: Pair): string => [name, ...between].join('\n')

/** The pairs of people who said what they hold of a ruled row, and whether they agree. */
const pairsOf = (row: SampleRow): ReadonlyArray<{ readonly pair: Pair; readonly agrees: boolean }> => {
  const ruler = rulerOf(row)
  if (row.grade !== 'confirmed' || !('opinions' in row)) return []
  const said = [
    ...(ruler === null ? [] : [{ by: ruler, judgement: standingJudgement(row) }]),
    ...opinionsOf(row).filter(({ by }) => by !== ruler),
  ].sort((one, other) => (one.by < other.by ? -1 : 1))
  return said.flatMap((one, at) =>
    said.slice(at + 1).map(other => ({
      pair: { class: row.class, between: [one.by, other.by] as const },
      agrees: isSameJudgement(one.judgement, other.judgement),
    })),
  )
}
