/** The most characters of a message that the platform takes. */
export const messageCharsMax = 2_000

/** What is wrong with the text of a message; null where nothing is. Characters are code points. */
export const findMessageFault = (text: string | undefined): 'missing' | 'too_long' | null => {
  if (text === undefined || text.trim() === '') return 'missing'
  return text.length > messageCharsMax && Array.from(text).length > messageCharsMax ? 'too_long' : null
}
