import { perValue } from '#src/domain/caching/per-value.js'
import type { View } from '#src/domain/callers/caller.js'
import {
  isCredentialTag,
  isTopicTag,
  namesTopics,
  openItems,
  opensChannel,
} from '#src/domain/lore/topic-text.js'
import { visibleDocument } from '#src/domain/people/visible-document.js'
import type { Session, SessionChange, SessionCopy } from './session.js'

/**
 * A session as a caller may see it: without credentials in its Zmiany, and without restricted topics (A 5) in
 * its Zmiany, preserved blocks and prose unless the view allows them. Returns the session itself when nothing
 * is hidden, and always the same object for one session, so that its answer is rendered once.
 */
export const sessionFor = (view: View, session: Session): Session =>
  view.mayReadRestricted ? shownSession(session) : openSession(session)

/** `sessionFor` for one copy. */
export const copyFor = (view: View, copy: SessionCopy): SessionCopy =>
  view.mayReadRestricted ? shownCopy(copy) : openCopy(copy)

/** The session as a caller without a right to restricted topics sees it: no answer tells whom a topic names. */
export const sessionWithoutTopics = (session: Session): Session => openSession(session)

/** `sessionWithoutTopics` for one copy. */
export const copyWithoutTopics = (copy: SessionCopy): SessionCopy => openCopy(copy)

/** The parts of a session that a person wrote as text. */
const parts = [
  'body',
  'locations',
  'otherLists',
  'logs',
  'points',
  'participants',
  'changes',
  'transfers',
  'intel',
  'preserved',
] as const

type Told = Pick<SessionCopy, (typeof parts)[number]>

const openText = (text: string): string =>
  namesTopics(text) ? visibleDocument(text, false).content.trim() : text

type IsShown = (tag: SessionChange['tags'][number]) => boolean

/** Whether a tag may be in an answer: no answer contains a credential (D36). */
const isNoCredential: IsShown = ({ tag, value }) => !isCredentialTag(tag) && !opensChannel(tag, value)

/**
 * Whether a tag shows no restricted topic. A value of several lines may contain a row that was indented too
 * deep.
 */
const isOpen: IsShown = ({ tag, value }) => !isTopicTag(tag) && !namesTopics(value)

const filterChanges = (
  changes: ReadonlyArray<SessionChange>,
  isShown: IsShown,
): ReadonlyArray<SessionChange> =>
  changes
    .map(change => ({ ...change, tags: change.tags.filter(isShown) }))
    .filter(({ tags }) => tags.length > 0)

const itself = (text: string): string => text

/** The texts of a session without restricted topics; a list that has none is the same object. */
const dropTopics = (told: Told): Told => {
  const changes = openItems(told.changes, ({ entity }) => entity)
  const preserved = openItems(told.preserved, ({ name }) => name)
  return {
    body: openText(told.body),
    locations: openItems(told.locations, itself),
    otherLists: told.otherLists.some(list => openItems(list, itself) !== list)
      ? told.otherLists.map(list => openItems(list, itself))
      : told.otherLists,
    logs: openItems(told.logs, itself),
    points: openItems(told.points, ({ character }) => character),
    participants: openItems(told.participants, itself),
    changes: changes.every(({ tags }) => tags.every(isOpen)) ? changes : filterChanges(changes, isOpen),
    transfers: openItems(told.transfers, one => `${one.denomination} ${one.source} ${one.destination}`),
    intel: openItems(told.intel, ({ target, message }) => `${target}: ${message}`),
    preserved: preserved.some(({ text }) => namesTopics(text))
      ? preserved.map(one => ({ ...one, text: openText(one.text) }))
      : preserved,
  }
}

const withoutTopics = <A extends Told>(told: A): A => {
  const open = dropTopics(told)
  return parts.every(part => open[part] === told[part]) ? told : { ...told, ...open }
}

const withoutCredentials = <A extends Told>(told: A): A =>
  told.changes.every(({ tags }) => tags.every(isNoCredential))
    ? told
    : { ...told, changes: filterChanges(told.changes, isNoCredential) }

const shownSession = perValue((session: Session): Session => withoutCredentials(session))
const openSession = perValue((session: Session): Session => withoutTopics(shownSession(session)))

const shownCopy = perValue((copy: SessionCopy): SessionCopy => withoutCredentials(copy))
const openCopy = perValue((copy: SessionCopy): SessionCopy => withoutTopics(shownCopy(copy)))
