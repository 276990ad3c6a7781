/** Items that wait for the disk, in order, bounded by count and bytes. */
export interface Pending<A> {
  /** Returns false where it is full: the item is lost. `bytes` is about what the item takes on disk. */
  readonly add: (item: A, bytes: number) => boolean
  readonly takeAll: () => ReadonlyArray<A>
  readonly isEmpty: () => boolean
}

export const makePending = <A>(limits: { readonly items: number; readonly bytes: number }): Pending<A> => {
  let items: Array<A> = []
  let held = 0
  return {
    add: (item, bytes) => {
      if (items.length >= limits.items || held + bytes > limits.bytes) return false
      items.push(item)
      held += bytes
      return true
    },
    takeAll: () => {
      const taken = items
      items = []
      held = 0
      return taken
    },
    isEmpty: () => items.length === 0,
  }
}
