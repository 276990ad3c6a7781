import { foldSigns } from '#protocol/atoms.js'
import type { NameIndex } from '../resolution.js'
import type { StageHit } from './found.js'
import type { NameAsked } from './query.js'

/** How many titles may stand before a name: `pan kapitan Orrin`. */
const titlesMax = 3

const firstWord = /^\s*\S+\s+/u

/** What is taken from the confidence when the title is in another case than the name. */
const disagreement = 0.1

/**
 * The name behind titles in any case: `królowi Boranowi`. `findRest` resolves what is left. The title's case should be
 * that of the name; where it is not, the confidence is lower.
 */
export const findBehindTitle = (
  names: NameIndex,
  query: NameAsked,
  findRest: (text: string) => StageHit | null,
): StageHit | null => {
  if (names.forms === null || query.isRemoved()) return null
  const { titles } = names.forms
  let [rest, cases] = [foldSigns(query.text), -1]
  for (const token of query.tokens().slice(0, titlesMax)) {
    const titleCases = titles.get(token)
    if (titleCases === undefined) return null
    cases &= titleCases
    const after = rest.replace(firstWord, '')
    if (after === rest || after.trim() === '') return null
    rest = after
    const found = findRest(rest)
    if (found === null) continue
    const doesAgree = (found.cases & cases) !== 0
    return {
      ...found,
      stage: 'title',
      confidence: Math.round((0.85 - (doesAgree ? 0 : disagreement)) * 100) / 100,
      readingOf: entity => {
        const reading = found.readingOf(entity)
        return { ...reading, rule: `title ${reading.rule}`.trim() }
      },
    }
  }
  return null
}
