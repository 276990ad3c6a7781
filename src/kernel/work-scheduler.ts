import { type Fifo, makeFifo } from './actor/fifo.js'
import { realClock } from './time/clock.js'
import { callNextTurn } from './time/loop-turn.js'

/** Work that pauses at each step, such as sliced work. */
export type Steps<A> = Iterator<unknown, A, undefined>

/** What a scheduler takes of the event loop. */
export interface Loop {
  readonly monotonicMs: () => number
  /** Runs a function in the next turn of the loop, behind its timers, input and output. */
  readonly nextTurn: (run: () => void) => void
}

/**
 * Divides the time of one event loop. All long work of the process together has one budget in each turn of the
 * loop. Callers take turns, and so do the pieces of work of one caller, so that neither many callers nor much work
 * of one lengthens a turn. Work that finds time left begins at once.
 */
export interface WorkScheduler {
  /**
   * Calls `start` at once where the turn has time left, and returns what it returns. Otherwise calls it when the
   * caller has its turn, and asks only then who that is.
   */
  readonly enter: <A>(callerOf: () => string, start: () => A | Promise<A>) => A | Promise<A>
  /**
   * Runs work to its end and returns its result. Where work is left after its first slice, waits for `afterFirst`
   * before it goes on. Rejects with what the work throws, or with what `afterFirst` rejects with; the work
   * then runs no further.
   */
  readonly run: <A>(caller: string, work: Steps<A>, afterFirst?: () => Promise<void>) => Promise<A>
  /**
   * A function that an asynchronous loop awaits between its steps. It waits for a turn of the caller once the loop
   * has used up its slice of time; otherwise it costs one reading of the clock.
   */
  readonly breather: (caller: string) => () => Promise<void>
}

export interface WorkLimits {
  /** Time of all work in one turn of the loop. */
  readonly turnMs: number
  /** Time of one piece of work until the next caller has its turn. */
  readonly sliceMs: number
}

export const workLimits: WorkLimits = { turnMs: 10, sliceMs: 2 }

/** The caller of the work that the daemon does by itself: converges, snapshots, indexes, writes to the checkout. */
export const daemonWork = 'daemon'

export const openWorkScheduler = (loop: Loop, limits: WorkLimits = workLimits): WorkScheduler => {
  const { monotonicMs } = loop
  const turns = openTurns(loop, limits)
  return {
    enter: (callerOf, start) =>
      turns.hasTime()
        ? turns.now(start)
        : new Promise((resolve, reject) => {
            turns.wait(callerOf(), () => {
              try {
                resolve(start())
              } catch (error) {
                reject(error instanceof Error ? error : new Error(String(error)))
              }
              return 'done'
            })
          }),
    run: (caller, work, afterFirst) => runPieces(turns, loop, caller, work, afterFirst),
    breather: caller => {
      let untilMs = monotonicMs() + limits.sliceMs
      return async () => {
        if (monotonicMs() < untilMs) return
        const grantedMs = await new Promise<number>(resolve =>
          turns.wait(caller, sliceEndMs => {
            const restMs = sliceEndMs - monotonicMs()
            // The loop goes on when this turn has returned, so its slice counts before it is used.
            turns.reserve(restMs)
            resolve(restMs)
            return 'done'
          }),
        )
        untilMs = monotonicMs() + grantedMs
      }
    },
  }
}

/**
 * A loop whose turns of work wait until no connection was accepted in the turn before, `acceptMsMax` at most. Node
 * accepts one connection of a listener in each turn, so behind turns that are full of work a connection waits as
 * many of them as there are connections before it.
 */
export const openAcceptingLoop = ({
  monotonicMs,
  nextTurn,
}: Loop): Loop & { readonly accepted: () => void } => {
  let hasAccepted = false
  return {
    monotonicMs,
    nextTurn: run => {
      let sinceMs: number | null = null
      const turn = (): void => {
        sinceMs ??= monotonicMs()
        const isWaiting = hasAccepted && monotonicMs() - sinceMs < acceptMsMax
        hasAccepted = false
        if (isWaiting) nextTurn(turn)
        else run()
      }
      nextTurn(turn)
    },
    accepted: () => {
      hasAccepted = true
    },
  }
}

/** The most time in which connections alone are accepted before a turn of work. */
const acceptMsMax = 30

const processLoop = openAcceptingLoop({ monotonicMs: realClock.monotonicMs, nextTurn: callNextTurn })

/** Notes that the process has accepted a connection: others may wait behind it. */
export const noteConnection = processLoop.accepted

const openTurns = ({ monotonicMs, nextTurn }: Loop, { turnMs, sliceMs }: WorkLimits): Turns => {
  /** The waiting pieces, by callers in the order of their turns. */
  const waiting = new Map<string, Fifo<Piece>>()
  let usedMs = 0
  let isTurnAhead = false
  /** The end of the slice that runs now; null between slices. */
  let runsUntilMs: number | null = null

  const expectTurn = (): void => {
    if (isTurnAhead) return
    isTurnAhead = true
    nextTurn(takeTurn)
  }
  const wait = (caller: string, piece: Piece): void => {
    const line = waiting.get(caller) ?? makeFifo<Piece>()
    line.push(piece)
    waiting.set(caller, line)
    expectTurn()
  }
  const now: Turns['now'] = slice => {
    if (runsUntilMs !== null) return slice(runsUntilMs)
    expectTurn()
    const beganMs = monotonicMs()
    const restMs = turnMs - usedMs
    runsUntilMs = beganMs + (waiting.size === 0 ? restMs : Math.min(sliceMs, restMs))
    try {
      return slice(runsUntilMs)
    } finally {
      runsUntilMs = null
      usedMs += monotonicMs() - beganMs
    }
  }
  const takeTurn = (): void => {
    isTurnAhead = false
    usedMs = 0
    for (const [caller, line] of waiting) {
      waiting.delete(caller)
      const piece = line.shift()
      if (line.size() > 0) waiting.set(caller, line)
      const end = piece === undefined ? 'done' : now(piece)
      if (piece !== undefined && end === 'left') wait(caller, piece)
      if (usedMs >= turnMs) break
    }
    if (waiting.size > 0) expectTurn()
  }
  return {
    hasTime: () => runsUntilMs !== null || usedMs < turnMs,
    now,
    wait,
    reserve: ms => {
      usedMs += ms
    },
  }
}

/** Work as a piece that the scheduler runs, with the promise of its result. */
const runPieces = <A>(
  { hasTime, now, wait }: Turns,
  { monotonicMs }: Loop,
  caller: string,
  work: Steps<A>,
  afterFirst: (() => Promise<void>) | undefined,
): Promise<A> =>
  new Promise((resolve, reject) => {
    const fail = (error: unknown): 'done' => {
      reject(error instanceof Error ? error : new Error(String(error)))
      return 'done'
    }
    let isFirst = afterFirst !== undefined
    const piece: Piece = untilMs => {
      try {
        for (;;) {
          const step = work.next()
          if (step.done === true) {
            resolve(step.value)
            return 'done'
          }
          if (monotonicMs() >= untilMs) break
        }
      } catch (error) {
        return fail(error)
      }
      if (!isFirst || afterFirst === undefined) return 'left'
      isFirst = false
      Promise.resolve()
        .then(afterFirst)
        .then(() => wait(caller, piece), fail)
      return 'done'
    }
    if (!hasTime() || now(piece) === 'left') wait(caller, piece)
  })

/** The scheduler of the loop that this module is loaded in: that of the process, or that of a reader thread. */
export const loopWork = openWorkScheduler(processLoop)

/** Runs work of the daemon itself. */
export const runDaemonWork = <A>(work: Steps<A>): Promise<A> => loopWork.run(daemonWork, work)

/** A breather of the daemon itself, for loops that read or wait between their steps. */
export const daemonBreather = (): (() => Promise<void>) => loopWork.breather(daemonWork)

/** One piece of work. Works until a time, and returns whether work is left. */
type Piece = (untilMs: number) => 'left' | 'done'

/** The turns of a loop: which piece of work runs when. */
interface Turns {
  readonly hasTime: () => boolean
  /** Runs one slice of time now. A slice inside another one, such as that of a request, is a part of it. */
  readonly now: <A>(slice: (untilMs: number) => A) => A
  /** Runs a piece in the next turn of its caller. */
  readonly wait: (caller: string, piece: Piece) => void
  /** Counts time that work will use behind this turn. */
  readonly reserve: (ms: number) => void
}
