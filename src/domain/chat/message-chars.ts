/** The most characters of a message that the platform takes. */
export const messageCharsMax = 2_000
