/**
 * Hands a value on, at once where it is there and else when its promise settles. A request that waits for nothing is
 * so answered in one turn of the loop, without a promise for each of its steps.
 */
export const whenReady = <A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> =>
  value instanceof Promise ? value.then(next) : next(value)
