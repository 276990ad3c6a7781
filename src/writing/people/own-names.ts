import type { NameUse } from '#protocol/entity-writes.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import { mixedWordIn } from '#src/domain/names/look-alike.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { aType } from '../entities/article.js'
import { usesOfName, usesOfSpelling } from '../entities/names/name-uses.js'

/** What a refusal may name to a caller: blocks with `entity.read`, sessions with `session.read`. */
export interface Sight {
  readonly entities: boolean
  readonly sessions: boolean
}

/** Which names an answer to this caller may show: those of blocks, and those of sessions. */
export const sightOf = ({ holds, view }: Pick<Caller, 'holds' | 'view'>): Sight => ({
  entities: gradeOf(holds, 'entity.read') === 'full',
  sessions: view.sessions,
})

/** Whether an answer may suggest names of blocks to a caller: those who may list entities or people. */
export const seesNames = (caller: Pick<Caller, 'holds' | 'view'>): boolean =>
  sightOf(caller).entities || gradeOf(caller.holds, 'player.read') === 'full'

/** The bearer of a name in a refusal: a block or a session that the caller may see, else an unnamed one. */
interface Holder {
  readonly type: string
  readonly who: string
}

const somebody: Holder = { type: '', who: 'Something in the lore has' }

const ofSession = (use: NameUse['use']): string => {
  if (use === 'narrator') return 'The narrator field of a session has'
  return use === 'award' ? 'A PU award has' : 'A session uses'
}

const ofBlock = (use: NameUse['use'], { name, type }: NameUse['blocks'][number]): string => {
  if (use === 'lookalike') return `${aType(type)} ("${name}") has a name that looks like`
  if (use === 'block') return `${aType(type)} ("${name}") has`
  return use === 'form' ? `${aType(type)} ("${name}") shares an inflected form with` : `"${name}" belongs to`
}

const holderOf = ({ use, blocks }: NameUse, sight: Sight): Holder | null => {
  const [block] = blocks
  if (block !== undefined) {
    if (!sight.entities) return null
    return { type: block.type, who: ofBlock(use, block) }
  }
  if (use === 'file') return sight.entities ? { type: 'Postać', who: 'A character file has' } : null
  return sight.sessions ? { type: 'Sesja', who: ofSession(use) } : null
}

/** The use that a refusal names; null when there are no uses. */
const holderIn = (uses: ReadonlyArray<NameUse>, sight: Sight): Holder | null => {
  if (uses.length === 0) return null
  for (const use of uses) {
    const holder = holderOf(use, sight)
    if (holder !== null) return holder
  }
  return somebody
}

/**
 * Refuses names that anything in the lore bears or uses, for a caller limited to their own Postacie: a
 * homonym could take over what belongs to another (D61). Names a use that the caller may see, if any. `than`
 * is the Postać that gets the names; null for a new one. Skips a name with a word that mixes scripts, which the plan
 * refuses for every caller.
 */
export const refuseOwnNames = (
  snapshot: Snapshot,
  sight: Sight,
  names: ReadonlyArray<string>,
  than: Entity | null,
): RefusalOf<'NameTaken'> | null => {
  for (const name of names.filter(one => mixedWordIn(one) === null)) {
    const holder = holderIn(usesOfName(snapshot, name, than), sight)
    if (holder === null) continue
    const { type, who } = holder
    return refuse('NameTaken', `${who} the name "${name}". Choose another name.`, { name, type })
  }
  return null
}

/**
 * Refuses to remove or end a spelling of the caller's own Postać that anything else uses: an effect of a
 * closed session would be lost or pass to another bearer (D61).
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
  const detail = `${who} the name "${name}", so you cannot take it from the Postać. Ask a narrator to change it.`
  return refuse('NameTaken', detail, { name, type })
}
