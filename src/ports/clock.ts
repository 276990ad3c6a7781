/** Wall and monotonic time in milliseconds. Code that needs time takes this as a parameter. */
export interface Clock {
  readonly nowMs: () => number
  readonly monotonicMs: () => number
}
