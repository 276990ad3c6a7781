import type { View } from '#src/identity/caller.js'
import { perValue } from '#src/lore/per-value.js'
import { isTopicTag, namesTopics } from '#src/lore/withheld-tags.js'
import { openDocument } from '#src/people/open-document.js'
import type { Session, SessionChange, SessionCopy } from './session.js'

type Told = Pick<SessionCopy, 'changes' | 'preserved' | 'body' | 'intel' | 'otherLists'>

const openText = (text: string): string =>
  namesTopics(text) ? openDocument(text, false).content.trim() : text

/** A value that runs over lines may hold a row that was written too deep. */
const isOpen = ({ tag, value }: SessionChange['tags'][number]): boolean =>
  !isTopicTag(tag) && !namesTopics(value)

const openChanges = (changes: ReadonlyArray<SessionChange>): ReadonlyArray<SessionChange> =>
  changes
    .map(change => ({ ...change, tags: change.tags.filter(isOpen) }))
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
        changes: openChanges(told.changes),
        preserved: told.preserved.map(one => ({ ...one, text: openText(one.text) })),
        intel: told.intel.filter(({ message }) => !namesTopics(message)),
        otherLists: told.otherLists.map(list => list.filter(item => !namesTopics(item))),
        body: openText(told.body),
      }
    : told

const openSession = perValue((session: Session): Session => withoutTopics(session))

const openCopy = perValue((copy: SessionCopy): SessionCopy => withoutTopics(copy))

/**
 * A session as a caller may see it: without restricted topics (A 5) unless the view has them, in its Zmiany, its kept
 * blocks and its prose. The very same session where it has none, and always the same one for a session, so that what is
 * made of it is made once.
 */
export const sessionFor = (view: View, session: Session): Session =>
  view.restricted ? session : openSession(session)

/** The same of one copy. */
export const copyFor = (view: View, copy: SessionCopy): SessionCopy =>
  view.restricted ? copy : openCopy(copy)
