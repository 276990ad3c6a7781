/** The object store of a checkout. Its gits run at a low priority, and end within a limit. */
export interface ObjectStore {
  /** Counts the loose objects and their bytes on disk; null where git cannot tell. */
  readonly weigh: (
    signal: AbortSignal,
  ) => Promise<{ readonly objects: number; readonly bytes: number } | null>
  /** Packs the loose objects that a ref, a reflog or the index reaches, and removes no other object. */
  readonly pack: (signal: AbortSignal) => Promise<void>
  /** Runs `git gc --auto`, which never removes what a running write needs. */
  readonly collectGarbage: (signal: AbortSignal) => Promise<void>
}
