import type { MessagePort } from 'node:worker_threads'

/** How a thread ended: by itself, by an uncaught throw, out of memory, or because this process ended it. */
export type ThreadEnd = 'exit' | 'error' | 'memory' | 'told'

/** A running thread. `O` is the type of messages to it, `I` of messages from it. */
export interface Thread<O> {
  /** Sends a message; the ports in it are listed, and are no longer of this thread then. */
  readonly post: (message: O, ports?: ReadonlyArray<MessagePort>) => void
  /** Ends the thread, whatever it is doing; `ended` is still called. */
  readonly end: () => void
}

export interface ThreadEvents<I> {
  readonly said: (message: I) => void
  /** Called once, last. `error` is what the thread threw. */
  readonly ended: (how: ThreadEnd, error: unknown) => void
}

export type OpenThread<O, I> = (events: ThreadEvents<I>) => Thread<O>
