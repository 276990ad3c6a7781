import type { NameUse } from '#protocol/entities/write.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import type { Entity } from '#src/entities/entity.js'
import { aType } from '#src/entities/writing/article.js'
import { usesOfName } from '#src/entities/writing/name-uses.js'
import type { Caller } from '#src/identity/caller.js'
import { grade } from '#src/identity/rights/grade.js'

/** What a refusal may name to a caller: blocks by `entity.read`, sessions by `session.read`. */
export interface Sight {
  readonly entities: boolean
  readonly sessions: boolean
}

export const sightOf = ({ holds, view }: Pick<Caller, 'holds' | 'view'>): Sight => ({
  entities: grade(holds, 'entity.read') === 'full',
  sessions: view.sessions,
})

const taken = (name: string, type: string, who: string): RefusalOf<'NameTaken'> =>
  refuse('NameTaken', `${who} the name „${name}”. Choose another.`, { name, type })

const refusalOf = ({ name, use, blocks }: NameUse, sight: Sight): RefusalOf<'NameTaken'> | null => {
  const [block] = blocks
  if (block !== undefined) {
    if (!sight.entities) return null
    const who =
      use === 'block' ? `${aType(block.type)} („${block.name}”) bears` : `„${block.name}” belongs to`
    return taken(name, block.type, who)
  }
  if (!sight.sessions) return null
  return taken(name, 'Sesja', use === 'narrator' ? 'The narrator field of a session has' : 'A session uses')
}

/**
 * Refuses names that anything in the lore bears or uses, to a caller who may write their own Postacie only: a homonym
 * would take what is somebody else's (D61). Names a use that the caller may see, if there is one. `than` is the Postać
 * that gets the names, null for a new one.
 */
export const refuseOwnNames = (
  snapshot: Snapshot,
  sight: Sight,
  names: ReadonlyArray<string>,
  than: Entity | null,
): RefusalOf<'NameTaken'> | null => {
  for (const name of names) {
    const uses = usesOfName(snapshot, name, than)
    if (uses.length === 0) continue
    for (const use of uses) {
      const refusal = refusalOf(use, sight)
      if (refusal !== null) return refusal
    }
    return taken(name, '', 'Something in the lore has')
  }
  return null
}
