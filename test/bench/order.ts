import type { Ack } from './writer.js'

/**
 * How often the order of the answers is not the order of history: pairs of neighbours in the order of answers whose
 * commits stand the other way round; NaN where a commit is not in the history, or is there for two answers.
 */
export const inversions = (history: ReadonlyArray<string>, acks: ReadonlyArray<Ack>): number => {
  const places = new Map(history.map((commit, at) => [commit, at]))
  const inOrder = [...acks].sort((one, other) => one.answeredMs - other.answeredMs)
  const seen = inOrder.map(({ commit }) => places.get(commit))
  if (seen.includes(undefined) || new Set(seen).size < acks.length) return Number.NaN
  return seen.filter((place = 0, at) => at > 0 && place < (seen[at - 1] ?? 0)).length
}
