/**
 * How sure it is that a word with that ending has the form: `sure` in its usual paradigm, `likely` in one that many
 * such words follow, `rare` in one that few follow.
 */
export const sure = 0
export const likely = 1
export const rare = 2
export type Rank = typeof sure | typeof likely | typeof rare

/** A form of a word. */
export interface WordForm {
  readonly form: string
  /** The cases in any paradigm, as bits (`cases.ts`). */
  readonly cases: number
  /** The cases without those of a paradigm that is rare where another one is sure. */
  readonly surestCases: number
  readonly rank: Rank
  /** Whether a sound of the stem changes (Elmira – Elmirze, Torek – Torka); else an ending is added or exchanged. */
  readonly isAltered: boolean
  /**
   * Whether it is a form of the name of somebody or something else, which grammar makes from this one: of the woman of
   * Kowalski, the man of Cicha and Adriana (docs/spec/names.md#gender).
   */
  readonly isOtherGender: boolean
}

/** Adds a form to the paradigm that is being built. */
export type AddForm = (form: string, cases: number, rank: Rank, isAltered?: boolean) => void

/** Collects forms: one entry for each text, with the cases of its surest paradigm first. */
export interface FormList {
  readonly add: AddForm
  /** Adds a form of the other gender. */
  readonly addOther: AddForm
  readonly forms: () => ReadonlyArray<WordForm>
}

const mergeForms = (one: WordForm, other: WordForm): WordForm => {
  const best = other.rank < one.rank ? other : one
  const isEqual = one.rank === other.rank
  return {
    form: one.form,
    cases: one.cases | other.cases,
    surestCases: Math.abs(one.rank - other.rank) > 1 ? best.surestCases : one.surestCases | other.surestCases,
    rank: best.rank,
    isAltered: isEqual ? one.isAltered && other.isAltered : best.isAltered,
    isOtherGender: one.isOtherGender && other.isOtherGender,
  }
}

export const makeFormList = (): FormList => {
  const byText = new Map<string, WordForm>()
  const put = (added: WordForm): void => {
    const known = byText.get(added.form)
    byText.set(added.form, known === undefined ? added : mergeForms(known, added))
  }
  return {
    add: (form, cases, rank, isAltered = false) =>
      put({ form, cases, surestCases: cases, rank, isAltered, isOtherGender: false }),
    addOther: (form, cases, rank, isAltered = false) =>
      put({ form, cases, surestCases: cases, rank, isAltered, isOtherGender: true }),
    forms: () => [...byText.values()],
  }
}

/** The less sure of two ranks. */
export const lessSure = (one: Rank, other: Rank): Rank => (one > other ? one : other)

/** Adds forms with a rank that is no surer than the given one. */
export const atMostAs =
  (given: Rank, add: AddForm): AddForm =>
  (form, cases, rank, isAltered) =>
    add(form, cases, lessSure(rank, given), isAltered)

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
