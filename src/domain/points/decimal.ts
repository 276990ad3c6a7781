/**
 * An exact decimal: `units` / 10^`scale`. PU are computed in these and never in binary floats (D18, FORMATS
 * 6.4).
 */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

export const zero: Decimal = { units: 0n, scale: 0 }

const written = /^([+-]?)(\d{1,30})(?:[.,](\d{1,30}))?(?:e([+-]?\d{1,2}))?$/

const ten = (power: number): bigint => 10n ** BigInt(power)

const tidy = (units: bigint, scale: number): Decimal => {
  let [rest, places] = [units, scale]
  while (places > 0 && rest % 10n === 0n) {
    rest /= 10n
    places -= 1
  }
  return { units: rest, scale: places }
}

/**
 * Parses `12`, `-0.35`, `0,35` (a comma counts as a point). Null for anything else, and for more than 30
 * digits on a side.
 */
export const parseDecimal = (text: string): Decimal | null => {
  const found = written.exec(text.trim().toLowerCase())
  if (found === null) return null
  const fraction = found[3] ?? ''
  const magnitude = BigInt(`${found[2] ?? ''}${fraction}`)
  const units = found[1] === '-' ? -magnitude : magnitude
  const scale = fraction.length - Number(found[4] ?? 0)
  return scale >= 0 ? tidy(units, scale) : { units: units * ten(-scale), scale: 0 }
}

/** The decimal of a number's shortest text, not of its binary value. Null when it is not finite. */
export const decimalOf = (value: number): Decimal | null => parseDecimal(String(value))

const align = (left: Decimal, right: Decimal): readonly [bigint, bigint, number] => {
  const scale = Math.max(left.scale, right.scale)
  return [left.units * ten(scale - left.scale), right.units * ten(scale - right.scale), scale]
}

export const plus = (left: Decimal, right: Decimal): Decimal => {
  const [a, b, scale] = align(left, right)
  return tidy(a + b, scale)
}

export const minus = (left: Decimal, right: Decimal): Decimal => {
  const [a, b, scale] = align(left, right)
  return tidy(a - b, scale)
}

export const times = (left: Decimal, right: Decimal): Decimal =>
  tidy(left.units * right.units, left.scale + right.scale)

/** Negative, zero or positive as `left` is below, equal to or above `right`. */
export const compareDecimals = (left: Decimal, right: Decimal): number => {
  const [a, b] = align(left, right)
  return a < b ? -1 : a > b ? 1 : 0
}

/** The lesser of two decimals; `left` when they are equal. */
export const minOf = (left: Decimal, right: Decimal): Decimal =>
  compareDecimals(left, right) <= 0 ? left : right
/** The greater of two decimals; `left` when they are equal. */
export const maxOf = (left: Decimal, right: Decimal): Decimal =>
  compareDecimals(left, right) >= 0 ? left : right

export const sumOf = (all: ReadonlyArray<Decimal>): Decimal => all.reduce(plus, zero)

const floorDiv = (over: bigint, under: bigint): bigint => {
  const whole = over / under
  return over % under !== 0n && over < 0n !== under < 0n ? whole - 1n : whole
}

/** floor(`over` / `under`), exactly; null when `under` is zero. */
export const floorQuotient = (over: Decimal, under: Decimal): Decimal | null => {
  const [a, b] = align(over, under)
  return b === 0n ? null : { units: floorDiv(a, b), scale: 0 }
}

/** Rounds to two places, half to even (FORMATS 6.4). */
export const round2 = (value: Decimal): Decimal => {
  if (value.scale <= 2) return value
  const step = ten(value.scale - 2)
  const low = floorDiv(value.units, step)
  const twice = (value.units - low * step) * 2n
  const up = twice > step || (twice === step && low % 2n !== 0n)
  return tidy(up ? low + 1n : low, 2)
}

/** Text with exactly two places and a point, rounded half to even. */
export const formatFixed2 = (value: Decimal): string => {
  const { units, scale } = round2(value)
  const cents = units * ten(2 - scale)
  const magnitude = cents < 0n ? -cents : cents
  const text = String(magnitude).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`
}

/** The value as a JSON number with at most two places (D18). */
export const toNumber = (value: Decimal): number => Number(formatFixed2(value))
