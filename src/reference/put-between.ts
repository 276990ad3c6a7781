/** The lines between which a document has its generated part. */
export interface Markers {
  readonly start: string
  readonly end: string
}

/** The markers of the part that `npm run docs` makes from a source. */
export const markersOf = (source: string): Markers => ({
  start: `<!-- Made by \`npm run docs\` from ${source}; do not edit. -->`,
  end: '<!-- The end of what `npm run docs` makes. -->',
})

/** Replaces what a document has between its markers. Throws where the document lacks one of them. */
export const putBetween = ({ start, end }: Markers, document: string, text: string): string => {
  const startAt = document.indexOf(start)
  const endAt = document.indexOf(end, startAt)
  if (startAt < 0 || endAt < 0)
    throw new Error(`the document has no place for the text: its markers are missing, as ${start}`)
  return `${document.slice(0, startAt)}${start}\n\n${text}\n\n${document.slice(endAt)}`
}
