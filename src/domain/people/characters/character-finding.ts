import type { Finding, Severity } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'

/** The kinds of findings of a character file: severity, Polish reason and remedy (ADR 1031). */
const kinds = {
  UnknownSection: ['info', 'Sekcja nie należy do formatu i nie jest czytana.', 'Użyj sekcji z szablonu.'],
  DuplicateSection: [
    'warning',
    'Sekcja występuje w pliku więcej niż raz; wszystkie są czytane jako jedna.',
    'Połącz je w jedną.',
  ],
  InlineIgnored: [
    'warning',
    'Tekst w wierszu nagłówka listy nie jest czytany.',
    'Zapisz go poniżej jako „- wpis”.',
  ],
  SheetNotUrl: ['warning', 'Karta postaci nie jest adresem.', 'Wpisz adres https.'],
  ReputationUnreadable: [
    'warning',
    'Wiersz nie należy do żadnego poziomu reputacji.',
    'Zapisz go pod Pozytywna, Neutralna albo Negatywna.',
  ],
  DescribedWithoutDay: [
    'warning',
    'Nagłówek opisanej sesji nie zaczyna się od dnia, który istnieje.',
    'Zapisz „### RRRR-MM-DD, tytuł, narrator”.',
  ],
} as const satisfies Readonly<Record<string, readonly [Severity, string, string]>>

/** A finding of a character file; its subject is the character. */
export const characterFinding = (
  kind: keyof typeof kinds,
  file: Pick<SourceFile, 'path'>,
  line: number,
  subject: string,
): Finding => {
  const [severity, reason, suggestion] = kinds[kind]
  return { kind, severity, file: file.path, line, subject, reason, suggestion }
}
