import { type Day, type Directive, type NameKey, nameKey } from '#protocol/atoms.js'
import { applyWindow, type Window, type Windowed } from '#protocol/list.js'
import type { Notification } from '#protocol/lore/audit.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { findRecorded } from '#src/domain/entities/reading.js'
import { lineStarts, rawLines, readLinesInSlices } from '#src/domain/lore/lines.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { keysMeant } from '#src/domain/names/resolve.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import { recallOf } from '#src/domain/sessions/effects/overlay-state.js'
import { intelNames, intelTargetOf, recipientsOf } from '#src/domain/sessions/intel-recipients.js'
import { type NarratorLore, narratorsOf } from '#src/domain/sessions/reading/narrators.js'
import type { SessionLore } from '#src/domain/sessions/reading/spellings.js'
import { type Session, sessionWithoutTopics } from '#src/domain/sessions/session.js'
import { isWithin } from '#src/domain/sessions/session-answers.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'

/**
 * The Intel entries of sessions, oldest session first (FORMATS 8). Without a filter by name, recipients are
 * computed only for the window. Sliced, because many entries may have many recipients.
 */
export const notifications = function* (
  lore: AnnouncedLore,
  filter: NotificationFilter,
  window: Window,
): Sliced<Windowed<Notification>> {
  const entries = entriesOf(lore, filter)
  const { target } = filter
  const accepts = target === undefined ? null : isFor(lore, target)
  const wanted = accepts === null ? applyWindow(entries, window) : null
  const found: Array<Notification> = []
  for (const entry of wanted?.items ?? entries) {
    const one = describeEntry(lore, entry)
    if (accepts?.(one) !== false) found.push(one.notification)
    yield
  }
  return wanted === null ? applyWindow(found, window) : { ...wanted, items: found }
}

/** The narrators of a session joined by ` + `, else the field as written (FORMATS 8). */
export const narratorText = (lore: NarratorLore, { narrator, date }: Session): string | null => {
  const { persons } = narratorsOf(lore, narrator, date)
  return persons.length === 0 ? narrator : persons.join(' + ')
}

/**
 * Splits a text before its headers of level 1 to 3, so that unchanged pieces are not described. The text before
 * the first header is a piece too.
 */
export const piecesOf = function* (text: string): Sliced<ReadonlyArray<string>> {
  const { lines } = yield* readLinesInSlices(text)
  const starts = lineStarts(text)
  yield
  const cuts = lines.flatMap(line =>
    line._tag === 'Header' && line.level <= 3 && line.number > 1 ? [starts[line.number - 1] ?? 0] : [],
  )
  return text === '' ? [] : [0, ...cuts].map((start, at) => text.slice(start, cuts[at]))
}

/** The lines of a text, for files with one record a line. */
export const recordsOf = function* (text: string): Sliced<ReadonlyArray<string>> {
  yield
  return rawLines(text).filter(line => line.trim() !== '')
}

/** How many items are processed between two yields. */
export const sliceCount = 200

/** The pieces that each of two texts has and the other does not. Skips the common beginning and end first. */
export const dropSharedPieces = function* (
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>,
): Sliced<Unshared> {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const was = before.slice(start, before.length - end)
  const is = after.slice(start, after.length - end)
  return { before: yield* beyond(was, is), after: yield* beyond(is, was) }
}

/** The filters of `GET /audit/notifications`; an absent one matches everything. */
interface NotificationFilter {
  /** A target as written, a name in it, or a recipient; names in any form but a misspelling. */
  readonly target?: string | undefined
  readonly directive?: Directive | undefined
  /** First and last day, inclusive; a session of several days counts when one of them is within. */
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

/** The inputs of the notifications; a snapshot has them all. */
interface AnnouncedLore extends Pick<SessionLore, 'names' | 'config' | 'sessions' | 'closeLedger'> {
  readonly entities: Entities
}

/** An entry of a session before its recipients are known. */
interface Entry {
  readonly session: Session
  readonly target: string
  readonly message: string
}

/** How many recipients one entry names; `count` covers all. */
const recipientsMax = 200

/**
 * The recipients of an entry: those recorded when the session was closed (D66), else those on the day of the
 * session.
 */
const recipientNames = (
  { entities, names, closeLedger }: AnnouncedLore,
  session: Session,
  target: string,
): ReadonlyArray<string> => {
  const recorded = recallOf(closeLedger.meanings.get(ledgerKeyOf(session)) ?? null).recipients(target)
  return recorded === null
    ? recipientsOf(entities, names, intelTargetOf(target), session.date).map(one => one.name)
    : recorded.map(one => findRecorded(entities, one)?.name ?? one.heading)
}

const describeEntry = (lore: AnnouncedLore, { session, target, message }: Entry): Told => {
  const { header, title, date, dateEnd } = session
  const meant = intelTargetOf(target)
  const recipients = recipientNames(lore, session, target)
  return {
    recipients,
    notification: {
      date,
      dateEnd,
      header,
      title,
      narrator: narratorText(lore, session),
      directive: meant.directive,
      target,
      message: redactCredentials(message),
      count: recipients.length,
      recipients: recipients.slice(0, recipientsMax),
      closed: lore.closeLedger.closed.has(ledgerKeyOf(session)),
    },
  }
}

interface Told {
  readonly notification: Notification
  readonly recipients: ReadonlyArray<string>
}

const entriesOf = (
  { sessions }: AnnouncedLore,
  { directive, from, to }: NotificationFilter,
): ReadonlyArray<Entry> =>
  sessions.all
    .filter(session => isWithin(session, from, to))
    .flatMap(session =>
      sessionWithoutTopics(session).intel.map(({ target, message }) => ({ session, target, message })),
    )
    .filter(({ target }) => directive === undefined || intelTargetOf(target).directive === directive)

/** The keys of a target: as written, those of each of its names, and those of the headings that these mean. */
const targetKeys = ({ names }: AnnouncedLore, target: string): ReadonlyArray<NameKey> => [
  nameKey(target),
  ...intelNames(names, intelTargetOf(target)).flatMap(({ name, found }) => [
    nameKey(name),
    ...found.candidates.map(one => one.key),
  ]),
]

/** Whether an entry is for what the filter names: `Grupa/X` and `Lokacja/X` name targets of that directive alone. */
const isFor = (lore: AnnouncedLore, asked: string): ((told: Told) => boolean) => {
  const { directive, text } = intelTargetOf(asked)
  const keys = new Set([asked, text].flatMap(one => [...keysMeant(lore.names, one)]))
  return ({ notification, recipients }) =>
    (directive === 'Direct' || notification.directive === directive) &&
    [...targetKeys(lore, notification.target), ...recipients.map(nameKey)].some(one => keys.has(one))
}

/** The texts of `from` that `other` does not have, or has less often. */
const beyond = function* (
  from: ReadonlyArray<string>,
  other: ReadonlyArray<string>,
): Sliced<ReadonlyArray<string>> {
  const counts = new Map<string, number>()
  for (const [at, one] of other.entries()) {
    counts.set(one, (counts.get(one) ?? 0) + 1)
    if (at % sliceCount === sliceCount - 1) yield
  }
  const found: Array<string> = []
  for (const [at, one] of from.entries()) {
    const count = counts.get(one) ?? 0
    counts.set(one, count - 1)
    if (count <= 0) found.push(one)
    if (at % sliceCount === sliceCount - 1) yield
  }
  return found
}

interface Unshared {
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
}
