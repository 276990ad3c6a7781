import { percentile } from '#test/bench/percentile.js'

/** What a caller beside a crowd saw of one row. */
export interface RowSeen {
  readonly row: string
  readonly barMs: number
  /** How long each answer took, ms, without the time in which others had the processor of the daemon. */
  readonly waitsMs: ReadonlyArray<number>
  /** Answers that were not 200, and requests without one. */
  readonly others: ReadonlyArray<string>
}

/** A time in which a host counted misses, on the clock of the harness. */
export interface MissSeen {
  readonly fromMs: number
  readonly toMs: number
  /** Since the crowd came. */
  readonly afterMs: number
  readonly count: number
  /** How long the two hosts waited in it for a processor that others had. */
  readonly starvedMs: number
}

/** What a host counted of the other town. */
export interface TownSeen {
  readonly host: string
  readonly town: string
  readonly answered: number
  readonly misses: ReadonlyArray<MissSeen>
}

/** An answer to the row that a probe asks for; `waitMs` is without the time in which others had the processor. */
export interface StatusSeen {
  readonly fromMs: number
  readonly toMs: number
  readonly waitMs: number
}

type IsOver = (ms: number, bar: number) => boolean

export const p99 = (ms: ReadonlyArray<number>): number => percentile(ms, 0.99)

/** A row that made others wait, or did not answer them. */
export const waitViolations = (
  { row, barMs, waitsMs, others }: RowSeen,
  isOver: IsOver,
): ReadonlyArray<string> => [
  ...(waitsMs.length === 0 ? [`${row} was never answered`] : []),
  ...(isOver(p99(waitsMs), barMs)
    ? [`${row} took ${Math.round(p99(waitsMs))} ms (p99 of ${waitsMs.length}), more than ${barMs}`]
    : []),
  ...(others.length === 0
    ? []
    : [`${row}: ${others.length} answers were not 200, such as ${others[0] ?? ''}`]),
]

/** What a crowd may get: its answer, or that it has too much under way. */
const crowdStatuses: ReadonlySet<string> = new Set(['200', '503'])

/** A crowd that was refused otherwise, or not served at all: it was none. */
export const crowdViolations = (answers: Readonly<Record<string, number>>): ReadonlyArray<string> => [
  ...Object.entries(answers).flatMap(([status, count]) =>
    crowdStatuses.has(status) ? [] : [`${count} requests of the crowd were answered ${status}`],
  ),
  ...(answers['200'] === undefined ? ['the crowd was answered nothing'] : []),
]

export const countMisses = (misses: ReadonlyArray<MissSeen>): number =>
  misses.reduce((sum, { count }) => sum + count, 0)

/**
 * The misses that are not those of a busy machine: it is to blame where the hosts waited for a processor for half of
 * the time-out, and the apex by itself answered everything else within that half.
 */
export const blamedMisses = (
  misses: ReadonlyArray<MissSeen>,
  answers: ReadonlyArray<StatusSeen>,
  timeoutMs: number,
): ReadonlyArray<MissSeen> => {
  const slow = answers.filter(({ waitMs }) => waitMs > timeoutMs / 2)
  return misses.filter(
    ({ fromMs, toMs, starvedMs }) =>
      starvedMs < timeoutMs / 2 || slow.some(one => one.fromMs < toMs && one.toMs > fromMs),
  )
}

/** A live town that was missed, or not watched for `sweeps` intervals. */
export const watchViolations = (
  { host, town, answered, misses }: TownSeen,
  answers: ReadonlyArray<StatusSeen>,
  sweeps: number,
  timeoutMs: number,
): ReadonlyArray<string> => {
  const blamed = blamedMisses(misses, answers, timeoutMs)
  const missed = countMisses(blamed)
  return [
    ...(missed > 0
      ? [
          `${host} missed ${missed} probes of the live ${town}, the first ${Math.round((blamed[0]?.afterMs ?? 0) / 1_000)} s after the crowd came`,
        ]
      : []),
    // A busy machine delays sweeps, and a host that was delayed leaves one out.
    ...(answered < sweeps / 4
      ? [`${host} had ${answered} answers of ${town} in ${Math.round(sweeps)} sweeps`]
      : []),
  ]
}

/** Roles other than the one that a town had at first. */
export const roleViolations = (
  town: string,
  role: string,
  seen: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const other = seen.find(one => one !== role)
  return other === undefined ? [] : [`${town} called itself ${other}, not ${role}`]
}
