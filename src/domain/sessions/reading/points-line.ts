import { numberAt } from '#src/domain/lore/decimal.js'

/** A line of a PU block (FORMATS 4.3): `value` is the decimal with a dot, null when the line is malformed. */
export interface PointsLine {
  readonly character: string
  readonly value: string | null
}

const bareNumber = /\s([\d.,]+)$/

/** Offset of the first colon before a number, else of the first colon, else -1. */
const colonOf = (text: string): number => {
  const found = /:\s{0,20}\d/.exec(text)
  return found === null ? text.indexOf(':') : found.index
}

/** Parses `Name: 0,3` with a number that `numberAt` reads and that has no sign. */
export const readPointsLine = (text: string): PointsLine => {
  const colon = colonOf(text)
  if (colon < 0) {
    const number = bareNumber.exec(text)
    return { character: (number === null ? text : text.slice(0, number.index)).trim(), value: null }
  }
  return { character: text.slice(0, colon).trim(), value: numberAt(text, colon + 1, 'none')?.digits ?? null }
}
