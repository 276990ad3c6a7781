import { messageCharsMax } from '../message-chars.js'

/** What is wrong with the text of a message; null where nothing is. Characters are code points. */
export const findMessageFault = (text: string | undefined): 'missing' | 'too_long' | null => {
  if (text === undefined || text.trim() === '') return 'missing'
  return text.length > messageCharsMax && Array.from(text).length > messageCharsMax ? 'too_long' : null
}
