import type { Caller } from '#src/domain/callers/caller.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { isFixedPath } from '#src/domain/lore/layout.js'
import { type DiffedFile, diffFor } from './open-diff.js'

/** Whether a text stands in a plain value as a whole, at any depth. */
const holdsText = (value: unknown, text: string): boolean =>
  value === text ||
  (typeof value === 'object' && value !== null && Object.values(value).some(one => holdsText(one, text)))

/**
 * The body of a dry run as a caller may see it: that of the row, with the diff. The caller may know a path
 * that the layout fixes, or that the answer of the row names.
 */
export const showPreview = (
  { preview }: Pick<ChangeSet<unknown>, 'preview'>,
  changes: ReadonlyArray<DiffedFile>,
  caller: Pick<Caller, 'holds'>,
): object => ({
  ...preview,
  ...diffFor(caller, changes, path => isFixedPath(path) || holdsText(preview, path)),
})
