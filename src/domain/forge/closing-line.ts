/** Text on one line without control characters, so that it cannot end the line. */
const lineOf = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

/**
 * The description of a request that a daemon closes. Its last line tells the closing from a veto, which is a
 * closing by a person.
 */
export const appendClosingLine = (description: string, town: string, reason: string): string => {
  const line = `closed-by: kronika ${lineOf(town)}: ${lineOf(reason)}`
  return description === '' ? line : `${description}\n\n${line}`
}

/** Whether a daemon has closed the request with this description. */
export const hasClosingLine = (description: string): boolean =>
  /^closed-by: kronika [^\s:][^:\n]*: /m.test(description)
