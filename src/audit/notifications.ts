import type { Day } from '#protocol/atoms/day.js'
import { nameKey } from '#protocol/atoms/name.js'
import type { Directive } from '#protocol/audit/directive.js'
import type { Notification } from '#protocol/audit/notification.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import { scrubber } from '#src/events/scrub.js'
import { perValue } from '#src/lore/per-value.js'
import { narratorsOf } from '#src/sessions/naming/narrators.js'
import type { Session } from '#src/sessions/session.js'
import { recipientsOf, targetOf } from './recipients.js'

/** The filters of `GET /audit/notifications`; an absent one lets everything through. */
export interface NotificationFilter {
  /** The name in the target, or of a recipient; whatever its case. */
  readonly target?: string | undefined
  readonly directive?: Directive | undefined
  /** First and last day of the session, inclusive. */
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

const scrub = scrubber([])

const narratorOf = ({ names }: Snapshot, { narrator, date }: Session): string | null => {
  const { persons } = narratorsOf(names, narrator, date)
  return persons.length === 0 ? narrator : persons.join(' + ')
}

const ofSession = (snapshot: Snapshot, session: Session): ReadonlyArray<Notification> => {
  if (session.intel.length === 0) return []
  const { header, title, date, dateEnd } = session
  const narrator = narratorOf(snapshot, session)
  const closed = snapshot.closeLedger.closed.has(session.key)
  return session.intel.map(({ target, message }) => {
    const meant = targetOf(target)
    const recipients = recipientsOf(snapshot.entities, snapshot.names, meant, date)
    return {
      date,
      dateEnd,
      header,
      title,
      narrator,
      directive: meant.directive,
      target,
      message: scrub(message),
      count: recipients.length,
      recipients,
      closed,
    }
  })
}

const all = perValue(
  (snapshot: Snapshot): ReadonlyArray<Notification> =>
    snapshot.sessions.all.flatMap(session => ofSession(snapshot, session)),
)

const isFor = ({ target, recipients }: Notification, name: string): boolean => {
  const key = nameKey(name)
  return [target, targetOf(target).text, ...recipients].some(one => nameKey(one) === key)
}

/** What sessions announce that it be delivered, oldest session first (FORMATS 8). */
export const notifications = (
  snapshot: Snapshot,
  { target, directive, from, to }: NotificationFilter,
): ReadonlyArray<Notification> =>
  all(snapshot).filter(
    one =>
      (directive === undefined || one.directive === directive) &&
      (from === undefined || one.date >= from) &&
      (to === undefined || one.date <= to) &&
      (target === undefined || isFor(one, target)),
  )
