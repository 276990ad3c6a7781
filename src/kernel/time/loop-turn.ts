/** Calls `run` in the next turn of the event loop, in which due timers, input and output have run before. */
export const callNextTurn = (run: () => void): void => void setImmediate(run)

/** Resolves after one turn of the event loop, in which due timers, input and output could run. */
export const nextLoopTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
