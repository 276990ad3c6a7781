import { type TextChange, unifiedDiff } from '#src/adapters/git/unified-diff.js'
import { withheldLines } from '#src/people/open-document.js'

/**
 * The diff that a dry run answers, the same to every caller: without the lines that a document served whole withholds.
 * Who may read restricted topics reads them where they are served (ADR 0262).
 */
export const openDiff = (changes: ReadonlyArray<TextChange>): string =>
  unifiedDiff(changes, text => withheldLines(text, false))
