import { type TextChange, unifiedDiff } from '#src/adapters/git/unified-diff.js'
import { withheldLines } from '#src/domain/people/characters/open-document.js'

const isLedger = /^\.svc\/.*\.jsonl$/

/** SHA-256 as the files of the daemon write it. */
const textHash = /(?<![\da-f])[\da-f]{64}(?![\da-f])/g

/**
 * The diff of one file. A hash in a ledger of the daemon is one of whole texts, withheld lines among them: with it a
 * reader could try out on their own what those lines say. A staged draft keeps its path, which is a hash of its header.
 */
const fileDiff = (change: TextChange): string => {
  const diff = unifiedDiff([change], text => withheldLines(text, false))
  return isLedger.test(change.path) ? diff.replaceAll(textHash, '[withheld]') : diff
}

/**
 * The diff that a dry run answers, the same to every caller: without the lines that a document served whole withholds.
 * Who may read restricted topics reads them where they are served (ADR 1009).
 */
export const openDiff = (changes: ReadonlyArray<TextChange>): string => changes.map(fileDiff).join('')
