/** At most `max` starts within any `windowMs`. */
export interface WindowRule {
  readonly max: number
  readonly windowMs: number
}

/** The starts that a window still counts, oldest first; never more than its `max`. */
export type Starts = ReadonlyArray<number>

/** The time from which one more call may start; 0 when it may now. */
export const freeAtMs = ({ max, windowMs }: WindowRule, starts: Starts): number => {
  const oldest = starts.at(-max)
  return oldest === undefined ? 0 : oldest + windowMs
}

/** The starts with one more; keeps only as many as the window allows. */
export const recordStart = ({ max }: WindowRule, starts: Starts, nowMs: number): Starts =>
  [...starts, nowMs].slice(-max)
