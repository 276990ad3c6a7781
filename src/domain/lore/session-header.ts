import { type Day, dayOf, foldSigns, type NameKey, nameKey, nfc } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { decimalKey, numberAt } from './figures.js'
import { headerText } from './lines.js'

export type ReadHeader =
  | { readonly _tag: 'Session'; readonly header: SessionHeader }
  /** A date that does not exist, or text that looks like a date and is not written `YYYY-MM-DD`. */
  | { readonly _tag: 'BadDate'; readonly written: string }
  | { readonly _tag: 'Dateless' }

/**
 * The identity of a session: its header without `### `, comments and closing `#`s, as `foldSigns`, case kept (FORMATS
 * 4.1). Copies of a session, and paths of requests, name it by this key.
 */
export const sessionKey = (header: string): string =>
  plainHeader.test(header) ? header : foldSigns(headerText(foldSigns(header).replace(/^#{1,6} /u, '')))

/** A header that is its own identity: nothing in it is folded, hidden or a mark of a heading. Most headers are such. */
const plainHeader = /^[!"$-;=?-_a-}ĄąĆćĘęŁłŃńÓóŚśŹźŻż]+(?: [!"$-;=?-_a-}ĄąĆćĘęŁłŃńÓóŚśŹźŻż]+)*$/u

/**
 * The key by which ledgers, baselines and staged drafts name a session: its identity without case (FORMATS 6.3), so
 * that a header which was written by an earlier reader, or in other letters, still means its session.
 */
export const ledgerKey = (header: string): NameKey => nameKey(sessionKey(header))

/** The same key of a session, computed once for each. */
export const ledgerKeyOf = perValue(({ header }: { readonly header: string }): NameKey => ledgerKey(header))

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

/**
 * The people in a narrator field, split at `+` only: names joined by a conjunction stay one string (B 2.2,
 * FORMATS 10).
 */
export const splitNarrators = (field: string): ReadonlyArray<string> =>
  field
    .split('+')
    .map(part => part.trim())
    .filter(part => part !== '')

/** The field with its conjunctions replaced by `+`; null when it has none. */
export const plusForm = (field: string): string | null => {
  const joined = field.replace(conjunction, ' + ')
  return joined === field ? null : joined
}

/**
 * Every name that a field may hold, split at conjunctions and parentheses too. For display only (FORMATS 4.8,
 * 10).
 */
export const namesInField = (field: string): ReadonlyArray<string> =>
  field
    .replace(conjunction, '+')
    .split(/[+()]/u)
    .map(part => part.replace(/^\s*autorstwo:/iu, '').trim())
    .filter(part => part !== '')

/**
 * The metadata blocks of a session (FORMATS 4.3, 10). `Preserved` ones are kept verbatim and never parsed.
 */
export type BlockKind =
  | 'Locations'
  | 'Logs'
  | 'Points'
  | 'Participants'
  | 'Changes'
  | 'Transfer'
  | 'Intel'
  | 'Preserved'

/** A root item parsed as the head of a block. */
export interface BlockHead {
  readonly kind: BlockKind
  /** The name as written, without the at sign. */
  readonly name: string
  readonly at: boolean
  /** The text after the colon, or after the name when there is no colon; trimmed. */
  readonly inline: string
  /**
   * Whether a colon or the end of the line follows the name; otherwise it is a block only if its children
   * fit.
   */
  readonly plain: boolean
}

/** Parses a root item as the head of a block; null when its first word is no block name. */
export const blockHead = (text: string): BlockHead | null => {
  const found = word.exec(text)
  if (found === null) return null
  const [matched, at = '', name = '', after = ''] = found
  const kind = kindOf(nfc(name).toLowerCase())
  if (kind === null) return null
  const inline = text.slice(matched.length).trim()
  return { kind, name, at: at === '@', inline, plain: after.endsWith(':') || inline === '' }
}

/** A line of a PU block (FORMATS 4.3): `value` is the decimal with a dot, null when the line is malformed. */
export interface PointsLine {
  readonly character: string
  readonly value: string | null
}

/** Parses `Name: 0,3` with a number that `numberAt` reads and that has no sign. */
export const readPointsLine = (text: string): PointsLine => {
  const colon = colonOf(text)
  if (colon < 0) {
    const number = bareNumber.exec(text)
    return { character: (number === null ? text : text.slice(0, number.index)).trim(), value: null }
  }
  return { character: text.slice(0, colon).trim(), value: numberAt(text, colon + 1, 'none')?.digits ?? null }
}

/** The same for two PU lines that say the same: of one character, with one value and one remark. */
export const pointsItemKey = (text: string): string => {
  const { character } = readPointsLine(text)
  const colon = colonOf(text)
  const number = colon < 0 ? null : numberAt(text, colon + 1, 'none')
  if (number === null) return text
  return `${nameKey(character)}: ${decimalKey(number.value)} ${text.slice(number.end).trim()}`
}

/** A Transfer: whole pieces of one denomination from one owner to another (FORMATS 4.3). */
export interface TransferLine {
  readonly amount: number
  readonly denomination: string
  readonly source: string
  readonly destination: string
}

/**
 * Parses `N denomination, source -> destination`: N a positive whole number followed by a blank; the first
 * comma ends the denomination. Null when any part is missing.
 */
export const readTransferLine = (text: string): TransferLine | null => {
  const comma = text.indexOf(',')
  if (comma < 0) return null
  const money = text.slice(0, comma).trim()
  const amount = numberAt(money, 0, 'none')
  const sides = text
    .slice(comma + 1)
    .split('->')
    .map(side => side.trim())
  const [source, destination] = sides
  if (amount === null || sides.length !== 2 || !source || !destination) return null
  const denomination = money.slice(amount.end).trim()
  const { units, scale } = amount.value
  return scale > 0 || units <= 0n || denomination === '' || denomination.length > 200
    ? null
    : { amount: Number(units), denomination, source, destination }
}

/** The parts of a session header (FORMATS 4.1). */
interface SessionHeader {
  readonly date: Day
  /** Null without an end day, and where `badRange` says that it is wrong. */
  readonly dateEnd: Day | null
  readonly title: string
  readonly narrator: string | null
  readonly narrators: ReadonlyArray<string>
  /** Why the end day is wrong: it cannot be parsed, or it is before the first day. Null when it is right. */
  readonly badRange: 'Unreadable' | 'Inverted' | null
}

const written = /(?<![\p{L}\p{N}_])(\d{4}-\d{2}-\d{2})(?![\p{L}\p{N}_])/u
const nearlyDate =
  /(?<!\d)(?:\d{4}[-./\u2010-\u2013\u2212]\d{1,2}[-./\u2010-\u2013\u2212]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})(?!\d)/
const edge = /[\s,\u00a0\u2013\u2014-]/u

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

const conjunction = /\s(?:i|oraz)\s/giu

const kinds: ReadonlyMap<string, BlockKind> = new Map<string, BlockKind>([
  ['logi', 'Logs'],
  ['pu', 'Points'],
  ['uczestnicy', 'Participants'],
  ['zmiany', 'Changes'],
  ['transfer', 'Transfer'],
  ['intel', 'Intel'],
  ['objaśnienia', 'Preserved'],
  ['efekty', 'Preserved'],
  ['komunikaty', 'Preserved'],
  ['straty', 'Preserved'],
  ['nagrody', 'Preserved'],
])

const kindOf = (name: string): BlockKind | null =>
  name.startsWith('lokalizacj') || name.startsWith('lokacj') ? 'Locations' : (kinds.get(name) ?? null)

const word = /^(@?)([\p{L}\p{M}]{2,40})(\s*:|\s|$)/u

const bareNumber = /\s([\d.,]+)$/

/** Offset of the first colon before a number, else of the first colon, else -1. */
const colonOf = (text: string): number => {
  const found = /:\s{0,20}\d/.exec(text)
  return found === null ? text.indexOf(':') : found.index
}
