import {
  closeWorld,
  killPoint,
  openPointWorld,
  type PointOutcome,
  type PointWorld,
  runUnharmed,
} from './point.js'
import type { Scenario } from './scenario.js'

/** All kills of one scenario. */
export interface Campaign {
  readonly scenario: string
  /** Calls of the scenario when nobody is killed. */
  readonly calls: number
  readonly outcomes: ReadonlyArray<PointOutcome>
}

/** `points` numbers from 1 to `calls`, evenly; each call in turn when there are more points than calls. */
export const spreadPoints = (calls: number, points: number): ReadonlyArray<number> =>
  Array.from({ length: points }, (_, at) =>
    points >= calls ? 1 + (at % Math.max(calls, 1)) : 1 + Math.floor((at * calls) / points),
  )

const goldenRatio = (Math.sqrt(5) - 1) / 2

/** The values in an order of which each start is spread over all of them: a run that is ended early left out no part. */
export const orderWidely = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values
    .map((value, at) => ({ value, rank: (at * goldenRatio) % 1 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value)

/** The world for the next point: a new one when the old is used up or came to harm. */
const worldFor = async (
  world: PointWorld | null,
  scenario: Scenario,
  last: PointOutcome | null,
): Promise<PointWorld> => {
  const isSpent =
    world !== null && (world.points >= scenario.pointsPerWorld || (last?.violations.length ?? 0) > 0)
  if (world !== null && !isSpent) return world
  if (world !== null) await closeWorld(world)
  return openPointWorld(scenario)
}

export interface CampaignOptions {
  /** Worlds beside each other. */
  readonly lanes: number
  /** No kill but the first of a world is begun behind this moment of `performance.now()`. */
  readonly untilMs: number
  readonly onOutcome: (outcome: PointOutcome) => void
}

const strikeEach = async (
  scenario: Scenario,
  lane: ReadonlyArray<readonly [at: number, turn: number]>,
  { untilMs, onOutcome }: CampaignOptions,
): Promise<ReadonlyArray<PointOutcome>> => {
  const outcomes: Array<PointOutcome> = []
  let world: PointWorld | null = null
  try {
    for (const [at, turn] of lane) {
      if (outcomes.length > 0 && performance.now() > untilMs) break
      world = await worldFor(world, scenario, outcomes.at(-1) ?? null)
      const outcome = await killPoint(world, scenario, at, turn % 2 === 0 ? 'group' : 'daemon')
      outcomes.push(outcome)
      onOutcome(outcome)
    }
  } finally {
    if (world !== null) await closeWorld(world)
  }
  return outcomes
}

/** Looks at a scenario again where its tracer saw nothing: kills behind no call would show nothing. */
const looksMax = 3

const callsOf = async (scenario: Scenario, look = 1): Promise<number> => {
  const calls = (await runUnharmed(scenario)).length
  if (calls > 0) return calls
  if (look === looksMax) throw new Error(`no call of ${scenario.name} was seen: strace is blind here`)
  return callsOf(scenario, look + 1)
}

/**
 * Counts the calls of a scenario, then kills at `points` of them, in `lanes` worlds beside each other. Every second
 * kill leaves the children of the daemon alive.
 */
export const campaign = async (
  scenario: Scenario,
  points: number,
  options: CampaignOptions,
): Promise<Campaign> => {
  const { lanes } = options
  const calls = await callsOf(scenario)
  const all = orderWidely(spreadPoints(calls, points)).map(
    (at, turn) => [at, Math.floor(turn / lanes)] as const,
  )
  const outcomes = await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      strikeEach(
        scenario,
        all.filter((_point, at) => at % lanes === lane),
        options,
      ),
    ),
  )
  return { scenario: scenario.name, calls, outcomes: outcomes.flat() }
}
