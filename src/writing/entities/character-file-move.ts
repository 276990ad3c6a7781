import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { RepoPath } from '#protocol/atoms.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import { characterPath } from '#src/domain/people/character-file.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { quoteBlock } from '../answers/quoted-lore.js'
import { refuseValue } from './tag-value.js'

/** The edits that move a character file. `from` is null when the entity has no such file. */
interface Move {
  readonly from: RepoPath | null
  readonly edits: ReadonlyArray<FileEdit>
}

/**
 * Moves the file of a Postać to its new name. Refuses when a file of that name exists, or when the file is
 * not UTF-8.
 */
export const characterFileMove = (
  { characterFiles, files }: Snapshot,
  entity: Entity,
  name: string,
): Either<RefusalOf<'ValueRefused'>, Move> => {
  const from = entity.type === 'Postać' ? (characterFiles.get(entity.key)?.path ?? null) : null
  const file = from === null ? undefined : files.get(from)
  if (from === null || file === undefined) return right({ from: null, edits: [] })
  const path = characterPath(name)
  if (path === from) return right({ from, edits: [] })
  if (files.has(path)) return left(refuseValue('name', `would need the file ${path}, which already exists`))
  if (file.undecodable)
    return left(
      quoteBlock(
        refuseValue('name', `belongs to the file ${from}, which is not UTF-8`),
        refuseValue('name', 'belongs to a character file that is not UTF-8'),
        entity,
      ),
    )
  return right({
    from,
    edits: [
      { _tag: 'Whole', path: from, before: file.blob, after: null },
      { _tag: 'Whole', path, before: null, after: `${file.bom === true ? '\u{feff}' : ''}${file.text}` },
    ],
  })
}
