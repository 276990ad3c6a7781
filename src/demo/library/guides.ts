import type { Change } from '../commit.js'
import { unwrapText } from './unwrap.js'

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

export const guideFiles: ReadonlyArray<Change> = guides.map(guide => ({
  path: `poradniki/${guide.file}.md`,
  text: `${guideText(guide)}\n`,
}))
