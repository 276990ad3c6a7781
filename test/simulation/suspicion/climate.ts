import { countsAfterMs, lateMs } from '#src/domain/fleet/peers.js'
import { isDuring, type Pause, type TimeSpan } from './host-time.js'

/** A path that is cut; both ways, or only from `from` to `to`. */
export interface Cut extends TimeSpan {
  readonly from: string
  readonly to: string
  readonly isOneWay: boolean
}

/** A host that is so busy that it answers what comes only after a time. */
export interface Busy extends TimeSpan {
  readonly lagMs: number
}

/** What a seed does to its hosts and paths. Each fault is on or off for the whole seed. */
export interface PathClimate {
  /** The first one is the apex, which lives throughout. */
  readonly towns: ReadonlyArray<string>
  readonly intervalMs: number
  readonly durationMs: number
  /** The share of messages that are lost, up to 0.2. */
  readonly loss: number
  /** The share of messages that take seconds. */
  readonly spikes: number
  /** How far the delay of a message varies, as a share of it. */
  readonly jitter: number
  readonly pauses: ReadonlyMap<string, ReadonlyArray<Pause>>
  readonly cuts: ReadonlyArray<Cut>
  /** When the apex is busy. */
  readonly busy: ReadonlyArray<Busy>
  /** When the probes of a host do not leave it. */
  readonly troubles: ReadonlyMap<string, ReadonlyArray<TimeSpan>>
}

const sweeps = 24
const lossMost = 0.2
const spikesMost = 0.03
const cutIntervalsMost = 8
const busyIntervalsMost = 8
/** The longest way there and back, without a delay of seconds. */
const pathMsMost = 2_000
/** Between two silences of the apex, so that two of them do not make one that is longer than an interval. */
const quietIntervals = 2

type Chance = () => number

/** Periods one after the other, with quiet between them. */
const periodsOf = (
  chance: Chance,
  { durationMs, intervalMs }: Pick<PathClimate, 'durationMs' | 'intervalMs'>,
  lengthMs: () => number,
): ReadonlyArray<TimeSpan> => {
  const periods: Array<TimeSpan> = []
  for (let atMs = 0; ; ) {
    const fromMs = atMs + (quietIntervals + chance() * 8) * intervalMs
    const toMs = fromMs + lengthMs()
    if (toMs > durationMs) return periods
    periods.push({ fromMs, toMs })
    atMs = toMs
  }
}

const cutOf = (chance: Chance, period: TimeSpan, apex: string, town: string): Cut => {
  const [from, to] = chance() < 0.5 ? [apex, town] : [town, apex]
  return { ...period, from, to, isOneWay: chance() < 0.5 }
}

/** The longest lag with which an answer to a sweep comes in time to take its miss back, for the time of a path. */
const lagMsMost = (intervalMs: number): number => countsAfterMs(intervalMs) + lateMs - pathMsMost

/** Each silence of the apex is a pause of it, a cut of the paths to some towns, or a time in which it is busy. */
const silencesOf = (
  chance: Chance,
  frame: Pick<PathClimate, 'durationMs' | 'intervalMs' | 'towns'>,
  has: { readonly pauses: boolean; readonly cuts: boolean; readonly busy: boolean },
): Pick<PathClimate, 'cuts' | 'busy'> & { readonly pauses: ReadonlyArray<Pause> } => {
  const [apex = '', ...others] = frame.towns
  if (has.busy) {
    const lengthMs = (): number => chance() * busyIntervalsMost * frame.intervalMs
    const periods = periodsOf(chance, frame, lengthMs)
    const busy = periods.map(period => ({ ...period, lagMs: chance() * lagMsMost(frame.intervalMs) }))
    return { pauses: [], cuts: [], busy }
  }
  const pauses: Array<Pause> = []
  const cuts: Array<Cut> = []
  const isPauseAt: Array<boolean> = []
  const lengthMs = (): number => {
    const isPause = has.pauses && (!has.cuts || chance() < 0.5)
    isPauseAt.push(isPause)
    return chance() * (isPause ? 1 : cutIntervalsMost) * frame.intervalMs
  }
  if (has.pauses || has.cuts)
    for (const [at, period] of periodsOf(chance, frame, lengthMs).entries())
      if (isPauseAt[at] === true) pauses.push({ ...period, isSleep: chance() < 0.5 })
      else for (const town of others) if (chance() < 0.4) cuts.push(cutOf(chance, period, apex, town))
  return { pauses, cuts, busy: [] }
}

const intervals = [300_000, 300_000, 60_000, 15_000]
const townNames = ['Erathia', 'Avlee', 'Bracada', 'Deyja', 'Enroth', 'Krewlod', 'Nighon', 'Tatalia', 'Eofol']

const lossOf = (chance: Chance): number => {
  const kind = chance()
  if (kind < 0.2) return 0
  return kind < 0.5 ? chance() * lossMost : lossMost
}

/** The climate of a seed. */
export const climateOf = (chance: Chance): PathClimate => {
  const towns = townNames.slice(0, 3 + Math.floor(chance() * 7))
  const intervalMs = intervals[Math.floor(chance() * intervals.length)] ?? 300_000
  const frame = { towns, intervalMs, durationMs: sweeps * intervalMs }
  const has = {
    pauses: chance() < 0.6,
    cuts: chance() < 0.5,
    troubles: chance() < 0.3,
    busy: chance() < 0.25,
  }
  const silences = silencesOf(chance, frame, has)
  const [apex = '', ...others] = towns
  const ownPauses = (): ReadonlyArray<Pause> =>
    periodsOf(chance, frame, () => chance() * intervalMs).map(one => ({ ...one, isSleep: chance() < 0.5 }))
  return {
    ...frame,
    loss: lossOf(chance),
    spikes: chance() < 0.5 ? 0 : chance() * spikesMost,
    jitter: chance() < 0.5 ? 0.1 : 1,
    pauses: new Map([
      [apex, silences.pauses],
      ...others.map(town => [town, has.pauses ? ownPauses() : []] as const),
    ]),
    cuts: silences.cuts,
    busy: silences.busy,
    troubles: new Map(
      others.map(town => [
        town,
        has.troubles ? periodsOf(chance, frame, () => chance() * 3 * intervalMs) : [],
      ]),
    ),
  }
}

const passes = (cut: Cut, from: string, to: string): boolean =>
  (cut.from === from && cut.to === to) || (!cut.isOneWay && cut.from === to && cut.to === from)

/** Whether a message from one town to another is lost to a cut at this moment. */
export const isCut = ({ cuts }: PathClimate, from: string, to: string, atMs: number): boolean =>
  cuts.some(cut => isDuring(cut, atMs) && passes(cut, from, to))

/** Whether one cut of the path between two towns, in either direction, holds from the first moment to the last. */
export const isCutThroughout = (
  { cuts }: PathClimate,
  a: string,
  b: string,
  firstMs: number,
  lastMs: number,
): boolean =>
  cuts.some(
    cut => (passes(cut, a, b) || passes(cut, b, a)) && isDuring(cut, firstMs) && isDuring(cut, lastMs),
  )
