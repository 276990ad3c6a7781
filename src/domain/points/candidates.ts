import type { Day } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { figuresOn } from '#src/domain/lore/figures.js'
import type { Characters } from '#src/domain/people/characters/characters.js'
import type { Session, Sessions } from '#src/domain/sessions/session.js'
import type { Candidate } from './candidate.js'
import type { PuSession } from './month-sessions.js'

const names: ReadonlySet<string> = new Set(['alias', 'nazwa_svc', 'nick'])

/**
 * The Postacie as candidates. Aliases of any range count, because a session may be read long after its day.
 */
export const candidatesOf = (characters: Characters, day: Day): ReadonlyArray<Candidate> =>
  characters.all.map(({ entity, name, owner, status }) => ({
    name,
    aliases: entity.rows.filter(row => names.has(row.tag)).map(row => row.value),
    player: owner,
    status,
    figures: figuresOn(entity.rows, day),
  }))

/** One for each session, so that a commit which leaves a session as it is leaves its key too. */
const puSessionOf = perValue(
  ({ header, date, points, copies }: Session): PuSession => ({
    header,
    date,
    points,
    copies: copies.length > 1 ? copies.map(copy => copy.points) : [],
  }),
)

/** The merged sessions as input of PU. */
export const puSessionsOf = perValue(
  (sessions: Sessions): ReadonlyArray<PuSession> => sessions.all.map(puSessionOf),
)
