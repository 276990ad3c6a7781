/** PU of a character in hundredths of a point, so that no value passes through a binary fraction; null: unknown. */
export interface Figures {
  readonly suma: number | null
  readonly startowe: number | null
  readonly zdobyte: number | null
  readonly nadmiar: number | null
}

export type FigureName = keyof Figures

export const figureNames = ['suma', 'startowe', 'zdobyte', 'nadmiar'] as const

export const noFigures: Figures = { suma: null, startowe: null, zdobyte: null, nadmiar: null }

const decimalPattern = /^(-?)(\d{1,12})(?:[.,](\d{1,20}))?$/u

/** A decimal with a dot or a comma, rounded to hundredths half to even; null when it is none. */
export const hundredthsOf = (text: string): number | null => {
  const found = decimalPattern.exec(text.trim())
  if (found === null) return null
  const digits = (found[3] ?? '').padEnd(3, '0')
  const whole = Number(found[2]) * 100 + Number(digits.slice(0, 2))
  const rest = digits.slice(2)
  const half = `5${'0'.repeat(rest.length - 1)}`
  const up = rest > half || (rest === half && whole % 2 === 1)
  const size = up ? whole + 1 : whole
  return found[1] === '-' && size !== 0 ? -size : size
}

/** The number of points. */
export const pointsOf = (hundredths: number | null): number | null =>
  hundredths === null ? null : hundredths / 100

/** The shortest decimal with a dot: `25.5`, `26`. */
export const pointsText = (hundredths: number): string => {
  const size = Math.abs(hundredths)
  const fraction = String(size % 100)
    .padStart(2, '0')
    .replace(/0+$/u, '')
  const whole = `${hundredths < 0 ? '-' : ''}${Math.floor(size / 100)}`
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Derives ZDOBYTE from SUMA and STARTOWE, or SUMA from the others; nothing else (FORMATS 2.2). */
export const derived = (figures: Figures): Figures => {
  const { suma, startowe, zdobyte } = figures
  if (startowe === null) return figures
  if (suma !== null && zdobyte === null) return { ...figures, zdobyte: suma - startowe }
  if (zdobyte !== null && suma === null) return { ...figures, suma: startowe + zdobyte }
  return figures
}

/** Whether SUMA, STARTOWE and ZDOBYTE are all known and do not add up. */
export const inconsistent = ({ suma, startowe, zdobyte }: Figures): boolean =>
  suma !== null && startowe !== null && zdobyte !== null && suma !== startowe + zdobyte

const pairPattern = /(NADMIAR|STARTOWE|SUMA|ZDOBYTE)\s{0,8}:\s{0,8}(BRAK|-?\d{1,12}(?:[.,]\d{1,20})?)/giu
const keyPattern = /(NADMIAR|STARTOWE|SUMA|ZDOBYTE)\s{0,8}:/giu

const figureOf: ReadonlyMap<string, FigureName> = new Map([
  ['nadmiar', 'nadmiar'],
  ['startowe', 'startowe'],
  ['suma', 'suma'],
  ['zdobyte', 'zdobyte'],
])

/** A PU line by the correct grammar, with what the predecessor would have read instead and what no key explains. */
export interface PointsLine {
  readonly figures: Figures
  readonly truncated: ReadonlyArray<{
    readonly key: FigureName
    readonly value: number
    readonly predecessor: number
  }>
  /** Text that is neither a key nor its value; empty when there is none. */
  readonly rest: string
}

/** Reads the text after `PU:`. Commas are decimal marks and separators both, so pairs are searched, not split (FORMATS 2.2). */
export const readPointsLine = (text: string): PointsLine => {
  const values = new Map<FigureName, string>()
  for (const found of text.matchAll(pairPattern)) {
    const key = figureOf.get((found[1] ?? '').toLowerCase())
    if (key !== undefined) values.set(key, found[2] ?? '')
  }
  const of = (key: FigureName): number | null => hundredthsOf(values.get(key) ?? '')
  const truncated = figureNames.flatMap(key => {
    const written = values.get(key) ?? ''
    const value = of(key)
    const predecessor = hundredthsOf(written.split(',')[0] ?? '')
    return value === null || predecessor === null || value === predecessor ? [] : [{ key, value, predecessor }]
  })
  const rest = text.replace(pairPattern, ' ').replace(keyPattern, ' ')
  return {
    figures: { suma: of('suma'), startowe: of('startowe'), zdobyte: of('zdobyte'), nadmiar: of('nadmiar') },
    truncated,
    rest: /[\p{L}\p{N}]/u.test(rest) ? rest.replace(/[\s,;]+/gu, ' ').trim() : '',
  }
}
