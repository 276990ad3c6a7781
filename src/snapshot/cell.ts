/** A place that one actor fills and everybody reads without asking: the current snapshot (D7). Outlives the actor. */
export interface Cell<A> {
  readonly get: () => A | null
  readonly set: (value: A) => void
  /** Runs whenever the cell was filled, at once. It must not throw. */
  readonly watch: (watcher: () => void) => void
}

export const cell = <A>(): Cell<A> => {
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
