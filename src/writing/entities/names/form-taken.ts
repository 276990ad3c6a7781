import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { nameTaken } from './taken.js'

/**
 * The refusal of a spelling that is a name of another block, or a form of one in any grammatical case, behind
 * titles and by `lematy.tsv` too: the block that got it would take the form over. Null when no other block has it.
 */
export const formTaken = (
  { names }: Snapshot,
  surface: string,
  than: Entity,
): RefusalOf<'NameTaken'> | null => {
  const within = (entity: Entity): boolean => entity !== than
  const { candidates, stage } = resolveName(names, surface, { upTo: 'lemma', topN: 1, within })
  const [owner] = candidates
  if (owner === undefined) return null
  if (stage === 'exact' || stage === 'alias') return nameTaken(surface, owner)
  const owned = `"${surface}" is a form of the name "${owner.name}" of another block (${owner.type})`
  const detail = `${owned}. Choose another spelling.`
  return refuse('NameTaken', detail, { name: surface, type: owner.type })
}
