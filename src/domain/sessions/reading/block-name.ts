import { nfc } from '#protocol/atoms/nfc.js'

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
