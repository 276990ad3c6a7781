import { hash } from 'node:crypto'
import { sessionKey } from '#src/domain/lore/session-header.js'
import type { ArchiveLore } from '#src/domain/transcripts/archive.js'
import type { SampleLocator } from './samples.js'

/**
 * Whether the passage that a sample quotes still stands (docs/spec/samples.md#stale). A document is `log/<transcript>`,
 * whose lines are numbered as in the archive, or `session/<header>`, whose paragraphs are numbered from 0.
 */

/** A place in a document: offsets are UTF-16 units of the line. */
export interface PassagePlace {
  readonly line: number
  readonly start: number
  readonly end: number
}

/** `Gone` has the place where the passage is now, where there is one; it is never moved there. */
export type Passage =
  | { readonly _tag: 'Stands' }
  | { readonly _tag: 'Gone'; readonly proposed: PassagePlace | null }

/** A line of a transcript, or a paragraph of a session. */
export interface NumberedLine {
  readonly index: number
  readonly text: string
}

/** The paragraphs of the prose of a session. */
export const paragraphsOf = (body: string): ReadonlyArray<string> => body.split(/\n{2,}/u)

/** The transcript that a locator quotes; null where it quotes something else. */
export const quotedLog = ({ document }: Pick<SampleLocator, 'document'>): string | null =>
  document.startsWith(logPrefix) ? document.slice(logPrefix.length) : null

/**
 * What the snapshot shows of a passage; null where the lines of an archived transcript decide, which it does not have.
 * A document of another kind is not looked at and counts as standing.
 */
export const committedPassage = (
  { archive, sessions }: ArchiveLore,
  locator: SampleLocator | undefined,
): Passage | null => {
  if (locator === undefined) return stands
  const log = quotedLog(locator)
  if (log !== null) return archive.has(log) ? null : gone
  if (!locator.document.startsWith(sessionPrefix)) return stands
  const session = sessions.byKey.get(sessionKey(locator.document.slice(sessionPrefix.length)))
  return session === undefined
    ? gone
    : findPassage(
        locator,
        paragraphsOf(session.body).map((text, index) => ({ index, text })),
      )
}

/**
 * Looks for a passage in the lines of its document. A locator without a line quotes the whole document and stands. A
 * passage stands where its line has its text at its offsets, or, without text or offsets, is the line of its hash.
 * Else the nearest line that is the one of the hash, or else that has the text, is proposed.
 */
export const findPassage = (locator: SampleLocator, lines: ReadonlyArray<NumberedLine>): Passage => {
  const { line, start = 0, end, text } = locator
  if (line === undefined) return stands
  const isSame = (one: NumberedLine): boolean => hash('sha256', one.text, 'hex') === locator.hash
  const own = lines.find(({ index }) => index === line)
  const isQuoted = text !== undefined && text !== '' && end !== undefined
  if (own !== undefined && (isQuoted ? own.text.slice(start, end) === text : isSame(own))) return stands
  const nearest = [...lines].sort(
    (one, other) => Math.abs(one.index - line) - Math.abs(other.index - line) || one.index - other.index,
  )
  const same = nearest.find(isSame)
  if (same !== undefined)
    return { _tag: 'Gone', proposed: { line: same.index, start, end: end ?? same.text.length } }
  const having = isQuoted ? nearest.find(one => one.text.includes(text)) : undefined
  if (having === undefined || text === undefined) return gone
  const at = having.text.indexOf(text)
  return { _tag: 'Gone', proposed: { line: having.index, start: at, end: at + text.length } }
}

const logPrefix = 'log/'
const sessionPrefix = 'session/'

const stands: Passage = { _tag: 'Stands' }
const gone: Passage = { _tag: 'Gone', proposed: null }
