/** A priority queue: `pop` removes the least value. `push` and `pop` take logarithmic time. */
export interface Heap<A> {
  readonly peek: () => A | undefined
  readonly push: (value: A) => void
  readonly pop: () => A | undefined
}

/** An empty binary heap; `compare` is negative when its first argument comes first. */
export const makeHeap = <A>(compare: (one: A, other: A) => number): Heap<A> => {
  const values: Array<A> = []

  const isBefore = (one: number, other: number): boolean => {
    const [left, right] = [values[one], values[other]]
    return left !== undefined && right !== undefined && compare(left, right) < 0
  }
  const swap = (one: number, other: number): void => {
    const [left, right] = [values[one], values[other]]
    if (left === undefined || right === undefined) return
    values[one] = right
    values[other] = left
  }
  const siftUp = (start: number): void => {
    let at = start
    for (let above = (at - 1) >> 1; at > 0 && isBefore(at, above); above = (at - 1) >> 1) {
      swap(at, above)
      at = above
    }
  }
  const siftDown = (): void => {
    let at = 0
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const least = isBefore(right, left) ? right : left
      if (!isBefore(least, at)) return
      swap(at, least)
      at = least
    }
  }

  return {
    peek: () => values[0],
    push: value => {
      values.push(value)
      siftUp(values.length - 1)
    },
    pop: () => {
      swap(0, values.length - 1)
      const least = values.pop()
      siftDown()
      return least
    },
  }
}
