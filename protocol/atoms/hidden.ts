/**
 * Whether a text holds a character that no reader sees: a mark of direction, a joiner, a filler, a line separator, or
 * half of a surrogate pair. In a name it makes a twin of another name, or turns the direction of what follows.
 */
export const hasHiddenCharacter = (text: string): boolean =>
  /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text)
