import type { Day } from '#protocol/atoms.js'
import { scalarOn } from './rows/deciding-order.js'
import type { Row } from './rows/row-change.js'

/** The four PU figures of a character; null when the lore does not state one (`BRAK`, absent, unreadable). */
export interface Figures {
  readonly startowe: Decimal | null
  readonly suma: Decimal | null
  readonly zdobyte: Decimal | null
  readonly nadmiar: Decimal | null
}

/** Parses the figure of a tag: null for `BRAK` and text that is no number, else rounded to two places. */
export const figureOf = (text: string | null): Decimal | null => {
  const value = text === null ? null : readDecimal(text)
  return value === null ? null : round2(value)
}

/** Whether a text may be the value of a figure: a number, or `BRAK` for none. */
export const isFigure = (text: string): boolean => figureOf(text) !== null || text.toUpperCase() === 'BRAK'

/** The PU figures in the rows of a Postać on a day, as written; nothing is derived. */
export const figuresOn = (rows: ReadonlyArray<Row>, day: Day): Figures => ({
  startowe: figureOf(scalarOn(rows, 'pu_startowe', day)),
  suma: figureOf(scalarOn(rows, 'pu_suma', day)),
  zdobyte: figureOf(scalarOn(rows, 'pu_zdobyte', day)),
  nadmiar: figureOf(scalarOn(rows, 'pu_nadmiar', day)),
})

/** Derives ZDOBYTE from SUMA and STARTOWE, or SUMA from STARTOWE and ZDOBYTE; nothing else (FORMATS 2.2). */
export const deriveFigures = (figures: Figures): Figures => {
  const { startowe, suma, zdobyte } = figures
  if (startowe === null) return figures
  if (suma !== null && zdobyte === null) return { ...figures, zdobyte: round2(minus(suma, startowe)) }
  if (suma === null && zdobyte !== null) return { ...figures, suma: round2(plus(startowe, zdobyte)) }
  return figures
}

/** The figures on a day as every answer about a character serves them: the stated ones, and what follows from them. */
export const servedFiguresOn = (rows: ReadonlyArray<Row>, day: Day) => {
  const { startowe, suma, zdobyte, nadmiar } = deriveFigures(figuresOn(rows, day))
  return {
    PuStartowe: numberOrNull(startowe),
    PuSuma: numberOrNull(suma),
    PuZdobyte: numberOrNull(zdobyte),
    PuNadmiar: numberOrNull(nadmiar),
  }
}

/**
 * The figures before a batch: a character with only STARTOWE starts there, other nulls count as zero (FORMATS
 * 6.4).
 */
export const initialFigures = (
  figures: Figures,
): { readonly suma: Decimal; readonly zdobyte: Decimal; readonly nadmiar: Decimal } => {
  const known = deriveFigures(figures)
  const fresh = known.suma === null && known.zdobyte === null && known.startowe !== null
  return {
    suma: (fresh ? known.startowe : known.suma) ?? zero,
    zdobyte: known.zdobyte ?? zero,
    nadmiar: known.nadmiar ?? zero,
  }
}

/**
 * An exact decimal: `units` / 10^`scale`. PU are computed in these and never in binary floats (D18, FORMATS
 * 6.4).
 */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

export const zero: Decimal = { units: 0n, scale: 0 }

/**
 * Reads the number at an offset of a text, as people write numbers (docs/spec/lore-points.md#numbers): digits with at
 * most one comma or point, blanks only between groups of three. The text must end after it, or go on with a blank
 * and a remark that begins with a letter or `(`. Null for anything else. Every number of the lore is read here.
 */
export const numberAt = (text: string, at: number, signs: Signs): WrittenNumber | null => {
  written.lastIndex = at
  const found = written.exec(text)
  if (found === null) return null
  const [, sign = '', grouped = '', fraction = ''] = found
  if (sign !== '' && (signs === 'none' || (sign === '+' && signs === 'minus'))) return null
  const whole = grouped.replace(/\D/gu, '')
  const magnitude = BigInt(`${whole}${fraction}`)
  return {
    value: tidy(sign === '' || sign === '+' ? magnitude : -magnitude, fraction.length),
    digits: fraction === '' ? whole : `${whole}.${fraction}`,
    end: written.lastIndex,
  }
}

/** Reads a text that is a number, with or without a remark behind it; see `numberAt`. */
export const readDecimal = (text: string, signs: Signs = 'minus'): Decimal | null =>
  numberAt(text, 0, signs)?.value ?? null

/** The same text for equal decimals, however they are written. */
export const decimalKey = ({ units, scale }: Decimal): string => `${units}e-${scale}`

/** Reads a whole number of at most 15 digits; see `numberAt`. */
export const readQuantity = (text: string, signs: Signs = 'minus'): number | null => {
  const value = readDecimal(text, signs)
  return value === null || value.scale > 0 ? null : Number(value.units)
}

/** The sum of two quantities as a row states it; null when it has more than 15 digits. */
export const sumText = (one: number, other: number): string | null =>
  Math.abs(one + other) > quantityMax ? null : String(one + other)

/** The decimal of a number's shortest text, not of its binary value. Null when it is not finite. */
export const decimalOf = (value: number): Decimal | null => {
  const found = jsonNumber.exec(String(value))
  if (found === null) return null
  const [, sign, whole = '', fraction = '', power = '0'] = found
  const magnitude = BigInt(`${whole}${fraction}`)
  const [units, scale] = [sign === '-' ? -magnitude : magnitude, fraction.length - Number(power)]
  return scale >= 0 ? tidy(units, scale) : { units: units * ten(-scale), scale: 0 }
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

/** Every digit of the value, with a point. */
export const decimalText = ({ units, scale }: Decimal): string => {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)]
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** The value as a JSON number, rounded half to even to two places (D18). */
export const toNumber = (value: Decimal): number => Number(formatFixed2(value))

/** The same; null for null. */
export const numberOrNull = (value: Decimal | null): number | null =>
  value === null ? null : toNumber(value)

const ten = (power: number): bigint => 10n ** BigInt(power)

const tidy = (units: bigint, scale: number): Decimal => {
  let [rest, places] = [units, scale]
  while (places > 0 && rest % 10n === 0n) {
    rest /= 10n
    places -= 1
  }
  return { units: rest, scale: places }
}

/** The signs that may precede a number: none, a minus (`-` or U+2212), or a minus or a plus. */
type Signs = 'none' | 'minus' | 'either'

/** A number in a text: its value, its digits with a point and without a sign, and the offset after it. */
interface WrittenNumber {
  readonly value: Decimal
  readonly digits: string
  readonly end: number
}

const written =
  /\s*([+\-\u2212]?)(\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,4}|\d{1,15})(?:[.,](\d{1,15}))?(?=\s*$|\s+[\p{L}(])/uy

/** The largest quantity: 15 digits, so that each is an exact JSON number. */
const quantityMax = 10 ** 15 - 1

const jsonNumber = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?(?:e([+-]\d{1,3}))?$/

const align = (left: Decimal, right: Decimal): readonly [bigint, bigint, number] => {
  const scale = Math.max(left.scale, right.scale)
  return [left.units * ten(scale - left.scale), right.units * ten(scale - right.scale), scale]
}

const floorDiv = (over: bigint, under: bigint): bigint => {
  const whole = over / under
  return over % under !== 0n && over < 0n !== under < 0n ? whole - 1n : whole
}
