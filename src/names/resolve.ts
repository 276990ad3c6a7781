import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { byRank } from '#src/entities/collect.js'
import type { Entity } from '#src/entities/entity.js'
import { activeOn } from '#src/lore/range.js'
import { nameTags } from '#src/lore/rows.js'
import type { NameIndex, Resolution, ResolveOptions, Stage } from './resolution.js'

/** A question as the stages see it. */
interface Query {
  readonly text: string
  readonly key: NameKey
  readonly options: ResolveOptions
}

/** One stage of the pipeline: who answers to the query by its means alone; nobody passes the query on. */
interface StageRule {
  readonly stage: Exclude<Stage, 'miss'>
  readonly confidence: number
  readonly owners: (names: NameIndex, query: Query) => ReadonlyArray<Entity>
}

const namedOn = (entity: Entity, { key, options }: Query): boolean =>
  options.day === undefined ||
  entity.rows.some(
    row =>
      nameTags.has(row.tag) &&
      nameKey(row.value) === key &&
      (options.day === undefined || activeOn(row.range, options.day)),
  )

const aliasOwners = (names: NameIndex, query: Query): ReadonlyArray<Entity> =>
  (names.alias.get(query.key) ?? []).filter(entity => namedOn(entity, query))

/**
 * The stages in their order (B 4.3). Declension, alternation, title, lemma and fuzzy follow here with the
 * names issue (D11); each answers the same question by other means.
 */
const stages: ReadonlyArray<StageRule> = [
  { stage: 'exact', confidence: 1, owners: (names, { key }) => names.exact.get(key) ?? [] },
  { stage: 'alias', confidence: 0.95, owners: aliasOwners },
  { stage: 'alias', confidence: 0.95, owners: (names, { key }) => names.generic.get(key) ?? [] },
]

const miss: Resolution = { entity: null, stage: 'miss', confidence: 0, ambiguous: false, candidates: [] }

/**
 * Whom a name means. The first stage with an owner decides; the type filter comes before homonyms are judged,
 * so one survivor is resolved and several are `ambiguous` (FORMATS 5.2). A blank query is a miss.
 */
export const resolve = (names: NameIndex, query: string, options: ResolveOptions = {}): Resolution => {
  const asked: Query = { text: query, key: nameKey(query), options }
  if (asked.key === '') return miss
  for (const { stage, confidence, owners } of stages) {
    const found = owners(names, asked)
    const candidates =
      options.types === undefined ? found : found.filter(entity => options.types?.includes(entity.type))
    const [first, second] = candidates
    if (first === undefined) continue
    return second === undefined
      ? { entity: first, stage, confidence, ambiguous: false, candidates }
      : { entity: null, stage, confidence, ambiguous: true, candidates: byRank(candidates) }
  }
  return miss
}
