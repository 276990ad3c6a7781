/**
 * A new character file: the sections of FORMATS 3 in their order, each with the word that means it is
 * empty.
 */
export const characterTemplate = (sheet: string | null): string =>
  [
    `**Karta Postaci:**${sheet === null ? '' : ` ${sheet}`}`,
    '',
    '**Tematy zastrzeżone:**',
    'Brak.',
    '',
    '**Stan:**',
    'Zdrowy.',
    '',
    '**Przedmioty specjalne:**',
    'Brak.',
    '',
    '**Reputacja:**',
    '- Pozytywna: ',
    '- Neutralna: ',
    '- Negatywna: ',
    '',
    '**Dodatkowe informacje:**',
    '- Brak.',
    '',
    '**Opisane sesje:**',
    '',
    '[[_TOC_]]',
    '',
  ].join('\n')
