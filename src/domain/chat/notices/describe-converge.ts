import { escapeChatText } from '#src/domain/chat/escape-chat-text.js'
import { isReservedName } from '#src/domain/people/store/reserved-name.js'

/** Commits that a converge brought, with the name of each author. */
export interface BroughtCommits {
  readonly commits: number
  readonly authors: ReadonlyArray<string>
}

/** The most persons that a text has room for, and the most characters of a name. */
const personsMax = 15
const nameCharsMax = 60

/** A name on one line and short, as authors of commits may be anything. */
const trimName = (name: string): string =>
  Array.from(name.replace(/\p{C}/gu, ' ')).slice(0, nameCharsMax).join('').trim()

/**
 * The text that announces what a converge brought, in Polish: at most `authorsMax` persons are named, the others
 * are counted. The names that the daemon writes for itself are no persons.
 */
export const describeConverge = ({ commits, authors }: BroughtCommits, authorsMax: number): string => {
  const persons = [...new Set(authors.map(trimName))].filter(name => name !== '' && !isReservedName(name))
  const named = persons.slice(0, Math.min(authorsMax, personsMax)).map(escapeChatText)
  const others = persons.length - named.length
  const who = [
    ...(named.length > 0 ? [named.join(', ')] : []),
    ...(others > 0 ? [`inne osoby: ${others}`] : []),
  ]
  const people = who.length === 0 ? '' : ` Autorzy: ${who.join('; ')}.`
  return `Nowe zmiany w kronice: ${commits}.${people}`
}
