import type { Chance } from './chance.js'
import type { Change } from './commit.js'
import type { WorldCast } from './people/cast.js'
import { slug } from './slug.js'

/**
 * A draft that a player submitted (`POST /sessions/report`): it is below `zgłoszenia/` and is not a session.
 */
export const draftText = (cast: WorldCast, chance: Chance): Change => {
  const reporter = chance.pick(cast.characters)
  const place = chance.pick(cast.places)
  const header = `### 2026-06-11, Spotkanie w drodze, ${reporter.owner.nick}`
  const { nom } = reporter.role.full.forms
  const prose = `${nom} prosi o wpisanie rozmowy, która odbyła się niedaleko ${place.role.full.forms.gen}.`
  return {
    path: `zgłoszenia/2026-06-11-${slug(reporter.given)}.md`,
    text: `${header}\n\n${prose}\n`,
  }
}
