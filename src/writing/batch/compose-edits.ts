import type { RepoPath } from '#protocol/atoms.js'
import { applySplices, type FileEdit, type Splice } from '#src/domain/lore/file-edit.js'

const bom = Buffer.from([0xef, 0xbb, 0xbf])

const startsWithBom = (bytes: Buffer): boolean => bytes.subarray(0, bom.length).equals(bom)

/**
 * Applies splices to the bytes of a UTF-8 file. Text outside them and a BOM are kept; bytes that are not
 * UTF-8 become U+FFFD. Splices count lines of `bytes` from 1 and must not overlap.
 */
export const spliceBytes = (bytes: Buffer, splices: ReadonlyArray<Splice>): Buffer => {
  const [mark, body] = startsWithBom(bytes)
    ? [bytes.subarray(0, bom.length), bytes.subarray(bom.length)]
    : [Buffer.alloc(0), bytes]
  return Buffer.concat([mark, Buffer.from(applySplices(body.toString('utf8'), splices), 'utf8')])
}

/** The state of the files while several writes that were all planned on the same bytes are applied. */
export interface Composition {
  /**
   * Adds the edits of one write, and returns the files that they touch after all edits so far; null for a
   * removed file. Each call counts: splices that are given twice are applied twice. A `Whole` edit is not
   * remembered, so a later `Lines` edit of its file starts from `before`. Throws when the bytes of
   * a file with a `Lines` edit are missing.
   */
  readonly apply: (edits: ReadonlyArray<FileEdit>) => ReadonlyMap<RepoPath, Buffer | null>
}

/** Composes edits that do not conflict. `before` holds the bytes of every file with a `Lines` edit. */
export const makeComposition = (before: ReadonlyMap<RepoPath, Buffer>): Composition => {
  const splices = new Map<RepoPath, ReadonlyArray<Splice>>()
  const applyEdit = (edit: FileEdit): Buffer | null => {
    if (edit._tag === 'Whole') return edit.after === null ? null : Buffer.from(edit.after, 'utf8')
    const bytes = before.get(edit.path)
    if (bytes === undefined) throw new Error(`${edit.path}: its bytes were not read`)
    const all = [...(splices.get(edit.path) ?? []), ...edit.splices]
    splices.set(edit.path, all)
    return spliceBytes(bytes, all)
  }
  return { apply: edits => new Map(edits.map(edit => [edit.path, applyEdit(edit)])) }
}
