import {
  compareDecimals,
  type Decimal,
  formatFixed2,
  numberAt,
  plus,
  readDecimal,
} from '#src/domain/lore/decimal.js'
import { type Figures, figureOf } from '#src/domain/lore/figures.js'

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
const isRounded = (written: string): boolean => {
  const [exact, held] = [readDecimal(written), figureOf(written)]
  return exact !== null && held !== null && compareDecimals(exact, held) !== 0
}

const keyPattern = /(NADMIAR|STARTOWE|SUMA|ZDOBYTE)\s{0,8}:/giu

/** What ends a value besides the next key. Commas are both decimal marks and separators (FORMATS 2.2). */
const separator = /;|,(?!\d)/u

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

/** The length of the number, or of `BRAK`, at the start of the text after a key; 0 when it is neither. */
const valueLength = (text: string): number => {
  const [part = ''] = text.split(separator, 1)
  const none = /^\s{0,8}BRAK(?![\p{L}\p{N}])/iu.exec(part)
  return none === null ? (numberAt(part, 0, 'minus')?.end ?? 0) : none[0].length
}

/** Parses the text after `PU:`: for each key the number or `BRAK` behind it. */
export const readLegacyPointsLine = (text: string): LegacyPointsLine => {
  const keys = [...text.matchAll(keyPattern)]
  const values = new Map<string, string>()
  const outside = [text.slice(0, keys[0]?.index)]
  for (const [at, key] of keys.entries()) {
    const after = text.slice(key.index + key[0].length, keys[at + 1]?.index)
    const length = valueLength(after)
    values.set((key[1] ?? '').toLowerCase(), after.slice(0, length).trim())
    outside.push(after.slice(length))
  }
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
  const rest = outside.join(' ')
  return {
    figures: { suma: of('suma'), startowe: of('startowe'), zdobyte: of('zdobyte'), nadmiar: of('nadmiar') },
    truncated,
    rounded,
    rest: /[\p{L}\p{N}]/u.test(rest) ? rest.replace(/[\s,;]+/gu, ' ').trim() : '',
  }
}
