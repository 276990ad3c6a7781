import { type Day, nameKey } from '#protocol/atoms.js'
import type { BatchResult, NameCandidate, NameRewrite, ResolvedName } from '#protocol/names.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { documentOn, typeOn } from '#src/domain/entities/state.js'
import { removeTopics } from '#src/domain/lore/topic-text.js'
import type { NameReading, Resolution } from '../resolution.js'
import { listShownSpellings } from './shown-spellings.js'

/** Decimals of a confidence. */
const confidenceScale = 10_000

export const roundConfidence = (confidence: number): number =>
  Math.round(confidence * confidenceScale) / confidenceScale

const documentShown = (entity: Entity, day: Day): string | null => {
  const document = documentOn(entity, day)
  return document === null ? null : removeTopics(document)
}

/** The spelling of a block with this key, as written; the key itself where the block has none. */
export const spellingAsWritten = (entity: Entity, form: string): string => {
  const key = nameKey(form)
  if (key === entity.key) return entity.name
  return listShownSpellings(entity).find(spelling => spelling.key === key)?.text ?? form
}

const candidateOf = ({ entity, form, cases }: NameReading, day: Day): NameCandidate => ({
  name: entity.name,
  typ: typeOn(entity, day),
  plik: documentShown(entity, day),
  form: spellingAsWritten(entity, form),
  cases,
})

/** The answer to a query about a name, as of a day; null for a miss (B 4.3). */
export const resolvedNameOf = (found: Resolution, day: Day): ResolvedName | null => {
  const { entity, stage, confidence, ambiguous, readings } = found
  if (stage === 'miss') return null
  return {
    name: entity?.name ?? null,
    typ: entity === null ? null : typeOn(entity, day),
    plik: entity === null ? null : documentShown(entity, day),
    stage,
    confidence: roundConfidence(confidence),
    ambiguous,
    candidates: readings.map(reading => candidateOf(reading, day)),
  }
}

/** How a name was rewritten to reach each candidate. */
export const rewritesOf = (asked: string, found: Resolution, day: Day): ReadonlyArray<NameRewrite> => {
  const { stage, readings } = found
  if (stage === 'miss') return []
  return readings.map(({ entity, form, rule }) => ({
    from: asked,
    to: spellingAsWritten(entity, form),
    stage,
    rule,
    name: entity.name,
    typ: typeOn(entity, day),
  }))
}

/** The answer to one query of a batch. */
export const batchResultOf = (token: string, found: Resolution, day: Day): BatchResult => {
  const { entity, stage, ambiguous } = found
  const result = {
    token,
    resolved: entity?.name ?? null,
    typ: entity === null ? null : typeOn(entity, day),
    stage,
  }
  return ambiguous ? { ...result, ambiguous: true } : result
}
