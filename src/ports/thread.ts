/** How a thread ended: by itself, by a throw that nobody caught, out of memory, or because it was told to. */
export type ThreadEnd = 'exit' | 'error' | 'memory' | 'told'

/** A thread that runs. `O` is told to it, `I` comes from it. */
export interface Thread<O> {
  readonly post: (message: O) => void
  /** Ends it, whatever it does; `ended` is told all the same. */
  readonly end: () => void
}

export interface ThreadEvents<I> {
  readonly said: (message: I) => void
  /** Once, last of all. `error` is what it threw. */
  readonly ended: (how: ThreadEnd, error: unknown) => void
}

export type OpenThread<O, I> = (events: ThreadEvents<I>) => Thread<O>
