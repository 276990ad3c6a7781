import type { RepoPath } from '#protocol/atoms/path.js'
import { type FileEdit, type Splice, spliced } from '#src/domain/lore/edits/file-edit.js'

const bom = Buffer.from([0xef, 0xbb, 0xbf])

const startsWithBom = (bytes: Buffer): boolean => bytes.subarray(0, bom.length).equals(bom)

/** The bytes after the splices; those outside them stand as they stood, a BOM included. */
export const splicedBytes = (bytes: Buffer, splices: ReadonlyArray<Splice>): Buffer => {
  const [mark, body] = startsWithBom(bytes)
    ? [bytes.subarray(0, bom.length), bytes.subarray(bom.length)]
    : [Buffer.alloc(0), bytes]
  return Buffer.concat([mark, Buffer.from(spliced(body.toString('utf8'), splices), 'utf8')])
}

/** Files as a row of writes leaves them one after the other, all planned on the same bytes. */
export interface Composition {
  /** The files that these edits touch, as they are after all edits so far. */
  readonly after: (edits: ReadonlyArray<FileEdit>) => ReadonlyMap<RepoPath, Buffer | null>
}

/** Composes edits that do not meet; `before` has the bytes of every file of a `Lines` edit. */
export const composition = (before: ReadonlyMap<RepoPath, Buffer>): Composition => {
  const splices = new Map<RepoPath, ReadonlyArray<Splice>>()
  const edited = (edit: FileEdit): Buffer | null => {
    if (edit._tag === 'Whole') return edit.after === null ? null : Buffer.from(edit.after, 'utf8')
    const bytes = before.get(edit.path)
    if (bytes === undefined) throw new Error(`${edit.path}: its bytes were not read`)
    const all = [...(splices.get(edit.path) ?? []), ...edit.splices]
    splices.set(edit.path, all)
    return splicedBytes(bytes, all)
  }
  return { after: edits => new Map(edits.map(edit => [edit.path, edited(edit)])) }
}
