import type { Chance } from './chance.js'
import type { Change, DemoCommit } from './commit.js'
import { libraryFiles } from './library/library.js'
import type { DemoPlayer, WorldCast } from './people/cast.js'

/** A line of `governance/ledger/<ref>.jsonl`: the fields that B 2.8 names and those of this line. */
interface Line {
  readonly date: string
  readonly op: string
  readonly subject: string
  /** The text of the cited post. */
  readonly quote: string
  readonly more?: Readonly<Record<string, unknown>>
}

/** Posts are numbered across all refs, so that no two lines have the same evidence. */
const ledgerText = (ref: string, first: number, lines: ReadonlyArray<Line>, author: string): string =>
  lines
    .map(({ date, op, subject, quote, more }, at) =>
      JSON.stringify({
        ref,
        seq: at + 1,
        date,
        date_basis: 'stated',
        op,
        subject,
        evidence: [{ post: String(first + at * 7), author, quote }],
        source_authority: 'rozporzadzenie',
        confidence: 'exact',
        ...more,
      }),
    )
    .map(line => `${line}\n`)
    .join('')

const appoint = (date: string, player: DemoPlayer, office: string, more: Line['more'] = {}): Line => ({
  date,
  op: 'appoint',
  subject: player.nick,
  quote: `Powierza się urząd: ${office}. Obejmuje go: ${player.nick}.`,
  more,
})

const resign = (date: string, player: DemoPlayer): Line => ({
  date,
  op: 'leave',
  subject: player.nick,
  quote: 'Składam urząd, dziękuję za wspólną pracę.',
  more: { act: 'self-notice' },
})

const years = [2021, 2022, 2023, 2024, 2025]

const councilLines = (council: ReadonlyArray<DemoPlayer>): ReadonlyArray<Line> =>
  years.flatMap((year, at) => {
    const seats = new Set([0, 1, 2].map(seat => council[(at + seat) % council.length]))
    return [...seats].flatMap(player =>
      player === undefined
        ? []
        : [appoint(`${year}-12-31`, player, 'członek Rady', { date_basis: 'period' })],
    )
  })

const narratorLines = (narrators: ReadonlyArray<DemoPlayer>): ReadonlyArray<Line> => {
  const [first, second, third] = narrators
  const date = (at: number): string => `2019-${String((at % 9) + 1).padStart(2, '0')}-12`
  const lines = narrators.map((player, at) => appoint(date(at), player, 'narrator', { confidence: 'wysoka' }))
  if (first === undefined || second === undefined || third === undefined) return lines
  return [
    ...lines,
    {
      date: '2024-07-02',
      op: 'leave',
      subject: first.nick,
      quote: 'Do końca sierpnia nie poprowadzę żadnej sesji.',
      more: { act: 'self-notice', until: '2024-08', until_precision: 'month' },
    },
    {
      date: '2024-09-01',
      op: 'return',
      subject: first.nick,
      quote: 'Wracam do prowadzenia sesji.',
      more: { act: 'mention', confidence: 'średnia', source_authority: 'podpis' },
    },
    {
      date: '2025-03-10',
      op: 'suspend',
      subject: second.nick,
      quote: `Zawiesza się na miesiąc uprawnienia narratora; dotyczy: ${second.nick}.`,
      more: { until: '2025-04-10', until_precision: 'day' },
    },
    {
      date: '2026-05-20',
      op: 'leave',
      subject: third.nick,
      quote: 'Rezygnuję z prowadzenia sesji.',
      more: { act: 'self-notice' },
    },
  ]
}

const regulations: ReadonlyArray<Line> = [
  {
    date: '2022-02-01',
    op: 'enact',
    subject: 'Regulamin sesji',
    quote: 'Regulamin sesji w brzmieniu 1.0 obowiązuje od 1 lutego 2022 roku.',
    more: { value: '1.0', instrument_date: '2022-01-28', date_basis: 'instrument' },
  },
  {
    date: '2023-05-14',
    op: 'enact',
    subject: 'Rozporządzenie o jarmarkach',
    quote: 'Rozporządzenie o jarmarkach obowiązuje do końca 2023 roku.',
    more: { value: '1.0', until: '2023-12-31', until_precision: 'day' },
  },
  {
    date: '2024-02-01',
    op: 'amend',
    subject: 'Regulamin sesji',
    quote: 'Regulamin sesji otrzymuje brzmienie 1.1.',
    more: { value: '1.1', source_authority: 'sprawozdanie' },
  },
  {
    date: '2025-09-09',
    op: 'enact',
    subject: 'Rozporządzenie o mapach',
    quote: 'Wprowadza się rozporządzenie o mapach.',
    more: { value: '1.0' },
  },
  {
    date: '2026-01-15',
    op: 'repeal',
    subject: 'Rozporządzenie o mapach',
    quote: 'Uchyla się rozporządzenie o mapach.',
  },
]

/** A ref of cardinality value: one subject, whose value is the complete rule in words. */
const rule = (date: string, subject: string, value: string): Line => ({
  date,
  op: 'set',
  subject,
  quote: `Ustala się, co następuje. ${subject}: ${value}.`,
  more: { value, date_basis: 'regulation' },
})

/** The nine ledger files of B 4.9. */
const ledgers = (cast: WorldCast): ReadonlyArray<Change> => {
  const council = cast.players.filter(player => player.roles.includes('Radny'))
  const narrators = cast.players.filter(player => player.roles.includes('Narrator'))
  const [head, second] = council
  const chief = head ?? narrators[0]
  const clerk = second ?? narrators[1] ?? chief
  if (chief === undefined || clerk === undefined) throw new Error('a world without a council')
  const files: ReadonlyArray<readonly [string, ReadonlyArray<Line>]> = [
    [
      'namiestnik',
      [
        appoint('2021-01-10', clerk, 'namiestnik'),
        resign('2023-01-02', clerk),
        appoint('2023-01-10', chief, 'namiestnik'),
      ],
    ],
    ['rada', councilLines(council)],
    ['sekretarz', [appoint('2022-03-01', chief, 'sekretarz', { confidence: 'średnia' })]],
    ['narratorzy', narratorLines(narrators)],
    ['rozporzadzenia', regulations],
    ['pu-rules', [rule('2022-02-01', 'Zasady PU', 'baza 1,00 PU; limit 5,00 PU na miesiąc')]],
    [
      'mechanika',
      [
        rule('2022-02-01', 'Kości', 'próba to rzut k20; 20 to zawsze sukces, 1 to zawsze porażka'),
        rule('2025-01-01', 'Kości', 'próba to rzut k100; od 96 to zawsze sukces, do 5 to zawsze porażka'),
      ],
    ],
    ['nicki', [rule('2023-03-03', 'Nick', 'od 3 do 20 znaków; bez cyfr na początku')]],
    ['zadania-stale', [rule('2024-06-01', 'Zadania stałe', 'przegląd map co miesiąc; spis majątku co rok')]],
  ]
  return files.map(([ref, lines], at) => ({
    path: `governance/ledger/${ref}.jsonl`,
    text: ledgerText(ref, 41_000 + at * 500, lines, chief.nick),
  }))
}

const page = (title: string, ...paragraphs: ReadonlyArray<string>): string =>
  `${['- @diegesis: out-of-game\n- @authority: rada', `# ${title}`, ...paragraphs].join('\n\n')}\n`

const documents: ReadonlyArray<Change> = [
  {
    path: 'regulaminy/regulamin-sesji.md',
    text: page(
      'Regulamin sesji',
      'Sesję prowadzi narrator, a po jej zakończeniu zamyka wpis i rozlicza przepływy monet.',
      'Uczestnik ma prawo odmówić sceny, która dotyka jego tematów zastrzeżonych.',
    ),
  },
  {
    path: 'rozporzadzenia/o-jarmarkach.md',
    text: page(
      'Rozporządzenie o jarmarkach',
      'Stragany stoją na targach od świtu do zmroku; opłatę pobiera gildia wskazana przez Radę.',
    ),
  },
  {
    path: 'rozporzadzenia/o-mapach.md',
    text: page(
      'Rozporządzenie o mapach',
      'Wymiary mapy podaje się w polach, a przejścia opisuje po obu stronach.',
    ),
  },
]

/** The history of the works tree: the regulations, the other documents, then the ledger. */
export const worksCommits = (cast: WorldCast, chance: Chance): ReadonlyArray<DemoCommit> => {
  const author = { name: cast.players[0]?.nick ?? 'Rada', email: 'rada@example.org' }
  const minute = String(chance.whole(10, 59))
  return [
    {
      author,
      at: `2022-01-28T17:${minute}:00Z`,
      message: 'dzieła: regulamin i rozporządzenia',
      changes: documents,
    },
    {
      author,
      at: `2024-11-08T19:${minute}:00Z`,
      message: 'dzieła: kroniki, podania, listy, statuty i poradniki',
      changes: libraryFiles(cast, chance.fork('library')),
    },
    {
      author,
      at: `2026-05-21T18:${minute}:00Z`,
      message: 'rejestr: funkcje, akty i zasady',
      changes: ledgers(cast),
    },
  ]
}
