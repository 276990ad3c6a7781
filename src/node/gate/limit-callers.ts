import { type Either, left } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Adopting } from '#src/ports/landing.js'
import type { TellProgress } from '#src/ports/records.js'
import type { Command, WritePort } from '#src/writing/command.js'

/** The most that one caller has without an answer. */
export const callerLimits = {
  /** A quarter of the queue of the gate, and as many as one batch holds. */
  writes: 64,
  /** Under way or in the line: a quarter of the line. */
  dryRuns: 16,
  /** Imports and reindexes together, dry runs of them included. */
  adoptions: 1,
} as const

/** The most dry runs of writes of all callers that are under way, and that wait in the line. */
export const dryRunLimits = { underWay: 4, waiting: 64 } as const

/** The limits of the calls of this host; they hold for the machine token too. */
export interface CallerLimiter {
  readonly limitWrites: (write: WritePort) => WritePort
  readonly limitAdoptions: <R>(adopt: Adopting<R>) => Adopting<R | Overloaded>
}

/**
 * Refuses with `Overloaded` what exceeds a limit, so that one caller can neither fill the queue of the gate, nor
 * its mailbox, nor occupy the process with dry runs. A call counts until its work has ended, even if its caller
 * has left: a caller gains nothing by closing connections.
 */
export const limitCallers = (): CallerLimiter => {
  const [writes, dryRuns, adoptions] = [limitEach('writes'), limitEach('dryRuns'), limitEach('adoptions')]
  const inLine = openLine()
  return {
    limitWrites: write => (command, isCallerThere) => {
      const work = () => write(command, isCallerThere)
      const caller = callerKeyOf(command)
      return command.dryRun ? dryRuns(caller, () => inLine(work)) : writes(caller, work)
    },
    limitAdoptions: adopt => (dryRun, origin, claimed, follow) => {
      const caller = callerKeyOf({ actor: origin.actor, asker: claimed.asker })
      return adoptions(caller, () => adopt(dryRun, origin, claimed, follow))
    },
  }
}

/** The receivers of a gate job's progress. Messages name them by id, because messages are data. */
export interface Followers {
  /** Runs work under the id of a follower; null where there is no follower. */
  readonly during: <A>(
    tell: TellProgress | undefined,
    work: (follower: string | null) => Promise<A>,
  ) => Promise<A>
  /** Reports progress to a follower; does nothing when its work has ended. */
  readonly tell: (follower: string, progress: Parameters<TellProgress>[0]) => void
}

/** A registry without followers. */
export const makeFollowers = (): Followers => {
  const all = new Map<string, TellProgress>()
  let count = 0
  return {
    during: async (tell, work) => {
      if (tell === undefined) return work(null)
      count += 1
      const id = `follower-${count}`
      all.set(id, tell)
      try {
        return await work(id)
      } finally {
        all.delete(id)
      }
    },
    tell: (follower, progress) => all.get(follower)?.(progress),
  }
}

type Overloaded = RefusalOf<'Overloaded'>

const again = 'so nothing was written. Send it again after the seconds of Retry-After.'

const refusals = {
  writes: `${callerLimits.writes} writes of this caller wait for the write gate, the most of one caller, ${again}`,
  dryRuns: `${callerLimits.dryRuns} dry runs of this caller have no answer yet, the most of one caller, ${again}`,
  adoptions: `An import or a reindex of this caller has no answer yet, and one caller may have one, ${again}`,
  line: `${dryRunLimits.waiting} dry runs are waiting, the most that may wait, ${again}`,
} as const

const refuseFor = (reason: keyof typeof refusals) => left(refuse('Overloaded', refusals[reason]))

/** The key by which calls are limited: the person, whatever their token, otherwise the token. */
const callerKeyOf = ({ actor, asker }: Pick<Command, 'actor' | 'asker'>): string => {
  if (actor.gracz !== null) return `gracz ${actor.gracz}`
  return asker._tag === 'Bearer' ? `token ${asker.token}` : asker._tag
}

type Work<E, A> = () => Promise<Either<E, A>>

/** Runs work of a caller who has room for it. */
type Limit = <E, A>(caller: string, work: Work<E, A>) => Promise<Either<E | Overloaded, A>>

const limitEach = (what: keyof typeof callerLimits): Limit => {
  const counts = new Map<string, number>()
  const add = (caller: string, count: number): void => {
    const next = (counts.get(caller) ?? 0) + count
    if (next === 0) counts.delete(caller)
    else counts.set(caller, next)
  }
  return async (caller, work) => {
    if ((counts.get(caller) ?? 0) >= callerLimits[what]) return refuseFor(what)
    add(caller, 1)
    try {
      return await work()
    } finally {
      add(caller, -1)
    }
  }
}

/** Runs at most `underWay` dry runs at once; others wait in arrival order, at most `waiting` of them. */
const openLine = () => {
  let underWay = 0
  const line: Array<() => void> = []
  return async <E, A>(work: Work<E, A>): Promise<Either<E | Overloaded, A>> => {
    if (underWay < dryRunLimits.underWay) underWay += 1
    else if (line.length >= dryRunLimits.waiting) return refuseFor('line')
    // The dry run that ends hands its place over, so a newer one cannot take it first.
    else await new Promise<void>(resolve => line.push(resolve))
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next === undefined) underWay -= 1
      else next()
    }
  }
}
