import { type Either, left } from 'fp-ts/lib/Either.js'
import type { CreateAnswer, TagValues } from '#protocol/entity-writes.js'
import { bodyInvalid, type RefusalOf } from '#protocol/refusal.js'
import type { OwnScope } from '#src/domain/identity/readable.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { nameTags, valueText } from '#src/domain/lore/rows.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { nameText } from '../entities/names/name-fault.js'
import { createEntityOfType } from '../entities/of-type.js'
import { tagName } from '../entities/wanted-tag.js'
import { oneMoreExceeds } from './own-bounds.js'
import { refuseOwnNames, type Sight } from './own-names.js'
import { newTagRefused } from './own-tags.js'

export type CharacterRefusal = RefusalOf<
  'BodyInvalid' | 'BoundExceeded' | 'Forbidden' | 'TagUnknown' | 'ValueRefused' | 'NameTaken'
>

const listOf = (value: TagValues[string]): ReadonlyArray<string> =>
  typeof value === 'string' ? [value] : value

/** Creates a Postać (A 4.6.7). The body must name its owner, a Gracz of the contributor store. */
export const createCharacter = (
  snapshot: Snapshot,
  scope: OwnScope | null,
  wanted: { readonly name: string; readonly tags: TagValues },
  sight: Sight,
): Either<CharacterRefusal, ChangeSet<CreateAnswer>> => {
  const values = Object.entries(wanted.tags).flatMap(([name, value]) =>
    listOf(value).map(one => [tagName(name), one] as const),
  )
  if (!values.some(([tag]) => tag === 'należy_do')) {
    const detail = '`tags.należy_do` must be the name of a Gracz.'
    return left(bodyInvalid(detail, { path: '$.tags.należy_do', expected: 'the name of a Gracz' }))
  }
  for (const [tag, value] of values) {
    const refusal = newTagRefused(scope, tag, value)
    if (refusal !== null) return left(refusal)
  }
  const excess = oneMoreExceeds(scope)
  if (excess !== null) return left(excess)
  const names = [
    nameText(wanted.name),
    ...values.flatMap(([tag, value]) => (nameTags.has(tag) ? [valueText(value)] : [])),
  ]
  const taken = scope === null ? null : refuseOwnNames(snapshot, sight, names, null)
  if (taken !== null) return left(taken)
  return createEntityOfType(snapshot, { ...wanted, type: 'Postać' })
}
