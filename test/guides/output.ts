/** What differs from run to run, and the word that stands for it. Instants come before the days within them. */
const changing: ReadonlyArray<readonly [pattern: RegExp, word: string]> = [
  [/\b[0-9a-f]{40}\b/g, 'COMMIT'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, 'INSTANT'],
  [/\b\d{4}-\d\d(?:-\d\d)?\b/g, 'DAY'],
  [/\b127\.0\.0\.1:\d+/g, 'LISTENER'],
  [/"pid":\d+/g, '"pid":N'],
  [/\bnamed_[0-9a-f]{16}\.[\w-]+/g, 'TOKEN'],
]

const spaces = /\s+/g

/** A text without what differs from run to run, and without blanks: a page wraps long lines. */
export const settleText = (text: string): string =>
  changing
    .reduce((settled, [pattern, word]) => settled.replaceAll(pattern, word), text)
    .replaceAll(spaces, '')

/** Whether the output is what a page shows, where `…` stands for any text. Linear in the two texts. */
export const isShown = (shown: string, output: string): boolean => {
  const parts = settleText(shown).split('…')
  const text = settleText(output)
  const [first = '', ...rest] = parts
  if (rest.length === 0) return text === first
  const last = rest.pop() ?? ''
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
