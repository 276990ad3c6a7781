import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import { isBudgeted, isRead, type Route } from '#protocol/route.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { WorkScheduler } from '#src/kernel/work-scheduler.js'
import { bearerTokenOf } from '../credentials/authenticate.js'

/** Whom a long read counts for, and how many of them may be under way. */
export interface ReadCaller {
  readonly key: string
  readonly underWayMax: number
}

/** The most long reads that are under way for a caller, and that wait in the line. */
export const readLimits = { person: 4, token: 8, waitingOfCaller: 64, waiting: 512 } as const

/** The most units of work of one request: about a second of a processor. */
export const requestUnitsMax = 1_000_000

/**
 * The caller that long reads count for: a person, whatever their token; the machine, a town or a named token
 * without a person; or the network of an anonymous client.
 */
export const readCallerOf = (
  caller: Caller,
  authorization: string | null,
  network: () => string,
): ReadCaller => {
  const person = caller.gracz ?? caller.gameId
  if (person !== null) return { key: `person ${person}`, underWayMax: readLimits.person }
  if (caller.kind === 'anonymous') return { key: `network ${network()}`, underWayMax: readLimits.person }
  return { key: `token ${bearerTokenOf(authorization) ?? ''}`, underWayMax: readLimits.token }
}

/** The places of the long reads of a host. */
export interface ReadPlaces {
  /** Takes a place if the caller has a free one and none of its reads waits; otherwise null. */
  readonly take: (caller: ReadCaller) => Release | null
  /**
   * Waits in the caller's line for a place. Refuses at once where a line is full. Resolves to null once the request
   * is no longer wanted.
   */
  readonly wait: (
    caller: ReadCaller,
    isWanted: () => boolean,
  ) => Either<RefusalOf<'Overloaded'>, Promise<Release | null>>
}

/** Opens the places of a host. Each caller has its own, so that a read waits for reads of its own caller alone. */
export const openReadPlaces = (): ReadPlaces => {
  const lanes = new Map<string, Lane>()
  const countWaiting = (): number => [...lanes.values()].reduce((sum, lane) => sum + lane.waiting.length, 0)
  const laneOf = ({ key }: ReadCaller): Lane => {
    const known = lanes.get(key)
    if (known !== undefined) return known
    const lane: Lane = { underWay: 0, waiting: [] }
    lanes.set(key, lane)
    return lane
  }
  /** Removes the requests whose clients have left. */
  const dropUnwanted = (lane: Lane): void => {
    const gone = lane.waiting.filter(one => !one.isWanted())
    if (gone.length === 0) return
    lane.waiting = lane.waiting.filter(one => !gone.includes(one))
    for (const one of gone) one.admit(null)
  }
  const begin = (caller: ReadCaller, lane: Lane): Release => {
    lane.underWay += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      lane.underWay -= 1
      admitNext(caller, lane)
    }
  }
  const admitNext = (caller: ReadCaller, lane: Lane): void => {
    dropUnwanted(lane)
    const [first, ...others] = lane.waiting
    if (first !== undefined && lane.underWay < caller.underWayMax) {
      lane.waiting = others
      first.admit(begin(caller, lane))
    }
    if (lane.underWay === 0 && lane.waiting.length === 0) lanes.delete(caller.key)
  }
  const take: ReadPlaces['take'] = caller => {
    const lane = laneOf(caller)
    return lane.underWay < caller.underWayMax && lane.waiting.length === 0 ? begin(caller, lane) : null
  }
  return {
    take,
    wait: (caller, isWanted) => {
      const taken = take(caller)
      if (taken !== null) return right(Promise.resolve(taken))
      const lane = laneOf(caller)
      if (lane.waiting.length >= readLimits.waitingOfCaller) dropUnwanted(lane)
      if (countWaiting() >= readLimits.waiting) for (const one of lanes.values()) dropUnwanted(one)
      if (lane.waiting.length >= readLimits.waitingOfCaller) return left(refuse('Overloaded', full.caller))
      if (countWaiting() >= readLimits.waiting) return left(refuse('Overloaded', full.all))
      return right(
        new Promise<Release | null>(admit => {
          lane.waiting = [...lane.waiting, { isWanted, admit }]
        }),
      )
    },
  }
}

/** Thrown out of the work of a request that does not go on: it is refused, or its client has left (null). */
export class WorkStopped extends Error {
  constructor(readonly refusal: Refusal | null) {
    super('the work of a request was stopped')
  }
}

/** Thrown out of the work of a request that has a place and goes on in a reader thread. */
export class WorkMoved extends Error {}

/** The 422 for a request with more work than it may take; it is the same on every host. */
export const refuseWork = (row: Route): RefusalOf<'TooMuchWork'> => {
  const narrow = narrowedBy(row)
  const parts = narrow.length === 0 ? 'what it asks for' : narrow.map(one => `\`${one}\``).join(', ')
  const detail = `The request takes more than ${requestUnitsMax} units of work. Narrow ${parts}.`
  return refuse('TooMuchWork', detail, { unitsMax: requestUnitsMax, narrow })
}

/**
 * Bounds work by its row: it stops with `WorkStopped` at the first pause after its client has left, or once the
 * request took more units than it may take.
 */
export const boundWork = (row: Route, isWanted: () => boolean): (<A>(work: Sliced<A>) => Sliced<A>) => {
  const unitsLeft = isBudgeted(row) ? requestUnitsMax : Number.POSITIVE_INFINITY
  const budget: WorkBudget = { row, isWanted, unitsLeft }
  return work => boundSteps(budget, work)
}

export type RunWork = <A>(work: Sliced<A>) => Promise<A>

/** The work of one request. */
export interface RequestWork {
  /** Runs work of the request in its turns. Rejects with `WorkStopped` where it does not go on. */
  readonly run: RunWork
  /** Like `run`, but rejects with `WorkMoved` where work is left after the first turn, once it has a place. */
  readonly runFirstTurn: RunWork
  /**
   * Takes a place among the long reads of the caller, unless the request has one, and waits for it. Throws
   * `WorkStopped` at once where the line is full.
   */
  readonly hold: () => Promise<void>
  /** Takes a place if one is free; returns whether the request has one. */
  readonly tryHold: () => boolean
  /** Frees the place of the request. */
  readonly release: () => void
}

/**
 * The work of a request in turns with that of others. A read takes a place once work is left after its first turn,
 * and keeps it until its work has ended, also when its client has left before. A write has neither a place nor a
 * budget: the gate limits it.
 */
export const openRequestWork = ({
  row,
  places,
  scheduler,
  caller,
  isWanted,
}: {
  readonly row: Route
  readonly places: ReadPlaces
  readonly scheduler: Pick<WorkScheduler, 'run'>
  readonly caller: ReadCaller
  readonly isWanted: () => boolean
}): RequestWork => {
  let place: Promise<Release | null> | null = null
  const bound = boundWork(row, isWanted)
  const hold = (): Promise<void> => {
    if (place === null) {
      const admitted = places.wait(caller, isWanted)
      if (isLeft(admitted)) throw new WorkStopped(admitted.left)
      place = admitted.right
    }
    return place.then(release => {
      if (release === null) throw new WorkStopped(null)
    })
  }
  const holdAndMove = (): Promise<void> =>
    hold().then(() => {
      throw new WorkMoved()
    })
  return {
    run: isRead(row)
      ? work => scheduler.run(caller.key, bound(work), hold)
      : work => scheduler.run(caller.key, work),
    runFirstTurn: work => scheduler.run(caller.key, bound(work), holdAndMove),
    hold,
    tryHold: () => {
      const taken = place === null ? places.take(caller) : null
      if (taken !== null) place = Promise.resolve(taken)
      return place !== null
    },
    release: () => {
      void place?.then(release => release?.())
      place = null
    },
  }
}

type Release = () => void

interface WaitingRead {
  readonly isWanted: () => boolean
  readonly admit: (release: Release | null) => void
}

/** The long reads of one caller. */
interface Lane {
  underWay: number
  waiting: ReadonlyArray<WaitingRead>
}

const again = 'Send it again after the seconds of Retry-After.'
const full = {
  caller: `${readLimits.waitingOfCaller} long reads of this caller wait, the most of one caller. ${again}`,
  all: `${readLimits.waiting} long reads wait on this host, the most that may wait. ${again}`,
} as const

/** The parts of a request that a caller can make smaller, for the refusal of too much work. */
const narrowedBy = ({ narrow, longList, query }: Route): ReadonlyArray<string> =>
  narrow ?? (longList === undefined ? Object.keys(query) : [longList.field])

/** How much work a request may still take, and whether anybody waits for it. */
interface WorkBudget {
  readonly row: Route
  readonly isWanted: () => boolean
  unitsLeft: number
}

// One function for all requests: V8 keeps what belongs to a generator function of its own until a full collection.
const boundSteps = function* <A>(budget: WorkBudget, work: Sliced<A>): Sliced<A> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    budget.unitsLeft -= step.value ?? 0
    if (budget.unitsLeft < 0) throw new WorkStopped(refuseWork(budget.row))
    if (!budget.isWanted()) throw new WorkStopped(null)
    yield
  }
}
