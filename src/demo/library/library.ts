import type { Chance } from '../chance.js'
import type { Change } from '../commit.js'
import { slug } from '../names/names.js'
import type { CastEntry, WorldCast } from '../people/cast.js'
import { type Cast, type Mentions, type Role, renderTemplate, type Template } from '../template.js'
import {
  chronicles,
  type DocumentKind,
  type DocumentPart,
  herbal,
  legends,
  letters,
  statutes,
  townDescriptions,
  unwrapText,
} from './document-kinds.js'

/** A guide for players and narrators: text of the community, with no names of the world in it. */
interface Guide {
  readonly file: string
  readonly title: string
  readonly sections: ReadonlyArray<readonly [heading: string, text: string]>
}

const guides: ReadonlyArray<Guide> = [
  {
    file: 'pierwsza-sesja',
    title: 'Jak poprowadzić pierwszą sesję',
    sections: [
      [
        'Przygotowanie',
        `Wybierz jedno miejsce i dwie osoby, których gracze jeszcze nie znają. Zapisz, czego każda z nich
        chce i czego się boi; resztę dopowie rozmowa. Przeczytaj trzy ostatnie zapisy z tej okolicy,
        żeby nie uśmiercić nikogo po raz drugi.`,
      ],
      [
        'Przy stole',
        `Zacznij w środku zdarzeń: pożar już trwa, łódź już przecieka. Pytaj graczy o zamiar, nie o rzut.
        Kiedy tempo siada, wprowadź kogoś, kto się spieszy.`,
      ],
      [
        'Po sesji',
        `Zamknij wpis w ciągu tygodnia, dopóki uczestnicy pamiętają szczegóły. Zapytaj każdego, która
        scena była najlepsza, i zapisz odpowiedzi dla siebie. Podziękuj także tym, którzy tylko
        słuchali.`,
      ],
    ],
  },
  {
    file: 'nowa-postac',
    title: 'Jak zgłosić nową postać',
    sections: [
      [
        'Imię i pochodzenie',
        `Imię powinno dać się odmienić i wymówić bez zająknięcia. Sprawdź, czy nikt go już nie nosi,
        także w dawnych kronikach. Pochodzenie opisz w trzech zdaniach: skąd, od kogo, dlaczego już nie
        tam.`,
      ],
      [
        'Słabości',
        `Postać bez słabości nudzi się pierwsza. Wybierz lęk, dług albo przysięgę i powiedz o niej
        narratorowi. Tematów, których nie chcesz spotkać w grze, nie musisz uzasadniać.`,
      ],
      [
        'Zgłoszenie',
        `Kartę wysyła się do Rady przed pierwszą sesją. Odpowiedź przychodzi zwykle w ciągu dziesięciu
        dni. Poprawki są częścią zabawy, a nie karą.`,
      ],
    ],
  },
  {
    file: 'zapis-sesji',
    title: 'Jak pisać zapis sesji',
    sections: [
      [
        'Co musi się znaleźć',
        `Nagłówek podaje dzień, tytuł i narratora. Wymień miejsca w takiej kolejności, w jakiej
        odwiedzała je drużyna. Zmiany własności i stanu wpisuj od razu, bo po miesiącu nikt ich nie
        odtworzy.`,
      ],
      [
        'Styl',
        `Pisz w czasie przeszłym i w trzeciej osobie. Imiona odmieniaj, zamiast powtarzać mianownik w
        nawiasie. Żart, który bawił tylko dwie osoby, zostaw na rozmowę.`,
      ],
      [
        'Częste błędy',
        `Najczęściej brakuje daty zakończenia i osoby, która zabrała nagrodę. Nie wklejaj całych
        dialogów: od tego są zapisy rozmów. Nie rozstrzygaj w zapisie sporów, których sesja nie
        rozstrzygnęła.`,
      ],
    ],
  },
  {
    file: 'opisywanie-walki',
    title: 'Jak opisywać walkę',
    sections: [
      [
        'Miejsce przed ciosem',
        `Zanim padnie pierwszy cios, gracze muszą wiedzieć, gdzie są drzwi, światło i woda. Dwa
        przedmioty, których da się użyć, wystarczą na początek. Ciemność opisuj słuchem i dotykiem.`,
      ],
      [
        'Rany',
        `Rana ma skutek, który widać jeszcze na następnej sesji. Nie opisuj cierpienia dłużej, niż trwa
        scena. Poddanie się przeciwnika jest wygraną, nie połową wygranej.`,
      ],
      [
        'Między graczami',
        `Pojedynek dwóch postaci wymaga zgody obu graczy, wyrażonej przed rzutem. Stawkę ustala się
        jawnie. Narrator może przerwać walkę w każdej chwili i bez tłumaczenia.`,
      ],
    ],
  },
  {
    file: 'rozliczanie-monet',
    title: 'Jak rozliczać monety i przedmioty',
    sections: [
      [
        'Przelewy',
        `Każdy przelew ma dwie strony i jedną datę. Kwoty podawaj w monetach, które naprawdę zmieniły
        właściciela, a nie w przeliczeniu. Napiwki poniżej miedziaka pomijamy.`,
      ],
      [
        'Skrytki i depozyty',
        `Depozyt zostaje własnością tego, kto go złożył, nawet jeśli klucz nosi ktoś inny. Skrytkę
        opisuje się przy miejscu, w którym się znajduje. Po roku bez wpisu Rada pyta właściciela, czy o
        niej pamięta.`,
      ],
      [
        'Pomyłki',
        `Pomyłkę poprawia się nowym wpisem, nigdy przez skreślenie starego. Podaj, kto ją zauważył i
        kiedy. Różnicę do dwóch koron wolno darować za zgodą obu stron.`,
      ],
    ],
  },
]

const guideText = ({ title, sections }: Guide): string =>
  [
    '- @diegesis: out-of-game\n- @authority: rada',
    `# ${title}`,
    ...sections.flatMap(([heading, text]) => [`## ${heading}`, unwrapText(text)]),
  ].join('\n\n')

const guideFiles: ReadonlyArray<Change> = guides.map(guide => ({
  path: `poradniki/${guide.file}.md`,
  text: `${guideText(guide)}\n`,
}))

const kinds: ReadonlyArray<DocumentKind> = [chronicles, legends, letters, townDescriptions, statutes, herbal]

/** The 37 documents of the works tree beside the three regulations, two of them scans. */
export const libraryFiles = (cast: WorldCast, chance: Chance): ReadonlyArray<Change> => [
  ...kinds.flatMap(kind => writeDocuments(kind, cast, chance.fork(kind.folder))),
  ...guideFiles,
  ...scanFiles,
]

interface ScannedPage {
  readonly text: string
  /** How sure the reader of the scan was, from 0 to 1. */
  readonly confidence: number
}

interface Scan {
  readonly file: string
  readonly pages: ReadonlyArray<ScannedPage>
}

const page = (confidence: number, text: string): ScannedPage => ({
  text: unwrapText(text),
  confidence,
})

/** Each has a page below the floor of `scrape.pdf_confidence_floor`, whose text is not searched. */
const scans: ReadonlyArray<Scan> = [
  {
    file: 'skany/rejestr-celny',
    pages: [
      page(
        0.94,
        `Rejestr celny komory przy Wielkim Moście. Przywieziono: dwanaście beczek śledzi, cztery bele sukna,
        skrzynię gwoździ. Cło pobrano w soli, gdyż monet brakowało w całym mieście.`,
      ),
      page(
        0.81,
        `Dnia następnego zatrzymano wóz bez właściciela. Pod słomą leżały trzy posągi z alabastru, owinięte
        w żaglowe płótno. Odwieziono je do komory i opieczętowano.`,
      ),
      page(0.22, 'P0s qgi znikn eły w n0cy, str aż nic n1e słysz ała.'),
    ],
  },
  {
    file: 'skany/dziennik-latarnika',
    pages: [
      page(
        0.88,
        `Dziennik latarnika. Pierwszej nocy mgła tak gęsta, że nie widać własnych rąk. Dzwoniłem co kwadrans.
        Odpowiedział róg, którego nie ma na żadnym ze znanych mi statków.`,
      ),
      page(0.31, 'Dr ugiej n0cy r6g o dezw ał s ię bliżej.'),
      page(
        0.9,
        `Ósmej nocy przypłynęła łódź pełna suchych liści. Nie było w niej nikogo, a na burcie ktoś wyrył
        nazwę naszej przystani, zapisaną od końca.`,
      ),
    ],
  },
]

/** A page without text, as of a scanner: the daemon reads only what is in the file beside it. */
const blankPdf = [
  '%PDF-1.4',
  '1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj',
  '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj',
  '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]>> endobj',
  'trailer <</Root 1 0 R>>',
  '%%EOF',
  '',
].join('\n')

const scanFiles: ReadonlyArray<Change> = scans.flatMap(({ file, pages }) => [
  { path: `${file}.pdf`, text: blankPdf },
  { path: `${file}.pdf.json`, text: `${JSON.stringify({ pages }, null, 2)}\n` },
])

/** Which entries the documents of a kind are about: no two documents have one in common. */
interface Subjects {
  readonly towns: ReadonlyArray<CastEntry>
  readonly buildings: ReadonlyArray<CastEntry>
  readonly people: ReadonlyArray<CastEntry>
  readonly groups: ReadonlyArray<CastEntry>
  readonly things: ReadonlyArray<CastEntry>
}

const subjectsOf = (cast: WorldCast, count: number, chance: Chance): Subjects => {
  const placesAt = (depth: number): ReadonlyArray<CastEntry> =>
    chance.some(
      cast.places.filter(place => place.depth === depth),
      count,
    )
  return {
    towns: placesAt(2),
    buildings: placesAt(4),
    people: chance.some(cast.npcs, count * 3),
    groups: chance.some(cast.groups, count * 2),
    things: chance.some(cast.things, count),
  }
}

const castDocument = (subjects: Subjects, at: number): Cast => {
  const roleAt = (all: ReadonlyArray<CastEntry>, position: number): Role => {
    const entry = all[position % all.length]
    if (entry === undefined) throw new Error('a world with too few entries for its documents')
    return entry.role
  }
  const { towns, buildings, people, groups, things } = subjects
  return {
    N: roleAt(people, at * 3),
    M: roleAt(people, at * 3 + 1),
    P: roleAt(people, at * 3 + 2),
    G: roleAt(groups, at * 2),
    H: roleAt(groups, at * 2 + 1),
    K: roleAt(towns, at),
    L: roleAt(buildings, at),
    I: roleAt(things, at),
  }
}

/** Sentences in the order of their table, as a description goes from the general to the particular. */
const drawSentences = (part: DocumentPart, chance: Chance): ReadonlyArray<Template> => {
  const drawn = new Set(chance.some(part.sentences, part.count))
  return part.sentences.filter(sentence => drawn.has(sentence))
}

const partText = (part: DocumentPart, roles: Cast, chance: Chance): string => {
  const mentions: Mentions = { told: new Set() }
  const text = drawSentences(part, chance)
    .map(sentence => renderTemplate(sentence, roles, mentions, chance))
    .join(' ')
  return part.heading === null ? text : `## ${part.heading}\n\n${text}`
}

/** The documents of a kind, each about people and places of its own. */
const writeDocuments = (kind: DocumentKind, cast: WorldCast, chance: Chance): ReadonlyArray<Change> => {
  const subjects = subjectsOf(cast, kind.titles.length, chance)
  return kind.titles.map((title, at): Change => {
    const own = chance.fork(`${kind.folder} ${at}`)
    const roles = castDocument(subjects, at)
    const heading = renderTemplate(title, roles, { told: new Set() }, own)
    const list =
      kind.standing === null
        ? []
        : [`- @diegesis: ${kind.standing.diegesis}\n- @authority: ${kind.standing.authority}`]
    const parts = kind.parts.map(part => partText(part, roles, own))
    return {
      path: `${kind.folder}/${String(at + 1).padStart(2, '0')}-${slug(heading)}.md`,
      text: `${[...list, `# ${heading}`, ...parts].join('\n\n')}\n`,
    }
  })
}
