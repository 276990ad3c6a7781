const plain: Readonly<Record<string, string>> = {
  ą: 'a',
  ć: 'c',
  ę: 'e',
  ł: 'l',
  ń: 'n',
  ó: 'o',
  ś: 's',
  ź: 'z',
  ż: 'z',
}

/** ASCII letters, digits and hyphens: how a name stands in an address. */
export const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[ąćęłńóśźż]/gu, letter => plain[letter] ?? '')
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '')
