import type { Cancel, KernelClock } from '#src/kernel/time/clock.js'
import { nextLoopTurn } from '#src/kernel/time/loop-turn.js'

/** A clock for tests: time does not pass until `advance` moves it from timer to timer. */
export interface VirtualClock extends KernelClock {
  /**
   * Runs every timer due in the next `ms`, in order of time, then of arming. Awaits `settle` after each: pass
   * `Kernel.settle`, which waits until only timers remain; by default one turn of the loop.
   */
  readonly advance: (ms: number, settle?: () => Promise<void>) => Promise<void>
  /** Milliseconds to the next live timer, or null. */
  readonly nextMs: () => number | null
}

export const virtualClock = (startMs: number): VirtualClock => {
  const heap: Timer[] = []
  let elapsedMs = 0
  let order = 0
  const dropDead = (): Timer | undefined => {
    while (heap[0] !== undefined && !heap[0].live) pop(heap)
    return heap[0]
  }
  const after = (delayMs: number, run: () => void): Cancel => {
    order += 1
    const timer: Timer = { dueMs: elapsedMs + Math.max(delayMs, 0), order, run, live: true }
    push(heap, timer)
    return () => {
      timer.live = false
    }
  }
  const advance = async (ms: number, settle: () => Promise<void> = nextLoopTurn): Promise<void> => {
    const untilMs = elapsedMs + ms
    await settle()
    for (let next = dropDead(); next !== undefined && next.dueMs <= untilMs; next = dropDead()) {
      pop(heap)
      next.live = false
      elapsedMs = next.dueMs
      next.run()
      await settle()
    }
    elapsedMs = untilMs
  }
  return {
    nowMs: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    after,
    advance,
    nextMs: () => {
      const next = dropDead()
      return next === undefined ? null : next.dueMs - elapsedMs
    },
  }
}

interface Timer {
  readonly dueMs: number
  readonly order: number
  readonly run: () => void
  live: boolean
}

const before = (a: Timer, b: Timer): boolean =>
  a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order)

const push = (heap: Timer[], timer: Timer): void => {
  let at = heap.push(timer) - 1
  while (at > 0) {
    const up = (at - 1) >> 1
    const parent = heap[up]
    if (parent === undefined || !before(timer, parent)) break
    heap[at] = parent
    at = up
  }
  heap[at] = timer
}

const pop = (heap: Timer[]): Timer | undefined => {
  const first = heap[0]
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return first
  let at = 0
  for (;;) {
    const left = heap[2 * at + 1]
    const right = heap[2 * at + 2]
    const least = right !== undefined && left !== undefined && before(right, left) ? right : left
    if (least === undefined || !before(least, last)) break
    heap[at] = least
    at = least === left ? 2 * at + 1 : 2 * at + 2
  }
  heap[at] = last
  return first
}
