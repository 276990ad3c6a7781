import { nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { Session } from '../session.js'

/**
 * A participant: a Postać, another entity, or a name that no block has (`type` null). `key` is unique per
 * character.
 */
export interface Player {
  readonly key: string
  readonly name: string
  readonly type: EntityType | null
}

const playerOf = (names: NameIndex, text: string): Player => {
  const character = resolveName(names, text, { types: ['Postać'], upTo: 'alias' }).entity
  const entity = character ?? resolveName(names, text, { upTo: 'alias' }).entity
  return entity === null
    ? { key: `? ${nameKey(text)}`, name: text, type: null }
    : { key: `${entity.type} ${entity.key}`, name: entity.name, type: entity.type }
}

const memo = perValue((names: NameIndex) => {
  const known = new Map<string, Player>()
  const player = (text: string): Player => {
    const found = known.get(text) ?? playerOf(names, text)
    known.set(text, found)
    return found
  }
  return perValue((session: Session): ReadonlyArray<Player> => {
    const players = new Map<string, Player>()
    for (const text of [...session.points.map(one => one.character), ...session.participants]) {
      const found = player(text)
      if (!players.has(found.key)) players.set(found.key, found)
    }
    return [...players.values()]
  })
})

/** The participants of a session by its PU and `@Uczestnicy`, each once in any spelling. */
export const playersIn = (session: Session, names: NameIndex): ReadonlyArray<Player> => memo(names)(session)
