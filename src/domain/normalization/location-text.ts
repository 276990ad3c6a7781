import type { Entities } from '#src/domain/entities/entity.js'
import { isPlaceName } from '#src/domain/entities/places/leaf.js'
import { cleanPlace, stopsOf } from '#src/domain/sessions/naming/places.js'

/** A location as a session names it, and as it is grouped. */
export interface LocationText {
  /** The text as written, without blanks around it. */
  readonly raw: string
  /** Without an asterisk at the end. */
  readonly clean: string
}

const locationCharsMax = 200

/** The stops of a location line, each cleaned (FORMATS 8). */
export const locationTexts = (entities: Entities, line: string): ReadonlyArray<LocationText> =>
  stopsOf(line, text => isPlaceName(entities, text))
    .map(raw => ({ raw, clean: cleanPlace(raw) }))
    .filter(({ clean }) => clean.length <= locationCharsMax)

/** The segments of a path, outermost first; a text without a slash is its only segment. */
export const segmentsOf = (text: string): ReadonlyArray<string> =>
  text
    .split('/')
    .map(part => part.trim())
    .filter(part => part !== '')
