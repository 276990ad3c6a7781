import { type Day, nameKey } from '#protocol/atoms.js'
import { rowFields } from '#protocol/sessions.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { sessionsNamingInSlices } from './naming/mentions.js'
import type { Session } from './session.js'
import type { SessionLore } from './session-lore.js'

/** The filters of `GET /sessions` (B 4.2); an absent one matches everything. */
export interface SessionFilter {
  /** A member of `Narrators`, as written. */
  readonly narrator?: string | undefined
  /** First and last day, inclusive. A session of several days counts when one of them is within. */
  readonly from?: Day | undefined
  readonly to?: Day | undefined
  /** A name in any form but a misspelling: matches sessions that name an entity of it. */
  readonly entity?: string | undefined
}

const sessionsThatName = function* (
  { sessions, names }: SessionLore,
  entity: string,
): Sliced<ReadonlySet<Session>> {
  const index = yield* sessionsNamingInSlices(sessions, names)
  return new Set(
    resolveName(names, entity, { upTo: 'lemma' }).candidates.flatMap(owner => index.get(owner) ?? []),
  )
}

/** Whether a session has a day from `from` to `to`, both inclusive; undefined bounds nothing. */
export const isWithin = (
  { date, dateEnd }: Pick<Session, 'date' | 'dateEnd'>,
  from: Day | undefined,
  to: Day | undefined,
): boolean => (from === undefined || (dateEnd ?? date) >= from) && (to === undefined || date <= to)

/** The sessions that pass every filter, oldest first. Yields while it finds the sessions of an entity. */
export const filterSessionsInSlices = function* (
  lore: SessionLore,
  filter: SessionFilter,
): Sliced<ReadonlyArray<Session>> {
  const { sessions } = lore
  const { narrator, from, to, entity } = filter
  let all = narrator === undefined ? sessions.all : (sessions.byNarrator.get(nameKey(narrator)) ?? [])
  if (from !== undefined || to !== undefined) all = all.filter(session => isWithin(session, from, to))
  if (entity === undefined) return all
  const named = yield* sessionsThatName(lore, entity)
  return all.filter(session => named.has(session))
}

const fieldByKey: ReadonlyMap<string, string> = new Map(rowFields.map(field => [field.toLowerCase(), field]))

/** The known fields in a comma list, in any case. Never contains `Header`, which is always served. */
export const fieldsNamed = (text: string): ReadonlySet<string> =>
  new Set(text.split(',').flatMap(part => fieldByKey.get(part.trim().toLowerCase()) ?? []))
