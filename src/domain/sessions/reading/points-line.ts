/** A line of a PU block (FORMATS 4.3): `value` is the decimal with a dot, null when the line is malformed. */
export interface PointsLine {
  readonly character: string
  readonly value: string | null
}

const run = /^\s*([\d.,]+)/
const bareNumber = /\s([\d.,]+)$/

const decimal = (digits: string): string | null => {
  const text = digits.replaceAll(',', '.').replace(/\.$/, '')
  if (!/^\d{0,12}(?:\.\d{1,12})?$/.test(text) || text === '') return null
  return text.startsWith('.') ? `0${text}` : text
}

/** Offset of the first colon before a number, else of the first colon, else -1. */
const colonOf = (text: string): number => {
  const found = /:\s{0,20}\d/.exec(text)
  return found === null ? text.indexOf(':') : found.index
}

/** Parses `Name: 0,3`. The number is a run of digits, commas and dots; text after it is ignored. */
export const readPointsLine = (text: string): PointsLine => {
  const colon = colonOf(text)
  if (colon < 0) {
    const number = bareNumber.exec(text)
    return { character: (number === null ? text : text.slice(0, number.index)).trim(), value: null }
  }
  const digits = run.exec(text.slice(colon + 1))?.[1]
  return { character: text.slice(0, colon).trim(), value: digits === undefined ? null : decimal(digits) }
}
