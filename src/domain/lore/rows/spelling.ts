import { dropUnseen, foldableIn, foldSigns } from '#protocol/atoms.js'
import type { Finding } from '../finding.js'
import { removeTopics } from '../topic-text.js'
import { quotableLine } from '../withheld-tags.js'
import type { Row } from './row.js'

/**
 * The name that a row of a name tag gives: its value without restricted topics; null when nothing is left.
 * A topic is no name, so no caller can check a guess of it by asking for a block of that name
 * (docs/spec/restricted-topics.md#spellings).
 */
export const spellingIn = ({ value }: Pick<Row, 'value'>): string | null => {
  const name = removeTopics(value)
  return name === '' ? null : name
}

/** What is wrong with the spelling of a name, for a finding. */
type SpellingProblem = Pick<Finding, 'kind' | 'severity' | 'reason' | 'suggestion'>

/**
 * The problem of a name with a character that does not show, or that looks like an apostrophe or a hyphen
 * (docs/spec/lore-names.md#signs). Such a name is compared without it, or with the plain character in its place.
 */
export const signProblem = (name: string): SpellingProblem | null => {
  const sign = foldableIn(name)
  if (sign === null) return null
  const code = `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  const [plain, shown] = [foldSigns(`a${sign}a`).slice(1, -1), quotableLine(name)]
  const how =
    plain === '' ? `niewidoczny znak ${code}, który jest pomijany` : `znak ${code} zamiast „${plain}”`
  return {
    kind: 'NameSign',
    severity: 'warning',
    reason: `Nazwa „${dropUnseen(shown)}” ma ${how}.`,
    suggestion: `Zapisz „${foldSigns(shown)}”.`,
  }
}
