import type { ParityRow } from '#protocol/admin/adoption.js'
import type { Day } from '#protocol/atoms/day.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { entityNamed } from '#src/domain/entities/entity-named.js'
import { ownerOn, pointsOn } from '#src/domain/entities/state.js'
import { toNumber } from '#src/domain/points/decimal.js'
import type { LegacyCharacter } from './legacy/overlay.js'
import { figureNames } from './legacy/points-line.js'
import { redactWebhooks } from './legacy/secret.js'

type Side = ParityRow['legacy']

const sideOf = (of: (name: keyof Side) => number | null): Side => ({
  suma: of('suma'),
  startowe: of('startowe'),
  zdobyte: of('zdobyte'),
  nadmiar: of('nadmiar'),
})

/** The PU of a character in the predecessor, compared with the adopted block (FORMATS 9). */
export const parityRow = (character: LegacyCharacter, entities: Entities, day: Day): ParityRow => {
  const adopted = entityNamed(entities, character.name, day, 'Postać')?.entity ?? null
  const legacy = sideOf(name => {
    const figure = character.figures[name]
    return figure === null ? null : toNumber(figure)
  })
  const now = sideOf(name => (adopted === null ? null : pointsOn(adopted, `pu_${name}`, day)))
  const player = character.player === null ? null : redactWebhooks(character.player)
  const owner = adopted === null ? null : ownerOn(adopted, day)
  return {
    character: character.name,
    player,
    legacy,
    adopted: now,
    equal: adopted !== null && owner === player && figureNames.every(name => legacy[name] === now[name]),
  }
}
