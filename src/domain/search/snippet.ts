import { dropLongMarks } from '#protocol/atoms.js'
import type { SearchHit } from '#protocol/search.js'
import { startsWithAny } from './words/fold-letters.js'
import { firstLettersOf, reduceWord } from './words/reduce-word.js'
import { findWordEnd, findWordStart } from './words/word-places.js'

type Snippet = Pick<SearchHit, 'snippet' | 'spans'>

const snippetChars = 240
/** How much of the text before the first word of the query a snippet shows. */
const leadChars = 60
/** A passage is no longer than a section, so this bounds the work for a foreign one. */
const searchedChars = 8000
const spansMax = 32

export const noSnippet: Snippet = { snippet: '', spans: [] }

interface Span {
  readonly start: number
  readonly end: number
}

/** The keys of a query, as `snippetOf` looks for them. */
export interface SnippetKeys {
  readonly keys: ReadonlySet<string>
  /** Whether a word that starts at a place of a text may have one of the keys, by its first letter. */
  readonly mayMatch: (text: string, at: number) => boolean
}

export const makeSnippetKeys = (keys: ReadonlySet<string>): SnippetKeys => ({
  keys,
  mayMatch: startsWithAny(firstLettersOf(keys)),
})

const spansIn = (
  text: string,
  { keys, mayMatch }: SnippetKeys,
): ReadonlyArray<Span & { readonly key: string }> => {
  const spans: Array<Span & { readonly key: string }> = []
  let end = 0
  for (let start = findWordStart(text, 0); start < text.length; start = findWordStart(text, end)) {
    end = findWordEnd(text, start)
    // Most words cannot match, and need not be reduced.
    if (!mayMatch(text, start)) continue
    const key = reduceWord(dropLongMarks(text.slice(start, end).toLowerCase()).normalize('NFC'))
    if (keys.has(key)) spans.push({ start, end, key })
  }
  return spans
}

/** The first span of the window that holds the most different keys. */
const bestStart = (spans: ReadonlyArray<Span & { readonly key: string }>): number => {
  let [best, most] = [0, 0]
  for (const [at, { start }] of spans.entries()) {
    const seen = new Set<string>()
    for (
      let next = at;
      next < spans.length && (spans[next]?.end ?? 0) <= start + snippetChars - leadChars;
      next += 1
    )
      seen.add(spans[next]?.key ?? '')
    if (seen.size > most) [best, most] = [at, seen.size]
  }
  return spans[best]?.start ?? 0
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** The nearest place at or before `at` that cuts no character and, where one is near, no word. */
const cutBefore = (text: string, at: number): number => {
  if (at <= 0) return 0
  if (at >= text.length) return text.length
  const blank = text.slice(Math.max(0, at - 30), at).search(/\s\S*$/u)
  const cut = blank < 0 ? at : Math.max(0, at - 30) + blank + 1
  return isLowSurrogate(text.charCodeAt(cut)) ? cut - 1 : cut
}

/**
 * The part of a passage with the most words of the query, and where they are in it. Line breaks become blanks,
 * so that offsets stay.
 */
export const snippetOf = (passage: string, keys: SnippetKeys): Snippet => {
  const text = passage.slice(0, searchedChars).replace(/[\r\n\t]/gu, ' ')
  const spans = spansIn(text, keys)
  const from = cutBefore(text, bestStart(spans) - leadChars)
  const to = cutBefore(text, from + snippetChars)
  const end = to > from ? to : Math.min(text.length, from + snippetChars)
  return {
    snippet: text.slice(from, end),
    spans: spans
      .filter(span => span.start >= from && span.end <= end)
      .slice(0, spansMax)
      .map(span => ({ start: span.start - from, end: span.end - from })),
  }
}
