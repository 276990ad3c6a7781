import { createHash } from 'node:crypto'
import type { Change, DemoCommit } from './commit.js'
import type { WorldCast } from './people/cast.js'

/** Ordinary words of the demo's prose: the lemma, then forms of it that are in texts. */
const rows = `
człowiek: ludzie ludzi ludziom ludźmi ludziach
rok: roku lata lat latach latami
dzień: dni dnia dniach dniami
dziecko: dzieci dzieciom
ręka: ręce ręki ręku rękami rąk
oko: oczy oczu oczach
tydzień: tygodnia tygodniu
pies: psa psy psem
brat: braci bracia
pieniądz: pieniądze pieniędzy
iść: szedł szła szli
nieść: niósł niosła
być: był była było byli były są jest
mieć: miał miała mają ma mam
móc: mógł mogła może
miesiąc: miesiące miesiącu miesiąca
koń: konie koni konia
łódź: łodzi łodzią łodziach
noc: nocy
pieśń: pieśni
świeca: świecą świec świecę
studnia: studni studnię
woda: wody wodę
most: mostu moście
miasto: miasta mieście
świadek: świadka świadków świadkiem świadkach świadkami
pieczęć: pieczęci pieczęcią
droga: drogi drogą drogę drodze dróg drogami
rzeka: rzeki rzece rzek rzekę
ogień: ognia ogniem
kamień: kamienia kamieniem
śmiech: śmiechu śmiechem
popiół: popiołu popiołem
dzwon: dzwonu dzwonem dzwonami
zima: zimy zimę zimą
księga: księgi księgach ksiąg
ziemia: ziemi ziemię
sen: snu sny snem snów
powódź: powodzi powodzią
wdowa: wdowy wdowom
mieszkać: mieszkał mieszkała
dług: długu długi długów
łąka: łąki łąkach łąk
ryba: ryby ryb
sól: soli solą
miód: miodu miodem
róg: rogu rogiem
strażnik: strażnika strażnicy strażników
kupiec: kupca kupcy kupców
`

/** The lemma of each listed form. */
const demoLemmas: ReadonlyMap<string, string> = new Map(
  rows
    .trim()
    .split('\n')
    .flatMap(row => {
      const [lemma = '', forms = ''] = row.split(': ')
      return forms.split(' ').map(form => [form, lemma] as const)
    }),
)

/** The words of the text that the table has, as `[start, end, lemma]` in characters. */
const spansOf = (text: string): ReadonlyArray<readonly [start: number, end: number, lemma: string]> =>
  [...text.matchAll(/\p{L}+/gu)].flatMap(({ 0: word, index }) => {
    const lemma = demoLemmas.get(word.toLowerCase())
    return lemma === undefined ? [] : [[index, index + word.length, lemma] as const]
  })

/** The lemma sidecar of a document of a tree. */
const sidecarOf = (tree: string, { path, text }: Change): Change => {
  const sha256 = createHash('sha256').update(text, 'utf8').digest('hex')
  return {
    path: `lematy/${tree}/${path}.json`,
    text: `${JSON.stringify({ sha256, lemmas: spansOf(text) })}\n`,
  }
}

/** The files of a history after its last commit. */
const lastTexts = (commits: ReadonlyArray<DemoCommit>): ReadonlyArray<Change> =>
  [
    ...new Map(commits.flatMap(({ changes }) => changes.map(change => [change.path, change.text] as const))),
  ].map(([path, text]) => ({ path, text }))

/** How many session files are annotated. */
const annotatedThreads = 3

/**
 * The history of the annotation tree: sidecars of every second Markdown document of the works tree, and of some session
 * files. The words of the other documents fall to the rules of suffixes.
 */
export const annotationCommits = (
  lore: ReadonlyArray<DemoCommit>,
  works: ReadonlyArray<DemoCommit>,
): ReadonlyArray<DemoCommit> => {
  const documents = lastTexts(works).filter(({ path }) => path.endsWith('.md'))
  const threads = lastTexts(lore).filter(({ path }) => path.startsWith('Wątki/'))
  return [
    {
      author: { name: 'Kronika', email: 'kronika@example.org' },
      at: '2026-06-13T20:00:00Z',
      message: 'lematy: dokumenty i sesje',
      changes: [
        ...documents.filter((_, at) => at % 2 === 0).map(file => sidecarOf('dziel', file)),
        ...threads.slice(0, annotatedThreads).map(file => sidecarOf('lore', file)),
      ],
    },
  ]
}

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
