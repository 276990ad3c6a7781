import type { LemmaOffsets } from './lemma-sidecar.js'

/** The most forms of one lexicon; those of later texts are left out. */
const formsMax = 100_000

const isPlain = (text: string): boolean => text !== '' && !/[\t\r\n#]/u.test(text)

/** The forms with their lemmas that sidecars state, as lines of `lematy.tsv`, sorted. */
export const lexiconText = (
  sidecars: ReadonlyArray<{ readonly forms: ReadonlyMap<string, string>; readonly offsets: LemmaOffsets }>,
): string => {
  const lines = new Set<string>()
  for (const { forms } of sidecars)
    for (const [form, lemma] of forms)
      if (lines.size < formsMax && isPlain(form) && isPlain(lemma)) lines.add(`${form}\t${lemma}\n`)
  return [...lines].sort().join('')
}
