import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { firstNames } from '#src/domain/names/first-names.js'
import {
  blocksWithOddNames,
  findLookAlikes,
  isPlainName,
  mixedWordIn,
  namesOfEntity,
} from '#src/domain/names/look-alike.js'

type Problem = Pick<Finding, 'kind' | 'reason' | 'suggestion'>

const mixedProblem = (name: string): ReadonlyArray<Problem> => {
  const mixed = mixedWordIn(name)
  if (mixed === null) return []
  return [
    {
      kind: 'NameMixesScripts',
      reason: `Słowo „${mixed.word}” w nazwie „${name}” ma litery kilku alfabetów.`,
      suggestion: 'Zapisz słowo literami jednego alfabetu.',
    },
  ]
}

const likenessProblem = (entities: Entities, entity: Entity, name: string): ReadonlyArray<Problem> => {
  const others = findLookAlikes(entities, name, entity)
  if (others.length === 0) return []
  const { names, more } = firstNames(others, one => `${one.type} ${one.name}`)
  const blocks = names.join(', ') + (more === 0 ? '' : ` i jeszcze ${more}`)
  return [
    {
      kind: 'NameLooksAlike',
      reason: `Nazwa „${name}” wygląda jak nazwa innego bloku (${blocks}), ale ma inne znaki.`,
      suggestion: 'Zmień jedną z nazw, jeśli ktoś mógłby je pomylić.',
    },
  ]
}

/**
 * Findings for names with a character outside printable ASCII and the Polish letters: those that look like a name of
 * another block, and those with a word that mixes scripts (docs/spec/name-ownership.md#look-alikes).
 */
export const lookAlikeFindings = perValue((entities: Entities): ReadonlyArray<Finding> => {
  const odd = blocksWithOddNames(entities)
  const findingsOf = (entity: Entity): ReadonlyArray<Finding> =>
    namesOfEntity(entity)
      .filter(({ name }) => !isPlainName(name))
      .flatMap(({ name, line }) =>
        [...mixedProblem(name), ...likenessProblem(entities, entity, name)].map(problem => ({
          ...problem,
          severity: 'warning',
          file: entity.file,
          line,
          subject: entity.name,
        })),
      )
  return entities.all.filter(entity => odd.has(entity)).flatMap(findingsOf)
})
