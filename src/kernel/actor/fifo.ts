/**
 * A queue with constant-time ends; `Array.shift` moves every item of an array of more than some ten thousand.
 */
export interface Fifo<A> {
  readonly push: (item: A) => void
  readonly unshift: (item: A) => void
  readonly shift: () => A | undefined
  readonly peek: () => A | undefined
  readonly size: () => number
  /** Removes and returns all items, oldest first. */
  readonly takeAll: () => ReadonlyArray<A>
}

const compactAt = 64

/** An empty queue. Taking from it costs constant time on average. */
export const makeFifo = <A>(): Fifo<A> => {
  let items: Array<A | undefined> = []
  let head = 0
  const shift = (): A | undefined => {
    if (head >= items.length) return undefined
    const item = items[head]
    items[head] = undefined
    head += 1
    if (head === items.length) {
      items = []
      head = 0
    } else if (head >= compactAt && head * 2 >= items.length) {
      items = items.slice(head)
      head = 0
    }
    return item
  }
  return {
    push: item => {
      items.push(item)
    },
    unshift: item => {
      items = [item, ...items.slice(head)]
      head = 0
    },
    shift,
    peek: () => items[head],
    size: () => items.length - head,
    takeAll: () => {
      const all: A[] = []
      for (let item = shift(); item !== undefined; item = shift()) all.push(item)
      return all
    },
  }
}
