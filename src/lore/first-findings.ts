import type { Finding } from './finding.js'

/** Findings of one kind told of one file: whoever mends a hundred looks again. */
const toldMax = 100

/** A finding for each of the first hundred, and one that counts the rest. */
export const firstFindings = <A>(
  all: ReadonlyArray<A>,
  told: (one: A) => Finding,
): ReadonlyArray<Finding> => {
  const first = all.slice(0, toldMax).map(told)
  const last = first.at(-1)
  if (last === undefined || all.length <= toldMax) return first
  const rest: Finding = {
    ...last,
    line: null,
    subject: null,
    reason: `Dalszych uwag tego rodzaju do tego pliku: ${all.length - toldMax}.`,
    suggestion: 'Popraw najpierw miejsca wymienione; potem widać następne.',
  }
  return [...first, rest]
}
