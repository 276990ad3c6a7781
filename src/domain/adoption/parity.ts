import type { ParityRow } from '#protocol/admin.js'
import type { Day } from '#protocol/atoms.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { entityNamed } from '#src/domain/entities/entity-named.js'
import { ownerOn } from '#src/domain/entities/state.js'
import { numberOrNull } from '#src/domain/lore/decimal.js'
import { type Figures, figuresOn } from '#src/domain/lore/figures.js'
import type { LegacyCharacter } from './legacy/overlay.js'
import { figureNames, noFigures } from './legacy/points-line.js'
import { redactWebhooks } from './legacy/secret.js'

type Side = ParityRow['legacy']

const sideOf = ({ suma, startowe, zdobyte, nadmiar }: Figures): Side => ({
  suma: numberOrNull(suma),
  startowe: numberOrNull(startowe),
  zdobyte: numberOrNull(zdobyte),
  nadmiar: numberOrNull(nadmiar),
})

/** The PU of a character in the predecessor, compared with the adopted block (FORMATS 9). */
export const parityRow = (character: LegacyCharacter, entities: Entities, day: Day): ParityRow => {
  const adopted = entityNamed(entities, character.name, day, 'Postać')?.entity ?? null
  const legacy = sideOf(character.figures)
  const now = sideOf(adopted === null ? noFigures : figuresOn(adopted.rows, day))
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
