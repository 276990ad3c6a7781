import { type Day, dayOf, foldSigns, type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { headerText } from './lines/lines.js'
import { splitNarrators } from './narrator-field.js'

/** The parts of a session header (FORMATS 4.1). */
export interface SessionHeader {
  readonly date: Day
  /** Null without an end day, and where `badRange` says that it is wrong. */
  readonly dateEnd: Day | null
  readonly title: string
  readonly narrator: string | null
  readonly narrators: ReadonlyArray<string>
  /** Why the end day is wrong: it cannot be parsed, or it is before the first day. Null when it is right. */
  readonly badRange: 'Unreadable' | 'Inverted' | null
}

export type ReadHeader =
  | { readonly _tag: 'Session'; readonly header: SessionHeader }
  /** A date that does not exist, or text that looks like a date and is not written `YYYY-MM-DD`. */
  | { readonly _tag: 'BadDate'; readonly written: string }
  | { readonly _tag: 'Dateless' }

const written = /(?<![\p{L}\p{N}_])(\d{4}-\d{2}-\d{2})(?![\p{L}\p{N}_])/u
const nearlyDate =
  /(?<!\d)(?:\d{4}[-./\u2010-\u2013\u2212]\d{1,2}[-./\u2010-\u2013\u2212]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})(?!\d)/
const edge = /[\s,\u00a0\u2013\u2014-]/u

/**
 * The identity of a session: its header without `### `, comments and closing `#`s, as `foldSigns`, case kept (FORMATS
 * 4.1). Copies of a session, and paths of requests, name it by this key.
 */
export const sessionKey = (header: string): string =>
  foldSigns(headerText(foldSigns(header).replace(/^#{1,6} /u, '')))

/**
 * The key by which ledgers, baselines and staged drafts name a session: its identity without case (FORMATS 6.3), so
 * that a header which was written by an earlier reader, or in other letters, still means its session.
 */
export const ledgerKey = (header: string): NameKey => nameKey(sessionKey(header))

/** The same key of a session, computed once for each. */
export const ledgerKeyOf = perValue(({ header }: { readonly header: string }): NameKey => ledgerKey(header))

/** The text without blanks, commas and dashes at its ends. */
const trimEdges = (text: string): string => {
  let [start, end] = [0, text.length]
  while (start < end && edge.test(text.charAt(start))) start += 1
  while (end > start && edge.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const endOf = (date: Day, suffix: string): { readonly end: Day | null; readonly bad: boolean } => {
  if (suffix === '') return { end: null, bad: false }
  const end = /^\/\d{2}$/.test(suffix) ? dayOf(`${date.slice(0, 8)}${suffix.slice(1)}`) : null
  return { end, bad: end === null }
}

/** Parses the text of a `###` header. The date may be anywhere; text before it is not part of the title. */
export const readHeader = (text: string): ReadHeader => {
  const found = written.exec(text)
  if (found === null) {
    const nearly = nearlyDate.exec(text)
    return nearly === null ? { _tag: 'Dateless' } : { _tag: 'BadDate', written: nearly[0] }
  }
  const [date, after] = [dayOf(found[0]), text.slice(found.index + found[0].length)]
  if (date === null) return { _tag: 'BadDate', written: found[0] }
  const suffix = /^\/[\d\-/]*/.exec(after)?.[0] ?? ''
  const { end, bad } = endOf(date, suffix)
  const rest = after.slice(suffix.length)
  const [first, last] = [text.indexOf(','), text.lastIndexOf(',')]
  const comma = first === last ? -1 : rest.lastIndexOf(',')
  const field = comma < 0 ? '' : rest.slice(comma + 1).trim()
  const narrator = field === '' ? null : field
  const badRange = bad ? 'Unreadable' : end !== null && end < date ? 'Inverted' : null
  return {
    _tag: 'Session',
    header: {
      date,
      dateEnd: badRange === null ? end : null,
      title: trimEdges(comma < 0 ? rest : rest.slice(0, comma)),
      narrator,
      narrators: narrator === null ? [] : splitNarrators(narrator),
      badRange,
    },
  }
}
