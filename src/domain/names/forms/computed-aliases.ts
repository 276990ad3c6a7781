import { isAdjectivalSurname, isAdjectiveLike } from '#src/domain/polish/adjective-like.js'
import { numeralWords } from '#src/domain/polish/irregular.js'
import { particles, prepositions } from '#src/domain/polish/prepositions.js'
import type { Titles } from '#src/domain/polish/titles.js'
import { splitName } from './name-words.js'

const quoted = /[„”“"«»]([^„”“"«»]{1,100})[„”“"«»]/gu
const qualifier = /\s\([^()]*\)$/u

/** `Torek „Kruk” Zdrojek`: the nickname, and the name without it. */
const withoutNickname = (name: string): ReadonlyArray<ReadonlyArray<string>> => {
  const nicknames = [...name.matchAll(quoted)].map(([, text = '']) => splitName(text))
  return nicknames.length === 0 ? [] : [...nicknames, splitName(name.replace(quoted, ' '))]
}

/** `Elmira Zdrojek-Morawińska`: the name with either half of the surname. */
const halvesOf = (name: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [last = '', ...before] = name.split(' ').reverse()
  const halves = last.split('-').filter(half => half !== '')
  if (halves.length !== 2 || before.length === 0) return []
  const first = before.reverse().join(' ')
  return halves.map(half => splitName(`${first} ${half}`))
}

/** `Kupiec Orrin`: the name without the titles before it. */
const withoutTitle = (name: string, titles: Titles): ReadonlyArray<ReadonlyArray<string>> => {
  const words = splitName(name)
  const from = words.findIndex(word => !titles.has(word))
  const second = words[from]
  return from <= 0 || second === undefined || prepositions.has(second) ? [] : [words.slice(from)]
}

/** `Trzech Muszkieterów`: the words of the name in the nominative, from which its forms are made. */
export const inNominative = (name: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [numeral = '', ...rest] = splitName(name)
  if (!numeralWords.has(numeral)) return []
  const nominative = rest.map(word =>
    word
      .replace(/ów$/u, 'owie')
      .replace(/ych$/u, 'e')
      .replace(/(?<=[kg]i)ch$/u, 'e'),
  )
  return nominative.every((word, at) => word === rest[at]) ? [] : [[numeral, ...nominative]]
}

/** The other names that a heading or alias gives its block by itself, as words (B 4.3, "computed alias"). */
export const computeAliases = (name: string, titles: Titles): ReadonlyArray<ReadonlyArray<string>> => {
  const bare = name.replace(qualifier, '')
  const all = [
    ...(bare === name ? [] : [splitName(bare)]),
    ...withoutNickname(bare),
    ...halvesOf(bare),
    ...withoutTitle(bare, titles),
    ...inNominative(bare),
  ]
  return all.filter(words => words.length > 0)
}

const singleCharsMin = 3

/**
 * The words of a name of several that may stand for it where no other block has them: not its titles, adjectives,
 * particles and what follows a preposition. Of other things than persons only the head does. Surnames are adjectives
 * too: those in -ski, and in the last place those in -owa.
 */
export const singleWords = (
  words: ReadonlyArray<string>,
  titles: Titles,
): { readonly all: ReadonlyArray<number>; readonly head: number | null } => {
  if (words.length < 2) return { all: [], head: null }
  const preposition = words.findIndex(word => prepositions.has(word))
  const end = preposition < 0 ? words.length : preposition
  const counted = words
    .map((word, at) => ({ word, at, isAdjective: isAdjectiveLike(word) && !isAdjectivalSurname(word) }))
    .slice(0, end)
    .filter(
      ({ word, at, isAdjective }) =>
        word.length >= singleCharsMin &&
        !particles.has(word) &&
        /^\p{L}/u.test(word) &&
        (!isAdjective || (word.endsWith('owa') && at === end - 1)),
    )
  return {
    all: counted.filter(({ word }) => !titles.has(word)).map(({ at }) => at),
    head: counted.find(({ isAdjective }) => !isAdjective)?.at ?? null,
  }
}
