/**
 * The people in a narrator field, split at `+` only: names joined by a conjunction stay one string (B 2.2,
 * FORMATS 10).
 */
export const splitNarrators = (field: string): ReadonlyArray<string> =>
  field
    .split('+')
    .map(part => part.trim())
    .filter(part => part !== '')

const conjunction = /\s(?:i|oraz)\s/giu

/** The field with its conjunctions replaced by `+`; null when it has none. */
export const plusForm = (field: string): string | null => {
  const joined = field.replace(conjunction, ' + ')
  return joined === field ? null : joined
}

/**
 * Every name that a field may hold, split at conjunctions and parentheses too. For display only (FORMATS 4.8,
 * 10).
 */
export const namesInField = (field: string): ReadonlyArray<string> =>
  field
    .replace(conjunction, '+')
    .split(/[+()]/u)
    .map(part => part.replace(/^\s*autorstwo:/iu, '').trim())
    .filter(part => part !== '')
