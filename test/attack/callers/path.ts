/** A text as one segment of a path. */
export const segment = (text: string): string => encodeURIComponent(text)
