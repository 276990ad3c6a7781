import type { Finding, Severity } from '#src/lore/finding.js'
import type { SourceFile } from '#src/lore/source-file.js'

/** What a character file can have wrong: severity, reason and remedy. */
const kinds = {
  UnknownSection: [
    'info',
    'The section is not one of the format and is not read.',
    'Use a section of the template.',
  ],
  DuplicateSection: ['warning', 'The section stands twice; both are read as one.', 'Join the two.'],
  InlineIgnored: [
    'warning',
    'Text on the header line of a list is not read.',
    'Write it below, as `- entry`.',
  ],
  SheetNotUrl: ['warning', 'The character sheet is no address.', 'Write an https address.'],
  ReputationUnreadable: [
    'warning',
    'The line belongs to no tier.',
    'Write it below Pozytywna, Neutralna or Negatywna.',
  ],
  DescribedWithoutDay: [
    'warning',
    'The header of the described session has no day that exists.',
    'Write ### YYYY-MM-DD, title, narrator.',
  ],
} as const satisfies Readonly<Record<string, readonly [Severity, string, string]>>

/** A finding of a character file; its subject is the character. */
export const characterFinding = (
  kind: keyof typeof kinds,
  file: SourceFile,
  line: number,
  subject: string,
): Finding => {
  const [severity, reason, suggestion] = kinds[kind]
  return { kind, severity, file: file.path, line, subject, reason, suggestion }
}
