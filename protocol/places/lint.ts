import * as t from 'io-ts'

const Severity = t.keyof({ error: null, warning: null })

/**
 * The lint kinds of A 2.5, closed, with their severity, in its order. The ledger's kinds are added as errors.
 */
export const lintKinds = {
  'zdublowany-nagłówek': 'error',
  'podwójnie-aktywny-wiersz': 'error',
  'wiszący-ref': 'error',
  'łańcuch-ref': 'error',
  'wielokrotny-ref': 'error',
  'odrzucona-ścieżka-ref': 'error',
  'nieczytelny-ref': 'error',
  'rejestr-w-indeksie': 'error',
  'obca-zmiana-pliku-robota': 'warning',
  'przepisana-historia': 'error',
  'konflikt-ref': 'warning',
} as const satisfies Readonly<Record<string, t.TypeOf<typeof Severity>>>

/**
 * A lint finding (A 2.5). `entity` is null when a finding of the ledger concerns a whole file. `reason` is
 * Polish.
 */
export const LintFinding = t.intersection(
  [
    t.type({
      kind: t.string,
      severity: Severity,
      entity: t.union([t.string, t.null]),
      reason: t.string,
    }),
    t.partial({
      tag: t.string,
      files: t.readonlyArray(t.string),
      values: t.readonlyArray(t.string),
    }),
  ],
  'LintFinding',
)
export type LintFinding = t.TypeOf<typeof LintFinding>

export const ConvergeLint = t.intersection(
  [
    t.type({
      at: t.union([t.string, t.null]),
      stats: t.type({ errors: t.number, warnings: t.number, total: t.number }),
      findings: t.readonlyArray(LintFinding),
      fresh: t.boolean,
    }),
    t.partial({ sha: t.union([t.string, t.null]) }),
  ],
  'ConvergeLint',
)
export type ConvergeLint = t.TypeOf<typeof ConvergeLint>

/** The claim lint (A 2.5, D35, docs/spec/places.md#lint). */
export const ClaimLint = t.type(
  {
    file: t.string,
    findingCount: t.number,
    findings: t.readonlyArray(LintFinding),
    stats: t.type({
      claims: t.number,
      blocks: t.number,
      splitGroups: t.number,
      operator: t.number,
      auto: t.number,
    }),
    convergeLint: ConvergeLint,
  },
  'ClaimLint',
)
export type ClaimLint = t.TypeOf<typeof ClaimLint>
