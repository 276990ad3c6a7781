/** A list of whole numbers in a typed array, which doubles when it is full. */
export interface NumberList {
  readonly length: number
  readonly at: (index: number) => number
  readonly push: (value: number) => void
  readonly set: (index: number, value: number) => void
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array

const grow = <A extends Numbers>(all: A, make: (length: number) => A): A => {
  const next = make(all.length * 2)
  next.set(all)
  return next
}

/** An empty list whose numbers fit the array that `make` returns. */
export const numberList = (make: (length: number) => Numbers): NumberList => {
  let all = make(64)
  let length = 0
  return {
    get length() {
      return length
    },
    at: index => all[index] ?? 0,
    push: value => {
      if (length === all.length) all = grow(all, make)
      all[length] = value
      length += 1
    },
    set: (index, value) => {
      all[index] = value
    },
  }
}

export const bytes = (length: number): Uint8Array => new Uint8Array(length)
export const words16 = (length: number): Uint16Array => new Uint16Array(length)
export const words32 = (length: number): Uint32Array => new Uint32Array(length)

/** A multimap from hashes to entry numbers, with open addressing. It compares hashes; the caller compares keys. */
export interface HashSlots {
  readonly add: (hash: number, entry: number) => void
  /** The first entry with this hash for which `isMatch` returns true; -1 without one. */
  readonly find: (hash: number, isMatch: (entry: number) => boolean) => number
}

const hashPart = (): HashSlots => {
  let slots = new Int32Array(64)
  let hashes = new Uint32Array(64)
  let count = 0
  const put = (hash: number, value: number): void => {
    const mask = slots.length - 1
    let at = hash & mask
    while (slots[at] !== 0) at = (at + 1) & mask
    slots[at] = value
    hashes[at] = hash
  }
  const double = (): void => {
    const [oldSlots, oldHashes] = [slots, hashes]
    slots = new Int32Array(oldSlots.length * 2)
    hashes = new Uint32Array(oldSlots.length * 2)
    for (let at = 0; at < oldSlots.length; at += 1) {
      const value = oldSlots[at] ?? 0
      if (value !== 0) put(oldHashes[at] ?? 0, value)
    }
  }
  return {
    add: (hash, entry) => {
      if (count * 3 >= slots.length * 2) double()
      put(hash, entry + 1)
      count += 1
    },
    find: (hash, isMatch) => {
      const mask = slots.length - 1
      for (let at = hash & mask; ; at = (at + 1) & mask) {
        const value = slots[at] ?? 0
        if (value === 0) return -1
        if (hashes[at] === hash && isMatch(value - 1)) return value - 1
      }
    },
  }
}

export const hashSlots = (): HashSlots => {
  // Sixteen parts, so that none takes long when it doubles.
  const parts = Array.from({ length: 16 }, hashPart)
  const partOf = (hash: number): HashSlots => parts[hash >>> 28] ?? hashPart()
  return {
    add: (hash, entry) => partOf(hash).add(hash, entry),
    find: (hash, isMatch) => partOf(hash).find(hash, isMatch),
  }
}
