import { type Sliced } from '#src/domain/slicing/sliced.js'
import { sortInSlices } from '#src/domain/slicing/sort-in-slices.js'

/** The lemma of a word by where it starts, in UTF-16 units of the text without its BOM. */
export interface LemmaOffsets {
  readonly get: (start: number) => string | undefined
}

export const noOffsets: LemmaOffsets = { get: () => undefined }

/** Numbers of lemmas by the starts of their words, eight bytes a word. `starts` is sorted. It can be cloned. */
export interface LemmaTable {
  readonly starts: Uint32Array
  readonly numbers: Uint32Array
  readonly lemmas: ReadonlyArray<string>
}

export const offsetsOfTable = ({ starts, numbers, lemmas }: LemmaTable): LemmaOffsets => ({
  get: start => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((starts[middle] ?? 0) <= start) low = middle + 1
      else high = middle
    }
    return low > 0 && starts[low - 1] === start ? lemmas[numbers[low - 1] ?? 0] : undefined
  },
})

/** Collects lemmas of one text; of two at the same start the last counts. */
export interface OffsetsMaker {
  readonly add: (start: number, lemma: string) => void
  readonly make: () => Sliced<LemmaTable>
}

const startMax = 0xffff_ffff

export const makeOffsets = (): OffsetsMaker => {
  const starts: Array<number> = []
  const numbers: Array<number> = []
  const numberOf = new Map<string, number>()
  let isSorted = true
  return {
    add: (start, lemma) => {
      if (!Number.isInteger(start) || start < 0 || start > startMax) return
      isSorted &&= start >= (starts.at(-1) ?? 0)
      const number = numberOf.get(lemma) ?? numberOf.size
      numberOf.set(lemma, number)
      starts.push(start)
      numbers.push(number)
    },
    make: function* () {
      const lemmas = [...numberOf.keys()]
      if (isSorted) return { starts: Uint32Array.from(starts), numbers: Uint32Array.from(numbers), lemmas }
      const order = yield* sortInSlices(
        [...starts.keys()],
        (one, other) => (starts[one] ?? 0) - (starts[other] ?? 0),
      )
      const inOrder = (values: ReadonlyArray<number>): Uint32Array =>
        Uint32Array.from(order, at => values[at] ?? 0)
      return { starts: inOrder(starts), numbers: inOrder(numbers), lemmas }
    },
  }
}
