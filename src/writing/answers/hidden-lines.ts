import type { Caller } from '#src/domain/callers/caller.js'
import { unreadableLines } from '#src/domain/identity/readable.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { withheldLinesOf } from '#src/domain/people/visible-document.js'

/**
 * The numbers of the lines of a file that an answer to a write must not name to the caller: those that they may
 * not read by `GET`, and withheld ones, such as a line of a restricted topic, whose number would confirm a guess.
 */
export const hiddenLinesOf = (
  file: SourceFile,
  caller: Pick<Caller, 'holds' | 'view'>,
): ReadonlySet<number> =>
  new Set([...unreadableLines(caller, file), ...withheldLinesOf(file.text, caller.view.mayReadRestricted)])
