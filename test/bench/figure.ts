/** One measured quantity against its bar (N1 "Speed and memory"). */
export interface Figure {
  readonly name: string
  /** Says too on which clock of the machine the bar depends: see `clocks`. */
  readonly unit: string
  /**
   * `least`: the seen value must reach the bar; `most`: must not exceed it. `value` is the bar as specified, `here` what it
   * is on this machine now. Null: shown only.
   */
  readonly bar: { readonly kind: 'least' | 'most'; readonly value: number; readonly here: number } | null
  /** Null: could not be measured here; `note` says why. */
  readonly seen: number | null
  /** How far one measurement of it lies from the next; 0 of what is counted, or measured once. */
  readonly spread: number
  /** How many pairs or rounds the spread is of. */
  readonly rounds: number
  readonly note: string
}

/** What was seen, and the rounds (or pairs) that tell how far it swings. */
export interface Rounds {
  readonly seen: number
  readonly each: ReadonlyArray<number>
}

/** A number is counted or measured once; of several rounds the median is what was seen. */
export type Seen = number | null | ReadonlyArray<number> | Rounds

export const median = (values: ReadonlyArray<number>): number => {
  if (values.some(Number.isNaN)) return Number.NaN
  const sorted = [...values].sort((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ]
  return (low + high) / 2
}

/** The value that `share` of the values do not exceed. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN

/** The median absolute deviation of normal noise times this is its standard deviation. */
const normalScale = 1.4826

/**
 * The spread of rounds: the median of their distances from their median (MAD), as a standard deviation. One round that
 * something disturbed does not move it, and it does not shrink with more rounds, since the next run of the bench differs
 * from this one by more than rounds of one run do. Few rounds understate it, so it grows by n / (n - 0.8).
 */
export const spreadOf = (rounds: ReadonlyArray<number>): number => {
  const count = rounds.length
  if (count < 2) return 0
  const middle = median(rounds)
  const distances = rounds.map(one => Math.abs(one - middle))
  return (normalScale * median(distances) * count) / (count - 0.8)
}

const isRounds = (seen: Seen): seen is Rounds => typeof seen === 'object' && seen !== null && 'each' in seen

const readingOf = (seen: Seen): Pick<Figure, 'seen' | 'spread' | 'rounds'> => {
  if (seen === null || typeof seen === 'number') return { seen, spread: 0, rounds: 1 }
  if (isRounds(seen)) return { seen: seen.seen, spread: spreadOf(seen.each), rounds: seen.each.length }
  return { seen: median(seen), spread: spreadOf(seen), rounds: seen.length }
}

const figureOf =
  (kind: 'least' | 'most') =>
  (name: string, unit: string, value: number, seen: Seen, note = ''): Figure => ({
    name,
    unit,
    bar: { kind, value, here: value },
    ...readingOf(seen),
    note,
  })

export const figureAtLeast = figureOf('least')
export const figureAtMost = figureOf('most')

export const figureWithoutBar = (name: string, unit: string, seen: Seen, note = ''): Figure => ({
  name,
  unit,
  bar: null,
  ...readingOf(seen),
  note,
})

/** The worst of several rounds, with their spread. */
export const worstOf = (each: ReadonlyArray<number>): Rounds => ({ seen: Math.max(...each), each })

/** The 99th percentile over all rounds, with the spread of those of each round. */
export const p99Of = (rounds: ReadonlyArray<ReadonlyArray<number>>): Rounds => ({
  seen: percentile(rounds.flat(), 0.99),
  each: rounds.map(one => percentile(one, 0.99)),
})

/** Whole stretches of `size` values. */
export const cutInto = <A>(values: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.floor(values.length / size) }, (_, at) =>
    values.slice(at * size, (at + 1) * size),
  )

/** The medians of stretches of `size` values: what single values swing by is no swing of the quantity. */
export const mediansOf = (values: ReadonlyArray<number>, size: number): ReadonlyArray<number> =>
  cutInto(values, size).map(median)

/**
 * The growth of a value from one reading to the next: the median of the slopes between all pairs of readings (Theil
 * and Sen), which one outlying reading hardly moves. Needs two readings.
 */
export const typicalSlope = (readings: ReadonlyArray<number>): number =>
  median(
    readings.flatMap((from, at) => readings.slice(at + 1).map((to, further) => (to - from) / (further + 1))),
  )

/** Measures two things in turns, A B, B A, A B ..., so that whatever else the machine does meets both. */
export const inPairs = async <A>(
  count: number,
  left: () => A | Promise<A>,
  right: () => A | Promise<A>,
): Promise<ReadonlyArray<readonly [left: A, right: A]>> => {
  const pairs: Array<readonly [A, A]> = []
  for (let at = 0; at < count; at += 1) {
    const isFirst = at % 2 === 0
    const one = await (isFirst ? left() : right())
    const other = await (isFirst ? right() : left())
    pairs.push(isFirst ? [one, other] : [other, one])
  }
  return pairs
}

/** left / right of each pair. */
export const ratiosOf = (pairs: ReadonlyArray<readonly [number, number]>): ReadonlyArray<number> =>
  pairs.map(([left, right]) => left / right)

/** `MISSED`: by more than the spread. `unsure`: by less. Null: nothing to hold. */
export const verdictOf = ({ bar, seen, spread }: Figure): 'ok' | 'unsure' | 'MISSED' | null => {
  if (bar === null || seen === null) return null
  const excess = bar.kind === 'least' ? bar.here - seen : seen - bar.here
  if (excess <= 0) return 'ok'
  return excess <= spread ? 'unsure' : 'MISSED'
}

export const holds = (figure: Figure): boolean => verdictOf(figure) !== 'MISSED'

/** How a clock of the machine goes: `times` as long as on the reference, give or take `swing` (a share of it). */
export interface Pace {
  readonly times: number
  readonly swing: number
}

/** How long the same work takes on the wall, and in processor time. */
export interface Machine {
  readonly wall: Pace
  readonly processor: Pace
}

/** Units that depend on the speed of the machine: on which clock, and whether a slow machine shows more or less of it. */
const clocks: ReadonlyMap<string, readonly [clock: keyof Machine, slow: 'more' | 'less']> = new Map([
  ['ms', ['wall', 'more']],
  ['us', ['wall', 'more']],
  ['answers/s', ['wall', 'less']],
  ['ms of processor', ['processor', 'more']],
  ['us of processor', ['processor', 'more']],
  ['% of a processor', ['processor', 'more']],
  ['words/s of processor', ['processor', 'less']],
])

/** A machine that is slower than this judges no time: it is too busy, and not of another kind. */
const slownessMost = 3

/**
 * A figure with its bar as the machine has it now: a time twice as long where a fixed piece of work takes twice as long.
 * A bar never becomes stricter than specified, nor more than three times as loose; what a busy machine takes beyond that is
 * unsure. By what the machine changed meanwhile the spread grows.
 */
export const onMachine = (figure: Figure, machine: Machine): Figure => {
  const [clock, slow] = clocks.get(figure.unit) ?? []
  if (figure.bar === null || clock === undefined) return figure
  const { value } = figure.bar
  const { times, swing } = machine[clock]
  const barAt = (factor: number): number => (slow === 'more' ? value * factor : value / factor)
  const slowness = Math.max(1, times)
  const here = barAt(Math.min(slowness, slownessMost))
  const doubt = Math.abs(barAt(slowness) - here)
  return { ...figure, bar: { ...figure.bar, here }, spread: figure.spread + here * swing + doubt }
}

/** Units of memory: other programs and other versions of the system move it, so a shared machine does not judge it. */
const memoryUnits: ReadonlySet<string> = new Set(['MB', 'MiB', 'KB', 'kB'])

/** What a floor is of its bar: a ratio of one run on a busy machine is that far off. */
const floorShare = 0.85

/**
 * Bars that this build misses, with what their figures must not exceed meanwhile: a share of what was seen, so that a
 * change that makes one worse is noticed. A row goes when its bar is met (ADR 1037).
 */
const missed: ReadonlyMap<string, number> = new Map([['throughput that the record of a request costs', 16]])

/** A figure as a machine that others use judges it: ratios and counts against a floor, times and memory not at all. */
export const withFloor = (figure: Figure): Figure => {
  const { bar, unit } = figure
  if (bar === null || clocks.has(unit) || memoryUnits.has(unit)) return { ...figure, bar: null }
  const floor = bar.kind === 'least' ? bar.value * floorShare : bar.value / floorShare
  return { ...figure, bar: { ...bar, here: missed.get(figure.name) ?? floor } }
}

const roundValue = (value: number): string =>
  Math.abs(value) >= 100 ? String(Math.round(value)) : String(Math.round(value * 100) / 100)

const barCells = ({ bar, unit }: Figure): readonly [bar: string, here: string] => {
  if (bar === null) return ['', '']
  const sign = bar.kind === 'least' ? '>=' : '<='
  return [
    `${sign} ${roundValue(bar.value)} ${unit}`,
    bar.here === bar.value ? '' : `${sign} ${roundValue(bar.here)}`,
  ]
}

const cells = (figure: Figure): ReadonlyArray<string> => [
  figure.name,
  ...barCells(figure),
  figure.seen === null ? 'not measured' : `${roundValue(figure.seen)} ${figure.unit}`,
  figure.seen === null || (figure.rounds < 2 && figure.spread === 0)
    ? ''
    : `${roundValue(figure.spread)} of ${figure.rounds}`,
  verdictOf(figure) ?? '',
  figure.note,
]

/**
 * The table `figure | bar | here | seen | spread | ok | note`: `here` is the bar on this machine, the spread names its
 * pairs or rounds. A column that no row fills is left out.
 */
export const figureTable = (figures: ReadonlyArray<Figure>): string => {
  const body = figures.map(cells)
  const heads = ['figure', 'bar', 'here', 'seen', 'spread', 'ok', 'note']
  const filled = heads.map((_, at) => at).filter(at => body.some(row => row[at] !== ''))
  const rows = [heads, ...body].map(row => filled.map(at => row[at] ?? ''))
  const widths = filled.map((_, at) => Math.max(...rows.map(row => row[at]?.length ?? 0)))
  return rows
    .map(row =>
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n')
}
