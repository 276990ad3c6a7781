import type { Finding } from '#src/domain/lore/finding.js'
import { firstFindings } from '#src/domain/lore/first-findings.js'
import { visitLinesInSlices } from '#src/domain/lore/lines/visit-lines.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'

/** The most lines of one file that are used. Comments and blank lines do not count. */
export const languageLinesMax = 100_000
/** The longest line; a heading or a form has at most 200 characters. */
const lineCharsMax = 1000

/** Why a line is skipped: the reason and the suggestion of its finding, in Polish. */
export type LineFault = readonly [reason: string, suggestion: string]

interface BadLine {
  readonly line: number
  readonly fault: LineFault
}

const tooLong: LineFault = [
  `Wiersz jest dłuższy niż ${lineCharsMax} znaków i został pominięty.`,
  'Zostaw w wierszu tylko nazwy.',
]

const findingAt = (file: SourceFile, { line, fault: [reason, suggestion] }: BadLine): Finding => ({
  kind: 'LanguageLine',
  severity: 'warning',
  file: file.path,
  line,
  subject: null,
  reason,
  suggestion,
})

const furtherLines = (file: SourceFile, line: number): Finding => ({
  kind: 'LanguageAboveBound',
  severity: 'warning',
  file: file.path,
  line,
  subject: null,
  reason: `Plik ma więcej niż ${languageLinesMax} wierszy; ten i dalsze zostały pominięte.`,
  suggestion: 'Usuń wiersze, które niczego nie poprawiają.',
})

const blanks = /[\s\u00a0]+/gu

/** A cell with blanks collapsed, in NFC. */
const cellOf = (text: string): string => text.normalize('NFC').replace(blanks, ' ').trim()

/**
 * Visits each line of a file of language data, split at tabs. Skips blank lines and comments, which begin
 * with `#`. `take` returns why a line is wrong, or null; a wrong line is a finding. Never throws.
 */
export const readLanguageLines = function* (
  file: SourceFile,
  take: (cells: ReadonlyArray<string>, line: number) => LineFault | null,
): Sliced<ReadonlyArray<Finding>> {
  const bad: Array<BadLine> = []
  const above: Array<Finding> = []
  let taken = 0
  yield* visitLinesInSlices(file.text, (raw, line) => {
    const shown = raw.slice(0, lineCharsMax + 1).trimEnd()
    if (shown === '' || shown.trimStart().startsWith('#')) return true
    if (taken === languageLinesMax) {
      above.push(furtherLines(file, line))
      return false
    }
    taken += 1
    const fault = shown.length > lineCharsMax ? tooLong : take(shown.split('\t').map(cellOf), line)
    if (fault !== null) bad.push({ line, fault })
    return true
  })
  return [...firstFindings(bad, one => findingAt(file, one)), ...above]
}
