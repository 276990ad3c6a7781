/** A text of a route between two stops: an arrow, or a dash with blanks around it (FORMATS 8). */
const stopMark = /->|[ \t\u00a0][-–—][ \t\u00a0]/u

/** A location as a session names it, and as it is grouped. */
export interface LocationText {
  /** The text as written, without blanks around it. */
  readonly raw: string
  /** Without an asterisk at the end. */
  readonly clean: string
}

const withoutMarks = (text: string): string => {
  let end = text.length
  while (end > 0 && (text[end - 1] === '*' || text[end - 1] === ' ')) end -= 1
  return text.slice(0, end)
}

const locationCharsMax = 200

/** The stops of a location line: the parts of a route, each cleaned; `Brak` names none (FORMATS 8). */
export const locationTexts = (line: string): ReadonlyArray<LocationText> =>
  line
    .split(stopMark)
    .map(part => part.trim())
    .map(raw => ({ raw, clean: withoutMarks(raw) }))
    .filter(({ clean }) => clean !== '' && clean.length <= locationCharsMax && clean.toLowerCase() !== 'brak')

/** The segments of a path, outermost first; a text without a slash is its only segment. */
export const segmentsOf = (text: string): ReadonlyArray<string> =>
  text
    .split('/')
    .map(part => part.trim())
    .filter(part => part !== '')
