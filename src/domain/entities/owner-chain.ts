import type { Day } from '#protocol/atoms.js'
import type { Entities, Entity } from './entity.js'
import { ownerBlockOn } from './meaning.js'

/** The Gracz who finally owns an entity, and the owners in between. */
export interface OwnerChain {
  readonly player: Entity | null
  readonly through: ReadonlyArray<Entity>
}

/** Follows `@należy_do` on a day up to a Gracz; a Gracz owns itself. A cycle has no Gracz. */
export const ownerChain = (entities: Entities, entity: Entity, day: Day): OwnerChain => {
  const through = new Set<Entity>()
  let at: Entity | null = entity
  while (at !== null) {
    if (at.type === 'Gracz') return { player: at, through: [...through].slice(1) }
    if (through.has(at)) break
    through.add(at)
    at = ownerBlockOn(entities, at, day)?.block ?? null
  }
  return { player: null, through: [] }
}
