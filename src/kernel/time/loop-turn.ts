/** Resolves after one turn of the event loop, in which due timers, input and output could run. */
export const nextLoopTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
