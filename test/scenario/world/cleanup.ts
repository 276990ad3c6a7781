/** What a world has begun and must end. */
export interface Cleanup {
  readonly add: (end: () => Promise<void> | void) => void
  /** Ends everything, the last addition first; rejects with the first failure after all were tried. */
  readonly run: () => Promise<void>
}

export const openCleanup = (): Cleanup => {
  const ends: Array<() => Promise<void> | void> = []
  return {
    add: end => void ends.push(end),
    run: async () => {
      const failures: Array<unknown> = []
      for (let end = ends.pop(); end !== undefined; end = ends.pop())
        try {
          await end()
        } catch (error) {
          failures.push(error)
        }
      if (failures.length > 0) throw failures[0]
    },
  }
}
