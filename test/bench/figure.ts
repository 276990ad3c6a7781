/** One measured quantity against its bar (N1 "Speed and memory"). */
export interface Figure {
  readonly name: string
  readonly unit: string
  /** `figureAtLeast`: the seen value must reach the bar; `figureAtMost`: must not exceed it. Null: shown only. */
  readonly bar: { readonly kind: 'least' | 'most'; readonly value: number } | null
  /** Null: could not be measured here; `note` says why. */
  readonly seen: number | null
  readonly note: string
}

export const holds = ({ bar, seen }: Figure): boolean =>
  bar === null || seen === null || (bar.kind === 'least' ? seen >= bar.value : seen <= bar.value)

export const figureAtLeast = (
  name: string,
  unit: string,
  value: number,
  seen: number | null,
  note = '',
): Figure => ({
  name,
  unit,
  bar: { kind: 'least', value },
  seen,
  note,
})

export const figureAtMost = (
  name: string,
  unit: string,
  value: number,
  seen: number | null,
  note = '',
): Figure => ({
  name,
  unit,
  bar: { kind: 'most', value },
  seen,
  note,
})

export const figureWithoutBar = (name: string, unit: string, seen: number | null, note = ''): Figure => ({
  name,
  unit,
  bar: null,
  seen,
  note,
})

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ]
  return (low + high) / 2
}

const roundValue = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : String(Math.round(value * 100) / 100)

const barText = ({ bar, unit }: Figure): string =>
  bar === null ? '' : `${bar.kind === 'least' ? '>=' : '<='} ${roundValue(bar.value)} ${unit}`

const cells = (figure: Figure): ReadonlyArray<string> => [
  figure.name,
  barText(figure),
  figure.seen === null ? 'not measured' : `${roundValue(figure.seen)} ${figure.unit}`,
  figure.bar === null || figure.seen === null ? '' : holds(figure) ? 'ok' : 'MISSED',
  figure.note,
]

/** The table `figure | bar | seen | ok | note`. */
export const figureTable = (figures: ReadonlyArray<Figure>): string => {
  const rows = [['figure', 'bar', 'seen', 'ok', 'note'], ...figures.map(cells)]
  const widths = [0, 1, 2, 3].map(at => Math.max(...rows.map(row => (row[at] ?? '').length)))
  return rows
    .map(row =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n')
}
