import { removeTopics } from '../topic-text.js'
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
