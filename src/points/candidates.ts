import type { Day } from '#protocol/atoms/day.js'
import type { Row } from '#src/lore/row.js'
import { valueOn } from '#src/people/active-rows.js'
import type { Characters } from '#src/people/characters.js'
import type { Sessions } from '#src/sessions/session.js'
import type { Candidate } from './candidate.js'
import { type Figures, figureOf } from './figures.js'
import type { PuSession } from './month-sessions.js'

/** The PU figures that the rows of a Postać hold on a day, as written: nothing is derived. */
export const figuresOn = (rows: ReadonlyArray<Row>, day: Day): Figures => ({
  startowe: figureOf(valueOn(rows, 'pu_startowe', day)),
  suma: figureOf(valueOn(rows, 'pu_suma', day)),
  zdobyte: figureOf(valueOn(rows, 'pu_zdobyte', day)),
  nadmiar: figureOf(valueOn(rows, 'pu_nadmiar', day)),
})

const names: ReadonlySet<string> = new Set(['alias', 'nazwa_svc', 'nick'])

/** The Postacie as PU see them. Aliases of any range count: a session is read long after its day. */
export const candidatesOf = (characters: Characters, day: Day): ReadonlyArray<Candidate> =>
  characters.all.map(({ entity, name, owner, status }) => ({
    name,
    aliases: entity.rows.filter(row => names.has(row.tag)).map(row => row.value),
    player: owner,
    status,
    figures: figuresOn(entity.rows, day),
  }))

/** The merged sessions as PU see them. */
export const puSessionsOf = (sessions: Sessions): ReadonlyArray<PuSession> =>
  sessions.all.map(({ header, date, points, copies }) => ({
    header,
    date,
    points,
    copies: copies.length > 1 ? copies.map(copy => copy.points) : [],
  }))
