import {
  compareDecimals,
  type Decimal,
  formatFixed2,
  parseDecimal,
  plus,
} from '#src/domain/points/decimal.js'
import { type Figures, figureOf } from '#src/domain/points/figures.js'

export type FigureName = keyof Figures

export const figureNames = ['suma', 'startowe', 'zdobyte', 'nadmiar'] as const

export const noFigures: Figures = { suma: null, startowe: null, zdobyte: null, nadmiar: null }

/** The shortest decimal with a dot: `25.5`, `26`. */
export const pointsText = (value: Decimal): string => formatFixed2(value).replace(/\.00$|0$/u, '')

/** Whether SUMA, STARTOWE and ZDOBYTE are all known and do not add up. */
export const hasWrongSum = ({ suma, startowe, zdobyte }: Figures): boolean =>
  suma !== null &&
  startowe !== null &&
  zdobyte !== null &&
  compareDecimals(suma, plus(startowe, zdobyte)) !== 0

/** Whether a written value has more decimals than PU are stored with. */
export const isRounded = (written: string): boolean => {
  const [exact, held] = [parseDecimal(written), figureOf(written)]
  return exact !== null && held !== null && compareDecimals(exact, held) !== 0
}

const pairPattern = /(NADMIAR|STARTOWE|SUMA|ZDOBYTE)\s{0,8}:\s{0,8}(BRAK|-?\d{1,12}(?:[.,]\d{1,20})?)/giu
const keyPattern = /(NADMIAR|STARTOWE|SUMA|ZDOBYTE)\s{0,8}:/giu

/**
 * A PU line parsed by the correct grammar, with what the predecessor would have read instead and the text
 * outside keys and values.
 */
export interface LegacyPointsLine {
  readonly figures: Figures
  readonly truncated: ReadonlyArray<{
    readonly key: FigureName
    readonly value: Decimal
    readonly predecessor: Decimal
  }>
  /** Values with more than two places, as written. */
  readonly rounded: ReadonlyArray<{ readonly key: FigureName; readonly written: string }>
  /** Text that is neither a key nor its value; empty when there is none. */
  readonly rest: string
}

/**
 * Parses the text after `PU:`. Commas are both decimal marks and separators, so it searches for pairs instead
 * of splitting (FORMATS 2.2).
 */
export const readLegacyPointsLine = (text: string): LegacyPointsLine => {
  const values = new Map(
    [...text.matchAll(pairPattern)].map(found => [(found[1] ?? '').toLowerCase(), found[2] ?? ''] as const),
  )
  const of = (key: FigureName): Decimal | null => figureOf(values.get(key) ?? null)
  const truncated = figureNames.flatMap(key => {
    const value = of(key)
    const predecessor = figureOf((values.get(key) ?? '').split(',')[0] ?? null)
    if (value === null || predecessor === null || compareDecimals(value, predecessor) === 0) return []
    return [{ key, value, predecessor }]
  })
  const rounded = figureNames.flatMap(key => {
    const written = values.get(key) ?? ''
    return isRounded(written) ? [{ key, written }] : []
  })
  const rest = text.replace(pairPattern, ' ').replace(keyPattern, ' ')
  return {
    figures: { suma: of('suma'), startowe: of('startowe'), zdobyte: of('zdobyte'), nadmiar: of('nadmiar') },
    truncated,
    rounded,
    rest: /[\p{L}\p{N}]/u.test(rest) ? rest.replace(/[\s,;]+/gu, ' ').trim() : '',
  }
}
