import { simulatedTowns } from './model/topology-files.js'

/** How one seed sets up its fleet. */
export interface FleetSetup {
  readonly towns: ReadonlyArray<string>
  readonly syncIntervalMs: number
  readonly watchIntervalMs: number
  readonly afterSweeps: number
  /** Whether hosts ask for takeovers by themselves. */
  readonly isAutomatic: boolean
  readonly cooldownHours: number
  readonly maxAgeMs: number
  readonly counterMs: number
  /** How long the forge checks a new request. */
  readonly checksMs: number
  /** That a person closes a request that was opened. */
  readonly vetoes: number
  /** That a host dies between two effects. */
  readonly crash: number
  /** How fast the clocks run: drift of at most this share. */
  readonly drift: number
  /** Nothing goes wrong but that the apex dies. */
  readonly isQuiet: boolean
}

const minuteMs = 60_000

/** Large fleets probe less often, so that every seed costs about the same. */
const watchMinutesOf = (towns: number): number => (towns <= 4 ? 1 : towns <= 6 ? 2 : 4)

const loudSetupOf = (chance: () => number): Omit<FleetSetup, 'isQuiet'> => {
  const among = <A>(values: readonly [A, ...ReadonlyArray<A>]): A =>
    values[Math.floor(chance() * values.length)] ?? values[0]
  const count = among([3, 3, 3, 4, 5, 5, 6, 7, 8, 9])
  return {
    towns: simulatedTowns.slice(0, count),
    syncIntervalMs: among([3, 5, 7]) * minuteMs,
    watchIntervalMs: watchMinutesOf(count) * minuteMs,
    afterSweeps: among([2, 3]),
    isAutomatic: chance() < 0.7,
    cooldownHours: among([0, 0.25, 0.5, 1, 24]),
    maxAgeMs: among([15, 30, 60]) * minuteMs,
    counterMs: among([3, 6, 10]) * minuteMs,
    checksMs: among([0, 3_000, 45_000]),
    vetoes: chance() < 0.8 ? 0 : 0.5,
    crash: chance() < 0.4 ? 0 : chance() * 0.001,
    drift: chance() < 0.5 ? 0 : 0.1,
  }
}

export const fleetSetupOf = (chance: () => number): FleetSetup => {
  const setup = loudSetupOf(chance)
  const isQuiet = chance() < 0.1
  return isQuiet ? { ...setup, isQuiet, isAutomatic: true, vetoes: 0, crash: 0 } : { ...setup, isQuiet }
}
