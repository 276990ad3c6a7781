import type { EntityType, RepoPath } from '#protocol/atoms.js'
import type { IntegrityFinding } from '#protocol/finding.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import { withheldEntry, withheldLine } from './topic-text.js'

export type Severity = 'error' | 'warning' | 'info'

/**
 * A problem that a parser or a check reports without throwing. Every finding has a place that a person can
 * open and says what to do. `kind` is a kind of A 2.5 where one fits, else PascalCase. `reason` and
 * `suggestion` are Polish where a lore keeper reads them, English in findings of the configuration and of
 * adoption (ADR 1031).
 */
export interface Finding {
  readonly kind: string
  readonly severity: Severity
  readonly file: RepoPath
  /** Counted from 1; null when the finding concerns the whole file. */
  readonly line: number | null
  /** The heading, header or name that the finding concerns; null for the whole file. */
  readonly subject: string | null
  readonly reason: string
  readonly suggestion: string | null
  /**
   * The name that no block has, and the type that it should have (null: any). Adoption and `kronika doctor`
   * list the nearest names.
   */
  readonly missing?: { readonly name: string; readonly type: EntityType | null }
}

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

/**
 * A finding about a line of restricted topics: it keeps its place, and no word of the line. A reason that quotes the
 * line as withheld stays, and says more.
 */
export const withholdLine = (finding: Finding): Finding => {
  const { missing: _name, ...rest } = finding
  const [, ...quotes] = finding.reason.split('„')
  return quotes.length === 1 && quotes[0]?.startsWith(`${withheldLine}”`) === true
    ? rest
    : { ...rest, reason: withheldEntry, suggestion: 'Zobacz ten wiersz w pliku.' }
}

const severities = { error: 'Error', warning: 'Warning', info: 'Info' } as const

const orNull = (text: string | null): string | null => (text === null ? null : redactCredentials(text))

/**
 * A finding as `kronika doctor` prints it and the integrity routes serve it (A 2.3). All findings leave the
 * daemon through this function, which removes credentials that the quoted line holds (ADR 1023).
 */
export const integrityOf = perValue(
  (finding: Finding): IntegrityFinding => ({
    Kind: finding.kind,
    Severity: severities[finding.severity],
    Subject: orNull(finding.subject),
    Detail: redactCredentials(finding.reason),
    File: finding.file,
    Line: finding.line,
    Suggestion: orNull(finding.suggestion),
  }),
)

/** How many findings of one kind are reported for one file; further ones are only counted. */
const toldMax = 100

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
