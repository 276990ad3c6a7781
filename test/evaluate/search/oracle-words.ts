import {
  adjective,
  feminine,
  feminineConsonant,
  grammarCases,
  masculine,
  neuter,
  type Paradigm,
  past,
} from '#src/demo/names/grammar.js'
import {
  arrival,
  chase,
  council,
  deal,
  discovery,
  ending,
  fight,
  inquiry,
  night,
  rite,
  road,
  type Scene,
  talk,
} from '#src/demo/prose/scenes.js'
import type { TemplatePart } from '#src/demo/template.js'

/**
 * Words that the demo's own grammar inflects, all in lower case: the forms of a lemma, and the lemmas of a form. It is
 * independent of the grammar that search uses.
 */
export interface OracleWords {
  readonly formsOf: ReadonlyMap<string, ReadonlySet<string>>
  readonly lemmasOf: ReadonlyMap<string, ReadonlySet<string>>
}

const list = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/u)

const nouns: ReadonlyArray<Paradigm> = [
  ...list(`kowal kupiec strażnik zielarz rybak kapłan żeglarz medyk karczmarz pisarz kurier młynarz flisak snycerz
    świadek napastnik przewodnik gospodarz gość dłużnik`).map(nom => masculine(nom, 'person')),
  ...list('kamień koń kubek miesiąc korytarz cień').map(nom => masculine(nom, 'thing')),
  ...list('trakt deszcz dźwięk ślad skarb spór trop marsz tłum dach bruk rejestr dzwon głos podpis kurz').map(
    nom => masculine(nom, 'thing', true),
  ),
  ...list(`droga sprawa brama rana rada godzina połowa zmiana rozmowa przysięga ucieczka zasadzka tajemnica karczma
    ściana sakwa zbroja tarcza mapa moneta umowa zapłata warta świeca narada woda wełna gałązka wstążka wskazówka
    nagroda chwila skóra cisza`).map(nom => feminine(nom)),
  ...list('skrzynia kłótnia ziemia').map(nom => feminine(nom, true)),
  ...list('noc pieczęć pamięć ciemność odpowiedź wieść').map(feminineConsonant),
  ...list('słowo wejście pytanie zdanie spotkanie miejsce kadzidło płótno zdumienie').map(neuter),
]

const adjectives =
  list(`stary pusty zamknięty szczery krótki długi mokry kwaśny złoty czarny wspólny ciężki jasny
  kamienny zły gorący suchy drugi`)

const scenes: ReadonlyArray<Scene> = [
  ...[chase, discovery, ending, fight, inquiry, arrival, night, road, council, deal, rite, talk],
]

const verbsOf = (part: TemplatePart): ReadonlyArray<string> =>
  part._tag === 'Verb' ? [part.verb] : part._tag === 'Choice' ? part.of.flat().flatMap(verbsOf) : []

/** The verbs of the demo's scenes, by the masculine of the past tense. */
const verbs = new Set(
  scenes.flatMap(({ open, next }) =>
    [...open, ...next].flatMap(sentence => sentence.template.flatMap(verbsOf)),
  ),
)

const obliqueCases = grammarCases.filter(one => one !== 'voc')

/** The words of a paradigm one by one: each with its forms, the frozen ones with a single form. */
const wordsOf = ({
  forms,
}: Paradigm): ReadonlyArray<readonly [lemma: string, forms: ReadonlyArray<string>]> => {
  const cut = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/\p{L}+/gu) ?? []
  const byCase = obliqueCases.map(one => cut(forms[one]))
  return cut(forms.nom).map((lemma, at) => [lemma, byCase.flatMap(words => words[at] ?? [])])
}

/** The oracle of a world whose names are these. */
export const oracleWords = (names: Iterable<ReadonlyArray<Paradigm>>): OracleWords => {
  const formsOf = new Map<string, Set<string>>()
  const lemmasOf = new Map<string, Set<string>>()
  const add = (lemma: string, forms: ReadonlyArray<string>): void => {
    for (const form of forms) {
      formsOf.set(lemma, (formsOf.get(lemma) ?? new Set()).add(form))
      lemmasOf.set(form, (lemmasOf.get(form) ?? new Set()).add(lemma))
    }
  }
  for (const paradigms of names)
    for (const paradigm of paradigms) for (const [lemma, forms] of wordsOf(paradigm)) add(lemma, forms)
  for (const paradigm of nouns) for (const [lemma, forms] of wordsOf(paradigm)) add(lemma, forms)
  for (const nom of adjectives)
    for (const gender of ['person', 'feminine', 'neuter', 'plural'] as const)
      add(
        nom,
        obliqueCases.map(one => adjective(nom, gender)[one]),
      )
  for (const verb of verbs)
    add(
      verb,
      (['person', 'feminine', 'neuter', 'plural'] as const).map(gender => past(verb, gender)),
    )
  return { formsOf, lemmasOf }
}
