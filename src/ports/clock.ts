/** Wall and monotonic time in milliseconds, handed in wherever time matters. */
export interface Clock {
  readonly nowMs: () => number
  readonly monotonicMs: () => number
}
