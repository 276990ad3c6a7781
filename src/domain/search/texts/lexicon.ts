import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { sortInSlices } from '#src/domain/slicing/sort-in-slices.js'

/** The most forms of one lexicon; those of later texts are left out. */
export const lexiconFormsMax = 100_000

/** Whether a line of `lematy.tsv` can hold the text. */
export const isPlain = (text: string): boolean => text !== '' && !/[\t\r\n#]/u.test(text)

/** Forms with their lemmas as lines of `lematy.tsv`, in UTF-8. Both must be plain. */
export const lexiconLines = function* (forms: ReadonlyMap<string, string>): Sliced<Uint8Array> {
  const lines: Array<string> = []
  yield* forEachInSlices(forms, ([form, lemma]) => lines.push(`${form}\t${lemma}\n`))
  return Buffer.from(lines.join(''))
}

/** The lines of all sidecars, each once, sorted. */
export const lexiconText = function* (sidecars: Iterable<Uint8Array>): Sliced<string> {
  const lines = new Set<string>()
  for (const forms of sidecars) {
    if (lines.size >= lexiconFormsMax) break
    yield* forEachInSlices(Buffer.from(forms).toString('utf8').split('\n'), line => {
      if (line !== '' && lines.size < lexiconFormsMax) lines.add(`${line}\n`)
    })
  }
  const sorted = yield* sortInSlices([...lines], (one, other) => (one < other ? -1 : 1))
  return sorted.join('')
}
