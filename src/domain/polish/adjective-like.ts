/** Stems of adjectives that names of places are made with and that no suffix shows. */
const stems: ReadonlySet<string> = new Set(
  `star now biał mał duż święt złot szar wielk dług głębok dzik cich wilcz smocz czerwon zielon żółt modr rud siw
  dobr zł młod krzyw ślep głuch niem łys chrom kulaw nisk wysok szerok wąsk płytk ciepł lodowat pust suchy such
  mokr doln orl krucz krwaw gorzk słodk słon tęg mądr bogat czart pierwsz drug trzec dębow`.split(/\s+/u),
)

const ending = /(?:i?e|i?a|[yi])$/u
/** Suffixes that make adjectives; -ina and -yna make nouns. */
const suffix = /(?:[^aeiouyąęó]n|sk|ck|dzk|ow|liw|yst|ist|ąc)$/u
const nouns = /(?:owi?e|owi|cie|ist[ay]|yst[ay]|ąc[ae]|[lr]nia|źnia)$/u

/**
 * Whether a word in lower case looks like an adjective in the nominative, which does not name anything by itself:
 * `czarna` of Czarna Wieża. Surnames in -ski and -cki look so too.
 */
export const isAdjectiveLike = (word: string): boolean => {
  if (!ending.test(word)) return false
  const stem = word.replace(ending, '')
  return stems.has(stem) || (suffix.test(stem) && !nouns.test(word))
}

/** Surnames of adjectival form: Morawińska, Zalewicki. */
export const isAdjectivalSurname = (word: string): boolean => /(?:sk|ck|dzk)[ia]$/u.test(word)
