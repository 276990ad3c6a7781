import type { Change } from '../commit.js'
import type { WorldCast } from '../people/cast.js'
import { demoLemmas } from './lemma-table.js'

/** What the people of a town say instead of what grammar says, by the ending of its name. */
const habits: ReadonlyArray<{
  readonly ending: string
  readonly spoken: string
  /** Whether the form must not be taken for the name. */
  readonly isForbidden: boolean
}> = [
  { ending: 'ogród', spoken: 'ogroda', isForbidden: false },
  { ending: 'owice', spoken: 'owiców', isForbidden: false },
  { ending: 'opole', spoken: 'opoli', isForbidden: false },
  { ending: 'ów', spoken: 'ówie', isForbidden: true },
]

const formLines = (cast: WorldCast): ReadonlyArray<string> =>
  cast.places
    .filter(place => place.depth === 2)
    .flatMap(({ name }) =>
      habits
        .filter(({ ending }) => name.endsWith(ending))
        .map(({ ending, spoken, isForbidden }) => {
          const form = `${name.slice(0, -ending.length)}${spoken}`
          return `${isForbidden ? '!' : ''}${form}\t${name}\tLokacja`
        }),
    )

const titles = 'pan pani imć mistrz mistrzyni kapitan starosta brat siostra wuj ciotka'.split(' ')

/** Words whose stem changes so much that no rule of suffixes finds the lemma. */
const irregular: ReadonlySet<string> = new Set(
  'człowiek rok dzień dziecko ręka oko tydzień pies brat pieniądz iść nieść być mieć'.split(' '),
)

const textOf = (path: string, comment: string, lines: ReadonlyArray<string>): Change => ({
  path: `jezyk/${path}`,
  text: `${[`# ${comment}`, ...lines].join('\n')}\n`,
})

/** The language data of the lore, where `corpora.lang` is empty. */
export const languageFiles = (cast: WorldCast): ReadonlyArray<Change> => [
  textOf(
    'odmiany.tsv',
    'Forma, nagłówek, typ. Wykrzyknik przed formą: tej formy nikt nie używa.',
    formLines(cast),
  ),
  textOf('tytuly.txt', 'Słowa przed imieniem, które do niego nie należą.', titles),
  textOf(
    'lematy.tsv',
    'Forma, lemat.',
    [...demoLemmas].filter(([, lemma]) => irregular.has(lemma)).map(pair => pair.join('\t')),
  ),
]
