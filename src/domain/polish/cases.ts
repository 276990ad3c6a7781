/**
 * The cases of a form as bits: the seven of the singular, then the seven of the plural. The names are those of
 * answers: `sg.gen`, `pl.loc`.
 */
export const nom = 1
export const gen = 2
export const dat = 4
export const acc = 8
export const ins = 16
export const loc = 32
export const voc = 64

/** The nominative, in either number: what a heading is written in. */
export const nominatives = nom | (nom << 7)
export const singularCases = (1 << 7) - 1
export const allCases = (1 << 14) - 1

/** The same cases of the plural. */
export const pluralOf = (cases: number): number => cases << 7

const numbers = ['sg', 'pl']
const names = ['nom', 'gen', 'dat', 'acc', 'ins', 'loc', 'voc']
const labels: ReadonlyArray<string> = numbers.flatMap(number => names.map(name => `${number}.${name}`))

/** The names of the cases in the order of school grammar, singular first. */
export const caseNames = (cases: number): ReadonlyArray<string> =>
  labels.filter((_, bit) => (cases & (1 << bit)) !== 0)
