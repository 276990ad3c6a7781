/** A JSON object, as parsed. */
export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)
const toList = (value: unknown): ReadonlyArray<unknown> =>
  isList(value) ? value : value === null || value === undefined ? [] : [value]
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (isList(value) && value.length === 0)
const showValue = (value: unknown): string => {
  const text = value === undefined ? 'undefined' : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
const textOf = (value: unknown): string =>
  isList(value) ? value.map(textOf).join(' ') : typeof value === 'string' ? value : showValue(value)

/** What a case requires of the world beside the answer: `$ifIndexHas` names a spelling. */
export interface Conditions {
  readonly indexHas?: (name: string) => boolean
}

const wildcard = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map(part => part.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'))
      .join('[^]*')}$`,
    'iu',
  )

/** `a.b`, `[0]`, `[-1]`, `a(field=value)`; a field of a list is the list of that field of its elements. */
const step = (value: unknown, part: string): unknown => {
  const index = /^\[(-?\d+)\]$/.exec(part)
  if (index !== null) return toList(value).at(Number(index[1]))
  const condition = /^\(([^=]+)=(.*)\)$/.exec(part)
  if (condition !== null) {
    const [, field = '', wanted = ''] = condition
    return toList(value).filter(one => textOf(step(one, field)).toLowerCase() === wanted.toLowerCase())
  }
  if (isList(value)) return value.map(one => step(one, part))
  return isFields(value) ? value[part] : undefined
}

const partsOf = (key: string): ReadonlyArray<string> => key.match(/\[-?\d+\]|\([^)]*\)|[^.[\]()]+/gu) ?? []

const valueAt = (value: unknown, key: string): unknown =>
  isFields(value) && Object.hasOwn(value, key) ? value[key] : partsOf(key).reduce(step, value)

const compareValues = (left: unknown, right: unknown): number =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : textOf(left) < textOf(right)
      ? -1
      : textOf(left) > textOf(right)
        ? 1
        : 0

const isOrdered = (actual: unknown, by: unknown, sign: 1 | -1): boolean => {
  const field = textOf(by).split(' ')[0] ?? ''
  const values = toList(actual)
    .map(one => valueAt(one, field))
    .filter(value => !isEmpty(value))
  return values.every((value, at) => at === 0 || compareValues(values[at - 1], value) * sign <= 0)
}

const isOfType = (actual: unknown, type: unknown): boolean =>
  type === 'list'
    ? isList(actual)
    : type === 'decimal'
      ? Number.isFinite(Number(actual))
      : typeof actual === type

const fits = (actual: unknown, expected: unknown, conditions: Conditions): boolean =>
  mismatchesOf(actual, expected, conditions).length === 0

const messageOfThrown = (actual: unknown): string | null =>
  actual instanceof Error
    ? actual.message
    : isFields(actual) && 'throws' in actual
      ? textOf(actual['throws'])
      : null

type Matcher = (actual: unknown, wanted: unknown, conditions: Conditions) => boolean

const matchers: Readonly<Record<string, Matcher>> = {
  $contains: (actual, wanted, c) =>
    toList(wanted).every(one => toList(actual).some(element => fits(element, one, c))),
  $notContains: (actual, wanted, c) =>
    toList(wanted).every(one => !toList(actual).some(element => fits(element, one, c))),
  $has: (actual, wanted, c) =>
    toList(wanted).every(one => toList(actual).some(element => fits(element, one, c))),
  $count: (actual, wanted) => toList(actual).length === wanted,
  $countMin: (actual, wanted) => toList(actual).length >= Number(wanted),
  $countMax: (actual, wanted) => toList(actual).length <= Number(wanted),
  $each: (actual, wanted, c) => toList(actual).every(one => fits(one, wanted, c)),
  $some: (actual, wanted, c) => toList(actual).some(one => fits(one, wanted, c)),
  $like: (actual, wanted) => toList(wanted).every(pattern => wildcard(textOf(pattern)).test(textOf(actual))),
  $notLike: (actual, wanted) =>
    toList(wanted).every(pattern => !wildcard(textOf(pattern)).test(textOf(actual))),
  $match: (actual, wanted) =>
    toList(wanted).every(pattern => new RegExp(textOf(pattern), 'i').test(textOf(actual))),
  $notMatch: (actual, wanted) =>
    toList(wanted).every(pattern => !new RegExp(textOf(pattern), 'i').test(textOf(actual))),
  $present: (actual, wanted) => isEmpty(actual) !== wanted,
  $gt: (actual, wanted) => compareValues(actual, wanted) > 0,
  $gte: (actual, wanted) => compareValues(actual, wanted) >= 0,
  $lte: (actual, wanted) => compareValues(actual, wanted) <= 0,
  $in: (actual, wanted, c) => toList(wanted).some(one => fits(actual, one, c)),
  $type: (actual, wanted) => isOfType(actual, wanted),
  $hasField: (actual, wanted) =>
    toList(wanted).every(field => isFields(actual) && Object.hasOwn(actual, textOf(field))),
  $nonDecreasing: (actual, wanted) => isOrdered(actual, wanted, 1),
  $nonIncreasing: (actual, wanted) => isOrdered(actual, wanted, -1),
  $throws: (actual, wanted) => {
    const message = messageOfThrown(actual)
    return message !== null && wildcard(textOf(wanted)).test(message)
  },
  $ifResolved: (actual, wanted, c) => isEmpty(actual) || fits(actual, wanted, c),
  $ifIndexHas: () => true,
}

const vacuous = (actual: unknown, expected: Fields, conditions: Conditions): boolean =>
  ('$ifResolved' in expected && isEmpty(actual)) ||
  ('$ifIndexHas' in expected && conditions.indexHas?.(textOf(expected['$ifIndexHas'])) === false)

const fieldProblems = (
  actual: unknown,
  [key, wanted]: readonly [string, unknown],
  conditions: Conditions,
): ReadonlyArray<string> => {
  const matcher = matchers[key]
  if (matcher !== undefined)
    return matcher(actual, wanted, conditions)
      ? []
      : [`${showValue(actual)} fails ${key} ${showValue(wanted)}`]
  if (key.startsWith('$')) return [`unknown matcher ${key}`]
  return mismatchesOf(valueAt(actual, key), wanted, conditions).map(problem => `${key}: ${problem}`)
}

/**
 * The differences between `actual` and `expected`, by the matchers of the case files: text is compared
 * without case, null means "null or empty", an object names only the asserted fields, and keys may be paths.
 * A literal key of `actual` has precedence over a path.
 */
export const mismatchesOf = (
  actual: unknown,
  expected: unknown,
  conditions: Conditions = {},
): ReadonlyArray<string> => {
  if (expected === null) return isEmpty(actual) ? [] : [`${showValue(actual)} is not empty`]
  if (isList(expected)) {
    const values = toList(actual)
    if (values.length !== expected.length) return [`${showValue(actual)} is not ${showValue(expected)}`]
    return expected.flatMap((one, at) => mismatchesOf(values[at], one, conditions).map(p => `[${at}] ${p}`))
  }
  if (isFields(expected)) {
    if (vacuous(actual, expected, conditions)) return []
    return Object.entries(expected).flatMap(field => fieldProblems(actual, field, conditions))
  }
  const equal =
    typeof expected === 'string' && typeof actual === 'string'
      ? actual.toLowerCase() === expected.toLowerCase()
      : actual === expected
  return equal ? [] : [`${showValue(actual)} is not ${showValue(expected)}`]
}
