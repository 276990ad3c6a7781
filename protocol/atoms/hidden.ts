/**
 * Whether a text has an invisible character: a mark of direction, a joiner, a filler, a line separator, or
 * half of a surrogate pair. In a name it makes the name look like another one, or turns the direction of the
 * text after it.
 */
export const hasHiddenCharacter = (text: string): boolean =>
  /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text)
