import * as t from 'io-ts'

/**
 * Whether a text has an invisible character: a mark of direction, a joiner, a filler, a line separator, or
 * half of a surrogate pair. In a name it makes the name look like another one, or turns the direction of the
 * text after it.
 */
export const hasHiddenCharacter = (text: string): boolean =>
  /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text)

/** Whether no character of a text shows: it is empty, or has nothing but blanks and characters of no shape. */
export const isBlank = (text: string): boolean =>
  /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]*$/u.test(text)

const charsMax = 256

/** Whether every character of a text shows, or is a blank: it has no control and no invisible character. */
export const isVisible = (text: string): boolean => !/\p{Cc}/u.test(text) && !hasHiddenCharacter(text)

/** A text of another machine that this host shows: of at most 256 characters that show. */
export const VisibleText = t.refinement(
  t.string,
  text => text.length <= charsMax && isVisible(text),
  'VisibleText',
)
