import type { Difference, Withheld } from '#protocol/audit.js'
import type { View } from '#src/domain/callers/caller.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { Found } from './differences.js'

const charsMax = 2_000
/**
 * How much of a text is scrubbed. A word that this limit would cut is left out, because it may be half of a
 * credential.
 */
const scrubbedMax = 10_000

/** A text as it leaves the process: without credentials, and cut to a maximum length. */
export const showText = (text: string): string => {
  const part = text.slice(0, scrubbedMax)
  const whole = part.length < text.length ? part.slice(0, part.lastIndexOf(' ') + 1) : part
  const clean = redactCredentials(whole)
  return clean.length <= charsMax ? clean : `${clean.slice(0, charsMax - 1)}…`
}

const sees = (view: View, withheld: Withheld | null): boolean =>
  withheld === null ||
  (withheld === 'restricted' && view.mayReadRestricted) ||
  (withheld === 'session' && view.sessions)

const showOptionalText = (text: string | null): string | null => (text === null ? null : showText(text))

/** A change as a caller may see it. */
export const showDifference =
  (view: View) =>
  ({ kind, name, field, op, was, is, withheld }: Found): Difference => {
    const open = sees(view, withheld)
    return {
      kind,
      name: showOptionalText(name),
      field: showOptionalText(field),
      op,
      before: open ? showOptionalText(was) : null,
      after: open ? showOptionalText(is) : null,
      withheld: open ? null : withheld,
    }
  }
