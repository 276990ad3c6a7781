/**
 * A value that one actor sets and everything else reads synchronously: the current snapshot (D7). It outlives
 * the actor.
 */
export interface Cell<A> {
  readonly get: () => A | null
  readonly set: (value: A) => void
  /** Registers a callback that `set` calls synchronously after each change. It must not throw. */
  readonly watch: (watcher: () => void) => void
}

/** A cell that holds null until the first `set`. */
export const makeCell = <A>(): Cell<A> => {
  let held: A | null = null
  const watchers: Array<() => void> = []
  return {
    get: () => held,
    set: value => {
      held = value
      for (const watcher of watchers) watcher()
    },
    watch: watcher => void watchers.push(watcher),
  }
}
