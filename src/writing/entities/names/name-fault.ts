import { type EntityType, hasHiddenCharacter } from '#protocol/atoms.js'
import { bounds } from '#protocol/bounds.js'
import { headingOf } from '#src/domain/lore/blocks.js'
import { segmentFault } from '#src/domain/lore/layout.js'
import { linesOf } from '#src/domain/lore/lines.js'
import { endsAsMark, textFault, valueText } from '#src/domain/lore/rows.js'
import { isTopicLine } from '#src/domain/lore/topic-text.js'
import { mixedWordIn } from '#src/domain/names/look-alike.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'

/** The longest name, in UTF-16 code units. */
const nameCharsMax = bounds.nameChars.limit

/**
 * The longest name, in bytes: a name may become the name of a file or folder, which has 255 bytes with its
 * extension.
 */
const nameBytesMax = 240

const scheme = /\b(?:bearer|basic) +/giu

/** Whether a text has a credential; a name may begin with the word of a scheme (`Basic`). */
const hasCredential = (name: string): boolean => {
  const text = name.replace(scheme, '')
  return redactCredentials(text) !== text
}

/** Names that Windows reserves for devices. */
const device = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])$/iu

const faults: ReadonlyArray<readonly [fault: string, has: (name: string) => boolean]> = [
  [`is longer than ${nameCharsMax} characters`, name => name.length > nameCharsMax],
  [`is longer than ${nameBytesMax} bytes`, name => Buffer.byteLength(name) > nameBytesMax],
  ['has an invisible character', hasHiddenCharacter],
  ['begins with a Markdown sign', name => /^[#@\-*+>`~.]/u.test(name)],
  ['has a slash', name => /[/\\]/u.test(name)],
  ['ends with a dot', name => name.endsWith('.')],
  ['is a name that file systems reserve', name => device.test(name)],
  ['ends like a range (from:to) or (auto)', endsAsMark],
  ['reads as restricted topics, by which nothing is found', isTopicLine],
  ['has a credential', hasCredential],
  ['has no letter or digit', name => !/[\p{L}\p{N}]/u.test(name)],
]

/** A name in the form of a heading: NFC, blanks collapsed. */
export const nameText = headingOf

/**
 * Why a text cannot be a heading; null when it can. `name` is the text after `nameText`, `written` as it
 * came.
 */
export const nameFault = (written: string): string | null => {
  const name = nameText(written)
  const fault = textFault(valueText(written)) ?? faults.find(([, has]) => has(name))?.[0] ?? null
  if (fault !== null) return fault
  const line = linesOf(`### ${name}`).lines[0]
  return line?._tag === 'Header' && line.level === 3 && line.text === name ? null : 'cannot be a heading'
}

/** Why a text cannot be a name because a word of it mixes scripts; null when none does. */
export const scriptFault = (name: string): string | null => {
  const mixed = mixedWordIn(name)
  if (mixed === null) return null
  const { word, scripts } = mixed
  return `mixes letters of several scripts (${scripts.join(', ')}) in the word "${word}"; write it in one script`
}

/**
 * Why a text cannot be the heading of a block of the type; a Postać also needs it as the name of its file.
 */
export const headingFault = (written: string, type: EntityType): string | null =>
  nameFault(written) ??
  scriptFault(nameText(written)) ??
  (type === 'Postać' ? segmentFault(`${nameText(written)}.md`) : null)
