import { isBlank } from '#protocol/atoms.js'
import { lossFault } from '#src/domain/lore/lines/plain-text.js'
import { messageCharsMax } from '../message-chars.js'

/** What is wrong with the text of a message; null where nothing is. Characters are code points. */
export const findMessageFault = (text: string | undefined): 'missing' | 'too_long' | 'lost' | null => {
  if (text === undefined || isBlank(text)) return 'missing'
  if (text.length > messageCharsMax && Array.from(text).length > messageCharsMax) return 'too_long'
  return lossFault(text) === null ? null : 'lost'
}
