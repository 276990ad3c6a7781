/**
 * One measured quantity against its bar. Where it was measured several times, `seen` is the median and `spread` the
 * distance between the quartiles; a ratio has one sample for each pair of turns.
 */
export interface Figure {
  readonly name: string
  readonly unit: string
  /** `least`: the seen value must reach the bar; `most`: must not exceed it. Null: shown only. */
  readonly bar: { readonly kind: 'least' | 'most'; readonly value: number } | null
  /** Null: could not be measured here; `note` says why. */
  readonly seen: number | null
  readonly spread: number
  readonly samples: number
  /** What the bar was multiplied by, because the machine was not as fast as the one that it was set on (`speed.ts`). */
  readonly scale: number
  readonly note: string
}

/** `unsure`: the bar is missed by less than the spread, so another run may meet it. */
export type Verdict = '' | 'ok' | 'unsure' | 'MISSED'

/** What a figure was measured as: one value, the values of several turns, or nothing. */
export type Seen = number | null | ReadonlyArray<number>

/** The share of a value that a single sample may be off: two runs on one machine were up to that far apart. */
const singleShare = 0.15

/** Values that count work: each run gives the same. */
const countUnits: ReadonlySet<string> = new Set(['files', 'commits', 'pairs', 'kB', 'sigma'])

/** The value below which a share of the values lies, between neighbours in proportion. NaN for no values. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = [...values].sort((left, right) => left - right)
  const at = (sorted.length - 1) * share
  const [low = Number.NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

/** The ratios left/right of measurements in turns: one of the medians of each block of turns. */
export const blockRatios = (
  left: ReadonlyArray<number>,
  right: ReadonlyArray<number>,
  turnsInBlock: number,
): ReadonlyArray<number> =>
  Array.from({ length: Math.floor(Math.min(left.length, right.length) / turnsInBlock) }, (_, block) => {
    const [from, to] = [block * turnsInBlock, (block + 1) * turnsInBlock]
    return median(left.slice(from, to)) / median(right.slice(from, to))
  })

const spreadOf = (values: ReadonlyArray<number>): number => quantile(values, 0.75) - quantile(values, 0.25)

const figureOf = (name: string, unit: string, bar: Figure['bar'], seen: Seen, note: string): Figure => {
  const measured = { name, unit, bar, scale: 1, note }
  if (seen === null) return { ...measured, seen, spread: 0, samples: 0 }
  if (typeof seen !== 'number')
    return { ...measured, seen: median(seen), spread: spreadOf(seen), samples: seen.length }
  return { ...measured, seen, spread: countUnits.has(unit) ? 0 : Math.abs(seen) * singleShare, samples: 1 }
}

export const figureAtLeast = (name: string, unit: string, value: number, seen: Seen, note = ''): Figure =>
  figureOf(name, unit, { kind: 'least', value }, seen, note)

export const figureAtMost = (name: string, unit: string, value: number, seen: Seen, note = ''): Figure =>
  figureOf(name, unit, { kind: 'most', value }, seen, note)

export const figureWithoutBar = (name: string, unit: string, seen: Seen, note = ''): Figure =>
  figureOf(name, unit, null, seen, note)

/** Units of absolute times, and of work in a time: `most` grows with a slower machine, `least` shrinks. */
const timeUnits: ReadonlySet<string> = new Set(['ms', 'us', '% cpu', 'answers/s', 'words/s'])

/**
 * A figure on a machine that is `slowness` times as slow as the one that the bars were set on, by measurements before and
 * after: the bar of an absolute time is scaled, and how far the measurements differ adds to the spread.
 */
export const onMachine = (figure: Figure, slowness: readonly [before: number, after: number]): Figure => {
  const { unit, bar, seen, spread } = figure
  if (!timeUnits.has(unit) || seen === null) return figure
  const [scale, drift] = [median(slowness), Math.abs(slowness[0] - slowness[1]) / median(slowness) / 2]
  const value = bar === null ? 0 : bar.kind === 'most' ? bar.value * scale : bar.value / scale
  return { ...figure, bar: bar && { ...bar, value }, scale, spread: spread + Math.abs(seen) * drift }
}

export const verdictOf = ({ bar, seen, spread }: Figure): Verdict => {
  if (bar === null || seen === null) return ''
  const over = bar.kind === 'most' ? seen - bar.value : bar.value - seen
  if (!(over > 0)) return Number.isNaN(over) ? 'MISSED' : 'ok'
  return over > spread ? 'MISSED' : 'unsure'
}

export const holds = (figure: Figure): boolean => verdictOf(figure) !== 'MISSED'

const roundValue = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : String(Math.round(value * 100) / 100)

const barText = ({ bar, unit, scale }: Figure): string => {
  if (bar === null) return ''
  const given = bar.kind === 'most' ? bar.value / scale : bar.value * scale
  const scaled = scale === 1 ? '' : ` (here ${roundValue(bar.value)})`
  return `${bar.kind === 'least' ? '>=' : '<='} ${roundValue(given)} ${unit}${scaled}`
}

const seenText = ({ seen, spread, samples, unit }: Figure): string => {
  if (seen === null) return 'not measured'
  return `${roundValue(seen)} ${unit}${samples > 1 ? ` ±${roundValue(spread)} of ${samples}` : ''}`
}

const header = ['figure', 'bar', 'seen, spread, samples', 'verdict', 'note']
const widths = [70, 26, 30, 7]

/** The table of figures, with a header where `isFirst`. The columns of several tables have one width. */
export const figureTable = (figures: ReadonlyArray<Figure>, isFirst = true): string =>
  [
    ...(isFirst ? [header] : []),
    ...figures.map(one => [one.name, barText(one), seenText(one), verdictOf(one), one.note]),
  ]
    .map(row =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n')
