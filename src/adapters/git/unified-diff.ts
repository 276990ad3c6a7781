import { formatPatch, type StructuredPatchHunk, structuredPatch } from 'diff'

/** Both texts of a file; null where it is not there. */
export interface TextChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** The numbers of the lines of a text that a diff may not show, counted from 1. */
export type WithheldLines = (text: string) => ReadonlySet<number>

interface WithheldOf {
  readonly before: ReadonlySet<number>
  readonly after: ReadonlySet<number>
}

const withheldText = '[withheld]'

/** The lines of a hunk, each withheld one with its mark alone. */
const openLines = (
  { lines, oldStart, newStart }: StructuredPatchHunk,
  { before, after }: WithheldOf,
): Array<string> => {
  let [old, fresh] = [oldStart, newStart]
  return lines.map(line => {
    const mark = line.charAt(0)
    if (mark === '\\') return line
    const isWithheld = mark === '+' ? after.has(fresh) : before.has(old)
    if (mark !== '+') old += 1
    if (mark !== '-') fresh += 1
    return isWithheld ? `${mark}${withheldText}` : line
  })
}

const side = (prefix: string, path: string, text: string | null): string =>
  text === null ? '/dev/null' : `${prefix}/${path}`

/**
 * The unified diff of files, in the order given; what a dry run answers (A 1). It shows the lines that change and none
 * beside them: what stands next to them may be somebody else's. Of a withheld line it tells where it stands (ADR 0262).
 */
export const unifiedDiff = (changes: ReadonlyArray<TextChange>, withheld: WithheldLines): string =>
  changes
    .filter(({ before, after }) => before !== after)
    .map(({ path, before, after }) => {
      const patch = structuredPatch(
        side('a', path, before),
        side('b', path, after),
        before ?? '',
        after ?? '',
        '',
        '',
        { context: 0 },
      )
      const of = { before: withheld(before ?? ''), after: withheld(after ?? '') }
      const hunks = patch.hunks.map(hunk => ({ ...hunk, lines: openLines(hunk, of) }))
      return formatPatch(
        { ...patch, hunks },
        { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
      )
    })
    .join('')
