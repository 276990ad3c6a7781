/** Resolves after the event loop has gone round once: timers that are due, input and output were let run. */
export const nextLoopTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
