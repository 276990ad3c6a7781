import { perValue } from '#src/domain/caching/per-value.js'
import type { View } from '#src/domain/callers/caller.js'
import { isCredentialTag, isTopicTag, namesTopics, opensChannel } from '#src/domain/lore/withheld-tags.js'
import { openDocument } from '#src/domain/people/characters/open-document.js'
import type { Session, SessionChange, SessionCopy } from './session.js'

type Told = Pick<SessionCopy, 'changes' | 'preserved' | 'body' | 'intel' | 'otherLists'>

const openText = (text: string): string =>
  namesTopics(text) ? openDocument(text, false).content.trim() : text

type IsShown = (tag: SessionChange['tags'][number]) => boolean

/** No answer holds a credential (D36). */
const isNoCredential: IsShown = ({ tag, value }) => !isCredentialTag(tag) && !opensChannel(tag, value)

/** A value that runs over lines may hold a row that was written too deep. */
const isOpen: IsShown = ({ tag, value }) => !isTopicTag(tag) && !namesTopics(value)

const filterChanges = (
  changes: ReadonlyArray<SessionChange>,
  isShown: IsShown,
): ReadonlyArray<SessionChange> =>
  changes
    .map(change => ({ ...change, tags: change.tags.filter(isShown) }))
    .filter(({ tags }) => tags.length > 0)

const holdsTopics = ({ changes, preserved, body, intel, otherLists }: Told): boolean =>
  changes.some(change => !change.tags.every(isOpen)) ||
  preserved.some(({ text }) => namesTopics(text)) ||
  intel.some(({ message }) => namesTopics(message)) ||
  otherLists.some(list => list.some(namesTopics)) ||
  namesTopics(body)

const withoutTopics = <A extends Told>(told: A): A =>
  holdsTopics(told)
    ? {
        ...told,
        changes: filterChanges(told.changes, isOpen),
        preserved: told.preserved.map(one => ({ ...one, text: openText(one.text) })),
        intel: told.intel.filter(({ message }) => !namesTopics(message)),
        otherLists: told.otherLists.map(list => list.filter(item => !namesTopics(item))),
        body: openText(told.body),
      }
    : told

const withoutCredentials = <A extends Told>(told: A): A =>
  told.changes.every(({ tags }) => tags.every(isNoCredential))
    ? told
    : { ...told, changes: filterChanges(told.changes, isNoCredential) }

const shownSession = perValue((session: Session): Session => withoutCredentials(session))
const openSession = perValue((session: Session): Session => withoutTopics(shownSession(session)))

const shownCopy = perValue((copy: SessionCopy): SessionCopy => withoutCredentials(copy))
const openCopy = perValue((copy: SessionCopy): SessionCopy => withoutTopics(shownCopy(copy)))

/**
 * A session as a caller may see it: without credentials in its Zmiany, and without restricted topics (A 5) in its
 * Zmiany, kept blocks and prose unless the view has them. The very same session where it has neither, and always the
 * same value for one session, so that an answer is made of it once.
 */
export const sessionFor = (view: View, session: Session): Session =>
  view.restricted ? shownSession(session) : openSession(session)

/** The same of one copy. */
export const copyFor = (view: View, copy: SessionCopy): SessionCopy =>
  view.restricted ? shownCopy(copy) : openCopy(copy)
