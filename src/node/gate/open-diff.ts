import { formatUnifiedDiff, type TextChange } from '#src/adapters/git/unified-diff.js'
import { withheldLinesOf } from '#src/domain/people/characters/visible-document.js'

const isLedger = /^\.svc\/.*\.jsonl$/

/** A SHA-256 as the daemon's files contain it. */
const textHash = /(?<![\da-f])[\da-f]{64}(?![\da-f])/g

/**
 * The diff of one file. A hash in a ledger of the daemon covers whole texts, including withheld lines: with
 * it a reader could test guesses of those lines offline, so it is withheld too. A staged draft keeps its
 * path, which is a hash of its header.
 */
const fileDiff = (change: TextChange): string => {
  const diff = formatUnifiedDiff([change], text => withheldLinesOf(text, false))
  return isLedger.test(change.path) ? diff.replaceAll(textHash, '[withheld]') : diff
}

/**
 * The diff in the answer of a dry run, the same for every caller: without the lines that are withheld from
 * public documents. A caller who may read restricted topics reads them at their own routes (ADR 1009).
 */
export const publicDiff = (changes: ReadonlyArray<TextChange>): string => changes.map(fileDiff).join('')
