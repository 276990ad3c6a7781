import { isAdjectivalSurname, isAdjectiveLike } from '#src/domain/polish/adjective-like.js'
import { particles, prepositions } from '#src/domain/polish/prepositions.js'
import type { Titles } from '#src/domain/polish/titles.js'
import { wordsOf } from './name-words.js'

const quoted = /[„”“"«»]([^„”“"«»]{1,100})[„”“"«»]/gu
const qualifier = /\s\([^()]*\)$/u

/** `Torek „Kruk” Zdrojek`: the nickname, and the name without it. */
const withoutNickname = (name: string): ReadonlyArray<ReadonlyArray<string>> => {
  const nicknames = [...name.matchAll(quoted)].map(([, text = '']) => wordsOf(text))
  return nicknames.length === 0 ? [] : [...nicknames, wordsOf(name.replace(quoted, ' '))]
}

/** `Elmira Zdrojek-Morawińska`: the name with either half of the surname. */
const halvesOf = (name: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [last = '', ...before] = name.split(' ').reverse()
  const halves = last.split('-').filter(half => half !== '')
  if (halves.length !== 2 || before.length === 0) return []
  const first = before.reverse().join(' ')
  return halves.map(half => wordsOf(`${first} ${half}`))
}

/** `Kupiec Orrin`: the name without the titles before it. */
const withoutTitle = (name: string, titles: Titles): ReadonlyArray<ReadonlyArray<string>> => {
  const words = wordsOf(name)
  const from = words.findIndex(word => !titles.has(word))
  const second = words[from]
  return from <= 0 || second === undefined || prepositions.has(second) ? [] : [words.slice(from)]
}

/** The other names that a heading or alias gives its block by itself, as words (B 4.3, "computed alias"). */
export const computedAliases = (name: string, titles: Titles): ReadonlyArray<ReadonlyArray<string>> => {
  const bare = name.replace(qualifier, '')
  const all = [
    ...(bare === name ? [] : [wordsOf(bare)]),
    ...withoutNickname(bare),
    ...halvesOf(bare),
    ...withoutTitle(bare, titles),
  ]
  return all.filter(words => words.length > 0)
}

const singleCharsMin = 3

/**
 * The words of a name of several that may stand for it where no other block has them: not its titles, adjectives,
 * particles and what follows a preposition. Of other things than persons only the head does.
 */
export const singleWords = (
  words: ReadonlyArray<string>,
  titles: Titles,
): { readonly all: ReadonlyArray<number>; readonly head: number | null } => {
  if (words.length < 2) return { all: [], head: null }
  const end = words.findIndex(word => prepositions.has(word))
  const counted = words
    .map((word, at) => ({ word, at }))
    .slice(0, end < 0 ? words.length : end)
    .filter(
      ({ word }) =>
        word.length >= singleCharsMin &&
        !particles.has(word) &&
        /^\p{L}/u.test(word) &&
        (!isAdjectiveLike(word) || isAdjectivalSurname(word)),
    )
  return {
    all: counted.filter(({ word }) => !titles.has(word)).map(({ at }) => at),
    head: counted[0]?.at ?? null,
  }
}
