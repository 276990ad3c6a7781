import type { Day } from '#protocol/atoms.js'
import { scalarOn } from '#src/domain/lore/rows/on-day.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { type Decimal, minus, numberOrNull, plus, readDecimal, round2, zero } from './decimal.js'

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
