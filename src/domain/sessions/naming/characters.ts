import { type EntityType, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { resolveUpToForms } from '#src/domain/names/reach/resolve-forms.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { Session } from '../session.js'
import { sessionWithoutTopics } from '../shown-session.js'

/**
 * A participant: a Postać, another entity, or a name that no block has (`type` null). `key` is unique per
 * character.
 */
export interface Player {
  readonly key: string
  readonly name: string
  readonly type: EntityType | null
}

const postac: ReadonlyArray<EntityType> = ['Postać']

const playerOf = (text: string, entity: Entity | null): Player =>
  entity === null
    ? { key: `? ${nameKey(text)}`, name: text, type: null }
    : { key: `${entity.type} ${entity.key}`, name: entity.name, type: entity.type }

/** PU go to written names alone (D50). */
const findCreditedPlayer = (names: NameIndex, text: string): Player =>
  playerOf(
    text,
    resolveName(names, text, { types: postac, upTo: 'alias' }).entity ??
      resolveName(names, text, { upTo: 'alias' }).entity,
  )

const findStatedPlayer = (names: NameIndex, text: string): Player =>
  playerOf(text, resolveUpToForms(names, text, [postac, null]).found.entity)

const memoize = (resolve: (text: string) => Player): ((text: string) => Player) => {
  const known = new Map<string, Player>()
  return text => {
    const found = known.get(text) ?? resolve(text)
    known.set(text, found)
    return found
  }
}

const memo = perValue((names: NameIndex) => {
  const credited = memoize(text => findCreditedPlayer(names, text))
  const stated = memoize(text => findStatedPlayer(names, text))
  return perValue((session: Session): ReadonlyArray<Player> => {
    const players = new Map<string, Player>()
    const { points, participants } = sessionWithoutTopics(session)
    const all = [...points.map(one => credited(one.character)), ...participants.map(stated)]
    for (const found of all) if (!players.has(found.key)) players.set(found.key, found)
    return [...players.values()]
  })
})

/** The participants of a session by its PU and `@Uczestnicy`, each once in any spelling. */
export const playersIn = (session: Session, names: NameIndex): ReadonlyArray<Player> => memo(names)(session)
