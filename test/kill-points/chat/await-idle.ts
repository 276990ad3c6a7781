const limitMs = 60_000
const pauseMs = 50

/** Asks until `isIdle`; false where the time is up. */
export const awaitIdle = async (isIdle: () => boolean | Promise<boolean>): Promise<boolean> => {
  const untilMs = performance.now() + limitMs
  for (;;) {
    if (await isIdle()) return true
    if (performance.now() > untilMs) return false
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}
