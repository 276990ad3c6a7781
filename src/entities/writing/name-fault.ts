import { headingOf } from '#src/lore/blocks.js'
import { linesOf } from '#src/lore/lines.js'
import { endsAsMark, textFault, valueText } from '#src/lore/plain-text.js'

/** The longest name, in UTF-16 units: it may become the name of a file, which has 255 bytes. */
export const nameCharsMax = 120

/** Names that a file system keeps for its devices. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)$/iu

const faults: ReadonlyArray<readonly [fault: string, has: (name: string) => boolean]> = [
  ['is longer than 120 characters', name => name.length > nameCharsMax],
  ['holds a character that does not show', name => /\p{Cf}/u.test(name)],
  ['begins with a sign of the markup', name => /^[#@\-*+>`~.]/u.test(name)],
  ['holds a slash: a name is no path', name => /[/\\]/u.test(name)],
  ['ends with a dot', name => name.endsWith('.')],
  ['is kept by file systems', name => device.test(name)],
  ['ends as a range (from:to) or as (auto)', endsAsMark],
  ['has no letter or digit', name => !/[\p{L}\p{N}]/u.test(name)],
]

/** A name as a heading holds it: NFC, blanks collapsed. */
export const nameText = headingOf

/** Why a text cannot be a heading; `name` is the text by `nameText`, `written` as it came. */
export const nameFault = (written: string): string | null => {
  const name = nameText(written)
  const fault = textFault(valueText(written)) ?? faults.find(([, has]) => has(name))?.[0] ?? null
  if (fault !== null) return fault
  const line = linesOf(`### ${name}`).lines[0]
  return line?._tag === 'Header' && line.level === 3 && line.text === name ? null : 'is no heading'
}
