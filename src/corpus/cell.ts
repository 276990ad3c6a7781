/** A place that one actor fills and everybody reads without asking: the current snapshot (D7). Outlives the actor. */
export interface Cell<A> {
  readonly get: () => A | null
  readonly set: (value: A) => void
}

export const cell = <A>(): Cell<A> => {
  let held: A | null = null
  return {
    get: () => held,
    set: value => {
      held = value
    },
  }
}
