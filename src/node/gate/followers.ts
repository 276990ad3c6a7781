import type { TellProgress } from '#src/ports/records.js'

/** The receivers of a gate job's progress. Messages name them by id, because messages are data. */
export interface Followers {
  /** Runs work under the id of a follower; null where there is no follower. */
  readonly during: <A>(
    tell: TellProgress | undefined,
    work: (follower: string | null) => Promise<A>,
  ) => Promise<A>
  /** Reports progress to a follower; does nothing when its work has ended. */
  readonly tell: (follower: string, progress: Parameters<TellProgress>[0]) => void
}

/** A registry without followers. */
export const makeFollowers = (): Followers => {
  const all = new Map<string, TellProgress>()
  let count = 0
  return {
    during: async (tell, work) => {
      if (tell === undefined) return work(null)
      count += 1
      const id = `follower-${count}`
      all.set(id, tell)
      try {
        return await work(id)
      } finally {
        all.delete(id)
      }
    },
    tell: (follower, progress) => all.get(follower)?.(progress),
  }
}
