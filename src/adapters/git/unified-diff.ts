import { createTwoFilesPatch } from 'diff'

/** Both texts of a file; null where it is not there. */
export interface TextChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

const side = (prefix: string, path: string, text: string | null): string =>
  text === null ? '/dev/null' : `${prefix}/${path}`

/** The unified diff of files, in the order given, as git would show it; what a dry run answers (A 1). */
export const unifiedDiff = (changes: ReadonlyArray<TextChange>): string =>
  changes
    .filter(({ before, after }) => before !== after)
    .map(({ path, before, after }) =>
      createTwoFilesPatch(
        side('a', path, before),
        side('b', path, after),
        before ?? '',
        after ?? '',
        '',
        '',
        {
          context: 3,
          headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
        },
      ),
    )
    .join('')
