import { nameKey, nfc } from '#protocol/atoms.js'
import { decimalKey, numberAt } from './decimal.js'

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

const word = /^(@?)([\p{L}\p{M}]{2,40})(\s*:|\s|$)/u

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

const bareNumber = /\s([\d.,]+)$/

/** Offset of the first colon before a number, else of the first colon, else -1. */
const colonOf = (text: string): number => {
  const found = /:\s{0,20}\d/.exec(text)
  return found === null ? text.indexOf(':') : found.index
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
