import type { NameUse } from '#protocol/entities/write.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { grade } from '#src/domain/identity/rights/grade.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { aType } from '../entities/article.js'
import { usesOfName, usesOfSpelling } from '../entities/names/name-uses.js'

/** What a refusal may name to a caller: blocks by `entity.read`, sessions by `session.read`. */
export interface Sight {
  readonly entities: boolean
  readonly sessions: boolean
}

export const sightOf = ({ holds, view }: Pick<Caller, 'holds' | 'view'>): Sight => ({
  entities: grade(holds, 'entity.read') === 'full',
  sessions: view.sessions,
})

/** Whether an answer may suggest names of blocks to a caller: to whoever may list entities or people. */
export const seesNames = (caller: Pick<Caller, 'holds' | 'view'>): boolean =>
  sightOf(caller).entities || grade(caller.holds, 'player.read') === 'full'

/** Who has a name: a block or a session that the caller may see, else nobody in particular. */
interface Holder {
  readonly type: string
  readonly who: string
}

const somebody: Holder = { type: '', who: 'Something in the lore has' }

const ofSession = (use: NameUse['use']): string => {
  if (use === 'narrator') return 'The narrator field of a session has'
  return use === 'award' ? 'A PU award has' : 'A session uses'
}

const holderOf = ({ use, blocks }: NameUse, sight: Sight): Holder | null => {
  const [block] = blocks
  if (block !== undefined) {
    if (!sight.entities) return null
    const who =
      use === 'block' ? `${aType(block.type)} („${block.name}”) bears` : `„${block.name}” belongs to`
    return { type: block.type, who }
  }
  if (use === 'file') return sight.entities ? { type: 'Postać', who: 'A character file has' } : null
  return sight.sessions ? { type: 'Sesja', who: ofSession(use) } : null
}

/** The use to tell of; null where there is none. */
const holderIn = (uses: ReadonlyArray<NameUse>, sight: Sight): Holder | null => {
  if (uses.length === 0) return null
  for (const use of uses) {
    const holder = holderOf(use, sight)
    if (holder !== null) return holder
  }
  return somebody
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
    const holder = holderIn(usesOfName(snapshot, name, than), sight)
    if (holder === null) continue
    const { type, who } = holder
    return refuse('NameTaken', `${who} the name „${name}”. Choose another.`, { name, type })
  }
  return null
}

/**
 * Refuses to take away a spelling of the caller's own Postać, or to give it a last day, where anything else goes by it:
 * an effect of a closed session would come undone or pass to another bearer (D61).
 */
export const refuseSpellingGone = (
  snapshot: Snapshot,
  sight: Sight,
  holder: Entity,
  spelling: { readonly tag: string; readonly value: string },
): RefusalOf<'NameTaken'> | null => {
  const used = holderIn(usesOfSpelling(snapshot, holder, spelling), sight)
  if (used === null) return null
  const [{ type, who }, name] = [used, spelling.value]
  const detail = `${who} the name „${name}”, so it stays with the Postać. Ask a narrator to change it.`
  return refuse('NameTaken', detail, { name, type })
}
