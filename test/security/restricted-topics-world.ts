import type { ToldCommit } from '#test/support/history.js'

/** Every restricted topic of the world has this in it, and nothing else has. */
export const canary = 'Kanarek'

const header = '2026-05-20, Wieża, Narr'

const zmiany = (word: string): string =>
  [
    '- @Zmiany:',
    '    - Żbik:',
    `        - @tematy_zastrzezone: ${canary}zmiana${word}`,
    '',
    `    ${canary}dalej${word}`,
    `            - ${canary}podwiersz`,
    `        - @tematy_zastrzezone: ${canary}zakres (2026-08:2026-01)`,
    '        - @stan: Ranny',
  ].join('\n')

const session = (word: string): string =>
  [
    `### ${header}`,
    '',
    'Opis sesji.',
    '',
    '- @PU:',
    '    - Żbik: 1',
    zmiany(word),
    '- @Efekty:',
    '    - Żbik:',
    `        - @tematy_zastrzezone: ${canary}efekt`,
    '',
    `            ${canary}efektdalej`,
    `- @tematy: ${canary}luzem`,
    '  - @Zmiany:',
    '    - Żbik:',
    `        - @tematy_zastrzezone: ${canary}wcięte`,
    '',
  ].join('\n')

/** A document with a topic that goes on below a blank line, as rows of the lore may. */
const ownDocument = [
  '# Żbik',
  '',
  `- @tematy_zastrzezone: ${canary}dokument`,
  '',
  `    - ${canary}pustylinia`,
  `    ${canary}tekst`,
  '- @info: Zna port.',
  `- Tematy zastrzeżone: ${canary}lista`,
  '',
].join('\n')

const oldRegistry = [
  '## Postać',
  '',
  '* Żbik',
  `    - Tematy zastrzeżone: ${canary}rejestr`,
  `    - @trigger: ${canary}wyzwalacz`,
  '',
  `Żbik boi się: ${canary}proza`,
  '',
].join('\n')

const person = (name: string, file: string): string =>
  [
    `### ${name}`,
    '- @typ: Postać',
    '- @należy_do: Łucja',
    `- @plik: ${file}`,
    `- @tematy_zastrzezone: ${canary}raz (2026-01:)`,
    '',
    `    ${canary}ciąg`,
    `- @tematy_zastrzezone: ${canary}dwa (2026-02:)`,
    `- @tematy_zastrzeżone: ${canary}ogonek`,
    `- @tematy zastrzeżone: ${canary}odstęp`,
    `- @trigger: ${canary}dawny`,
    nested,
    '',
  ].join('\n')

export const oldFiles: ReadonlyArray<string> = [
  'entities.md',
  'kopia/Entities.md',
  'kraina-100-ent.md',
  'Lokacje/Port/Sesje.md',
]

/** Files that are served by routes of their own, never as the document of another block. */
export const closedFiles: ReadonlyArray<string> = [
  'Postaci/Gracze/Żbik.md',
  'encje/indeks.md',
  'zgłoszenia/Żbik.md',
]

/** Topics outside of their section, and a bold line that is no section inside of it. */
const sheet = [
  '**Tematy zastrzeżone:**',
  `${canary}karta`,
  `**Absolutnie nie:** ${canary}nie`,
  '',
  '**Stan:**',
  'Zdrowy.',
  `@tematyzastrzezone: ${canary}stan`,
  '',
  '**Reputacja:**',
  '- Pozytywna:',
  '    - Port',
  `        - Tematy zastrzeżone: ${canary}reputacja`,
  '',
  '**Dodatkowe informacje:**',
  '- Zna port.',
  `    - **Tematy zastrzeżone:** ${canary}pogrubione`,
  `- Tematy zastrzeżone: ${canary}wpis`,
  '- Pływa.',
  `    - @tematy_zastrzezone: ${canary}głębiej`,
  '',
  `__Tematy zastrzeżone:__`,
  `- ${canary}podkreślone`,
  '',
].join('\n')

/** Rows of other tags that hold topics, and near spellings of the tag. */
const nested = [
  '- @dodatkowe_informacje: Zna las.',
  `    - @tematy_zastrzezone: ${canary}wwierszu`,
  `    - ${canary}poniżej`,
  '- @info: Śpiewa.',
  `    - Tematy zastrzeżone: ${canary}winfo`,
  '- @lokacja: Port',
  `    - Tematy zastrzeżone: ${canary}wlokacji`,
  '- @alias: Zbik',
  `- @tematyzastrzezone: ${canary}razem`,
  `- @temat_zastrzeżony: ${canary}pojedynczy`,
  `- @tematy zastrzezone gracza: ${canary}gracza`,
].join('\n')

/** One Postać for each file that no answer may show, and Żbik with a document of his own. */
export const topicFiles: Readonly<Record<string, string>> = {
  '.svc/format.json': '{"format": 2}',
  '.svc/close/ledger.jsonl': `${JSON.stringify({
    header,
    op: 'close',
    at: '2026-05-21T10:00:00Z',
    by: 'Narr',
    source: 'close',
    transfers: 0,
    intel: 0,
  })}\n`,
  'Postaci/Gracze/Żbik.md': sheet,
  'kontrybutorzy.md': `## Gracz\n### Łucja\n- @gameid: 71001\n- @tematy: ${canary}osoba\n\n    ${canary}osobadalej\n`,
  'encje/indeks.md': [
    person('Żbik', 'Opisy/Żbik.md'),
    ...oldFiles.map((file, at) => person(`Ryś ${at}`, file)),
    ...closedFiles.map((file, at) => person(`Kuna ${at}`, file)),
    '### Wskazany\n- @typ: NPC\n- @ref: Opisy/Żbik.md\n',
    '### Port\n- @typ: Lokacja\n',
  ].join('\n'),
  'Opisy/Żbik.md': ownDocument,
  'zgłoszenia/Żbik.md': ownDocument,
  ...Object.fromEntries(oldFiles.map(file => [file, oldRegistry])),
  'sesje/2026.md': session('a'),
  'sesje/kopia.md': session('b'),
  '.svc/staged/0000.md': session('c').replace('05-20', '05-21'),
}

/** Commits that wrote and changed what the world holds. */
export const topicHistory: ReadonlyArray<ToldCommit> = [
  {
    subject: 'changed',
    files: Object.fromEntries(
      Object.entries(topicFiles).map(([path, text]) => [path, [text.replaceAll(canary, `${canary}b`), text]]),
    ),
  },
  {
    subject: 'made',
    files: Object.fromEntries(Object.entries(topicFiles).map(([path, text]) => [path, [null, text]])),
  },
]

export const topicNames: ReadonlyArray<string> = [
  'Żbik',
  'Łucja',
  'Wskazany',
  ...oldFiles.map((_, at) => `Ryś ${at}`),
  ...closedFiles.map((_, at) => `Kuna ${at}`),
]
export const topicHeader = header
