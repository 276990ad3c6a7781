import type { Finding } from './finding.js'

/** How many findings of one kind are reported for one file; further ones are only counted. */
const toldMax = 100

/** A finding for each of the first hundred items, and one that counts the rest. */
export const firstFindings = <A>(
  all: ReadonlyArray<A>,
  told: (one: A) => Finding,
): ReadonlyArray<Finding> => {
  const first = all.slice(0, toldMax).map(told)
  const last = first.at(-1)
  if (last === undefined || all.length <= toldMax) return first
  return [...first, furtherFindings(last, all.length - toldMax)]
}

/** Reports that `count` more findings have the kind and file of `last`. */
const furtherFindings = (last: Finding, count: number): Finding => ({
  ...last,
  line: null,
  subject: null,
  reason: `Dalszych uwag tego rodzaju do tego pliku: ${count}.`,
  suggestion: 'Popraw najpierw wymienione miejsca; potem pojawią się następne.',
})

/**
 * How many findings of each kind a parse of one file keeps, so that a file of millions of odd lines does not
 * fill the memory.
 */
const keptMax = 1000

/**
 * The first thousand findings of each kind in one file, in order, and one finding for each kind that counts
 * the rest.
 */
export const firstOfEachKind = (all: ReadonlyArray<Finding>): ReadonlyArray<Finding> => {
  if (all.length <= keptMax) return all
  const seen = new Map<string, { count: number; last: Finding }>()
  const kept = all.filter(finding => {
    const known = seen.get(finding.kind)
    const count = (known?.count ?? 0) + 1
    const isKept = count <= keptMax
    seen.set(finding.kind, { count, last: isKept || known === undefined ? finding : known.last })
    return isKept
  })
  const further = [...seen.values()].filter(({ count }) => count > keptMax)
  return [...kept, ...further.map(({ count, last }) => furtherFindings(last, count - keptMax))]
}
