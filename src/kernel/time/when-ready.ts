/**
 * Passes a value on: at once where it is there, otherwise when its promise resolves. A request that waits for
 * nothing is thus answered in one turn of the loop, without a promise for each step.
 */
export const whenReady = <A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> =>
  value instanceof Promise ? value.then(next) : next(value)
