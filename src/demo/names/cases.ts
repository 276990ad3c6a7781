/** The seven cases in the order of school grammar, from mianownik to wołacz. */
export const grammarCases = ['nom', 'gen', 'dat', 'acc', 'ins', 'loc', 'voc'] as const
export type GrammarCase = (typeof grammarCases)[number]

export type Forms = Readonly<Record<GrammarCase, string>>

/** What an adjective and a verb agree with; `person` and `thing` are masculine, `plural` is of things. */
export type Gender = 'person' | 'thing' | 'feminine' | 'neuter' | 'plural'

/** A name in all its cases. */
export interface Paradigm {
  readonly gender: Gender
  readonly forms: Forms
}

export const forms = (
  nom: string,
  gen: string,
  dat: string,
  acc: string,
  ins: string,
  loc: string,
  voc: string,
): Forms => ({ nom, gen, dat, acc, ins, loc, voc })

/** Applies `f` to each form. */
export const mapForms = (of: Forms, f: (form: string, at: GrammarCase) => string): Forms =>
  forms(
    f(of.nom, 'nom'),
    f(of.gen, 'gen'),
    f(of.dat, 'dat'),
    f(of.acc, 'acc'),
    f(of.ins, 'ins'),
    f(of.loc, 'loc'),
    f(of.voc, 'voc'),
  )
