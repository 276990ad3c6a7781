import type { RepoPath } from '#protocol/atoms.js'
import type { WithheldChange } from '#protocol/dry-run.js'
import {
  type ChangedLines,
  changedLinesOf,
  formatUnifiedDiff,
  type TextChange,
} from '#src/adapters/history/unified-diff.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { isEveryLine, readersOfLines, unreadableLines } from '#src/domain/identity/readable.js'
import { type FileRole, roleOf } from '#src/domain/lore/layout.js'
import { withheldLinesOf } from '#src/domain/people/visible-document.js'

const isLedger = /^\.svc\/.*\.jsonl$/

/** A SHA-256 as the daemon's files contain it. */
const textHash = /(?<![\da-f])[\da-f]{64}(?![\da-f])/g

/** The lines of a file that one caller may not read, on both sides. */
interface Hidden {
  /** Whether a position would tell of a file of which the caller may read no line. */
  readonly isPlaceHidden: boolean
  readonly before: ReadonlySet<number>
  readonly after: ReadonlySet<number>
}

const none: ReadonlySet<number> = new Set()
const nothingHidden: Hidden = { isPlaceHidden: false, before: none, after: none }

const union = (one: ReadonlySet<number>, other: ReadonlySet<number>): ReadonlySet<number> =>
  other.size === 0 ? one : new Set([...one, ...other])

/** The first lines of a hunk, at the start of a line of a diff; every other line begins with a mark. */
const hunkPlace = /(^|\n)@@ -\d+,(\d+) \+\d+,(\d+) @@/g

/**
 * The diff of one file. A hash in a ledger of the daemon covers whole texts, including withheld lines: with
 * it a reader could test guesses of those lines offline, so it is withheld too. A staged draft keeps its
 * path, which is a hash of its header.
 */
const fileDiff = (change: TextChange, hidden: Hidden): string => {
  const diff = formatUnifiedDiff([change], (text, side) => union(withheldLinesOf(text, false), hidden[side]))
  const open = isLedger.test(change.path) ? diff.replaceAll(textHash, '[withheld]') : diff
  return hidden.isPlaceHidden ? open.replaceAll(hunkPlace, '$1@@ -0,$2 +0,$3 @@') : open
}

/**
 * The diff without the lines that are withheld from public documents, the same for every caller. A caller who
 * may read restricted topics reads them at their own routes (ADR 1009).
 */
export const publicDiff = (changes: ReadonlyArray<TextChange>): string =>
  changes.map(change => fileDiff(change, nothingHidden)).join('')

export interface DiffedFile extends TextChange {
  readonly path: RepoPath
}

/** What an answer shows of a diff. `withheld` is absent where it shows every changed line. */
export interface ShownDiff {
  readonly diff: string
  readonly withheld?: ReadonlyArray<WithheldChange>
}

/** Files that the daemon makes from others: no line of them comes from the request. */
const derived: ReadonlySet<FileRole> = new Set(['registry', 'session-hashes', 'close-ledger', 'batches'])

const findHidden = (caller: Pick<Caller, 'holds'>, { path, before, after }: DiffedFile): Hidden => {
  const hiddenIn = (text: string | null): ReadonlySet<number> =>
    text === null ? none : unreadableLines(caller, { path, text })
  const hiddenBefore = hiddenIn(before)
  return {
    isPlaceHidden: isEveryLine(hiddenBefore, before ?? ''),
    before: hiddenBefore,
    after: hiddenIn(after),
  }
}

/** The changed lines among the hidden ones. */
const pickHidden = ({ removed, added }: ChangedLines, hidden: Hidden): ChangedLines => ({
  removed: removed.filter(number => hidden.before.has(number)),
  added: added.filter(number => hidden.after.has(number)),
})

/** The capabilities of which any one shows all of these lines. */
const findReaders = ({ path, before, after }: DiffedFile, { removed, added }: ChangedLines) => {
  const ofRemoved = readersOfLines({ path, text: before ?? '' }, removed)
  return readersOfLines({ path, text: after ?? '' }, added).filter(one => ofRemoved.includes(one))
}

const countOf = ({ removed, added }: ChangedLines): number => removed.length + added.length

/**
 * The diff in the answer of a dry run: only with lines that the caller may read by `GET`, or sent. Where the
 * write takes no line away anywhere, what it adds comes from the request; else an added line may repeat a
 * part of a removed one. `isKnown` tells whether the caller may know the path of a file that they may not
 * read (docs/spec/security.md#lines-by-sight).
 */
export const diffFor = (
  caller: Pick<Caller, 'holds'>,
  changes: ReadonlyArray<DiffedFile>,
  isKnown: (path: string) => boolean,
): ShownDiff => {
  const found = changes.map(change => ({ change, hidden: findHidden(caller, change) }))
  if (found.every(({ hidden }) => hidden.before.size + hidden.after.size === 0))
    return { diff: publicDiff(changes) }
  const files = found.map(one => ({ ...one, lines: changedLinesOf(one.change) }))
  const isAddition = files.every(({ lines }) => lines.removed.length === 0)
  const shown = files.map(({ change, hidden: all, lines }) => {
    const isSent = isAddition && !derived.has(roleOf(change.path))
    const hidden = isSent ? { ...all, after: none } : all
    const withheld = pickHidden(lines, hidden)
    const isWhole = countOf(withheld) > 0 && countOf(withheld) === countOf(lines)
    return { change, withheld, diff: isWhole ? '' : fileDiff(change, hidden) }
  })
  const withheld = shown
    .filter(one => countOf(one.withheld) > 0)
    .map(({ change, withheld: lines }) => ({
      file: isKnown(change.path) ? change.path : null,
      added: lines.added.length,
      removed: lines.removed.length,
      required: findReaders(change, lines),
    }))
  const diff = shown.map(one => one.diff).join('')
  return withheld.length === 0 ? { diff } : { diff, withheld }
}
