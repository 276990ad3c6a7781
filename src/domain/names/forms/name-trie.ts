import { hashSlots, numberList, words32 } from './growable.js'

/**
 * Names as paths of word numbers. A name ends at a node; several may end at one (`Torek-Zdrojek`, `Torek Zdrojek`).
 * Names as written and computed names of a node are apart, so that thousands of the one hide none of the other.
 */
export interface NameTrie {
  readonly root: number
  readonly size: () => number
  /** The node after one more word; -1 when no name continues so. */
  readonly step: (node: number, word: number) => number
  /** Adds the path of `words` with a value at its end. */
  readonly add: (words: ReadonlyArray<number>, value: number, isComputed: boolean) => void
  /** Whether a name ends at the node. */
  readonly isEnd: (node: number) => boolean
  /** The last `max` values of one kind at the node, in the order in which they were added. */
  readonly valuesAt: (node: number, isComputed: boolean, max: number) => ReadonlyArray<number>
}

const pairHash = (node: number, word: number): number => {
  let hash = Math.imul(node, 0x9e3779b1) ^ Math.imul(word + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

const nothing: ReadonlyArray<number> = []

export const makeNameTrie = (): NameTrie => {
  const slots = hashSlots()
  const [parents, words] = [numberList(words32), numberList(words32)]
  // Values of a node as two lists of links, as written and computed; 0 ends a list.
  const [written, computed] = [numberList(words32), numberList(words32)]
  const [values, next] = [numberList(words32), numberList(words32)]
  const addNode = (parent: number, word: number): number => {
    parents.push(parent)
    words.push(word)
    written.push(0)
    computed.push(0)
    return parents.length - 1
  }
  const root = addNode(0, 0)
  values.push(0)
  next.push(0)
  const step = (node: number, word: number): number =>
    slots.find(pairHash(node, word), child => parents.at(child) === node && words.at(child) === word)

  const stepOrAdd = (node: number, word: number): number => {
    const known = step(node, word)
    if (known >= 0) return known
    const child = addNode(node, word)
    slots.add(pairHash(node, word), child)
    return child
  }

  const collect = (start: number, max: number): ReadonlyArray<number> => {
    const found: Array<number> = []
    for (let link = start; link !== 0 && found.length < max; link = next.at(link)) found.push(values.at(link))
    return found.reverse()
  }

  return {
    root,
    size: () => parents.length,
    step,
    add: (path, value, isComputed) => {
      const node = path.reduce(stepOrAdd, root)
      const first = isComputed ? computed : written
      values.push(value)
      next.push(first.at(node))
      first.set(node, values.length - 1)
    },
    isEnd: node => written.at(node) !== 0 || computed.at(node) !== 0,
    valuesAt: (node, isComputed, max) => {
      const link = (isComputed ? computed : written).at(node)
      if (link === 0) return nothing
      if (next.at(link) === 0) return [values.at(link)]
      return collect(link, max)
    },
  }
}
