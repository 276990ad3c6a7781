/** The JSON in an answer; null when it is invalid. */
export const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
