import * as t from 'io-ts'

/**
 * An integrity finding (A 2.3), with the place that a person can open. `File` and `Line` are null when it has
 * none.
 */
export const IntegrityFinding = t.type(
  {
    Kind: t.string,
    Severity: t.keyof({ Error: null, Warning: null, Info: null }),
    Subject: t.union([t.string, t.null]),
    Detail: t.string,
    File: t.union([t.string, t.null]),
    Line: t.union([t.number, t.null]),
    Suggestion: t.union([t.string, t.null]),
  },
  'IntegrityFinding',
)
export type IntegrityFinding = t.TypeOf<typeof IntegrityFinding>
