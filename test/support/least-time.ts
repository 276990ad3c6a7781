/**
 * The least time on the wall that `ask` took, in ms: asked anew, `tries` times at most, while it is not below `barMs`. A
 * busy machine is slow now and then, what is slow by itself is so each time.
 */
export const leastMs = async (barMs: number, ask: () => Promise<unknown>, tries = 10): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < tries && least >= barMs; at += 1) {
    const startedMs = performance.now()
    await ask()
    least = Math.min(least, performance.now() - startedMs)
  }
  return least
}
