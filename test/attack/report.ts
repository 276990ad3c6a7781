import type { Result, Worst } from './trial.js'

/** A case that was run, with what replays it. */
export interface Ran {
  readonly name: string
  readonly seed: string
  readonly scale: number
  readonly result: Result
}

const columns = ['case', 'requests', 'load ms', 'worst cpu ms', 'worst turn ms', 'heap MiB', 'verdict']

const whole = (value: number): string => (Number.isNaN(value) ? '-' : String(Math.round(value)))

const rowOf = ({ name, result }: Ran): ReadonlyArray<string> => [
  name,
  String(result.requests),
  whole(result.loadMs),
  whole(result.worstCpu.ms),
  whole(result.worstTurn.ms),
  whole(result.heapMb),
  result.violations.length === 0 ? 'holds' : `${result.violations.length} violations`,
]

/** A table with the cases that ran, one a line. */
export const tableOf = (ran: ReadonlyArray<Ran>): string => {
  const rows = [columns, ...ran.map(rowOf)]
  const widths = columns.map((_, at) => Math.max(...rows.map(row => (row[at] ?? '').length)))
  return `${rows
    .map(row =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n')}\n`
}

/** What cases measured beside the columns, one a line. */
export const figuresText = (ran: ReadonlyArray<Ran>): string =>
  ran
    .flatMap(({ name, result }) =>
      Object.entries(result.figures ?? {}).map(([what, value]) => `${name}: ${what} ${value.toFixed(1)}\n`),
    )
    .join('')

const worstOf = (what: string, { ms, at }: Worst): string => `  ${what}: ${whole(ms)} ms at ${at}\n`

/** The line that runs a case again as it was. */
export const replayLine = ({ name, seed, scale }: Pick<Ran, 'name' | 'seed' | 'scale'>): string =>
  `npm run attack -- --seed '${seed}' --scale ${scale} --case '${name}'`

/** What is wrong with a case, and how to see it again. */
export const violationText = (ran: Ran): string =>
  `\n${ran.name}\n${ran.result.violations.map(one => `  - ${one}\n`).join('')}` +
  `${worstOf('dearest request', ran.result.worstCpu)}${worstOf('longest turn', ran.result.worstTurn)}` +
  `  replay: ${replayLine(ran)}\n`
