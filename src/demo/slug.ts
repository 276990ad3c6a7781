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

/** The form of a name for addresses: ASCII letters, digits and hyphens. */
export const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[ąćęłńóśźż]/gu, letter => plain[letter] ?? '')
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '')
