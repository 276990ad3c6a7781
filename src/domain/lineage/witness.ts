import { type EntityType, entityTypes } from '#protocol/atoms.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'

/**
 * Witnesses of membership: a sentence in which forms of a person and of a group stand in one of the patterns of a
 * table, in the cases that the pattern asks for (`Orrin z Gwardii`, `Maela, członkini Gildii Kupców`).
 */

/** Where a name stands in a sentence, as UTF-16 offsets, and the entity that it means. */
export interface NamedSpan {
  readonly entity: Entity
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A person whom no block names: the surface as written, in the case in which it stands. */
export interface UnknownSpan extends Omit<NamedSpan, 'entity'> {
  readonly entity: null
}

export interface Witness {
  /** The id of the row of the table that matched. */
  readonly kind: string
  readonly person: NamedSpan | UnknownSpan
  readonly group: NamedSpan
}

/** What one reading of a sentence needs beside its text. */
export interface WitnessReading {
  readonly names: NameIndex
  /** Who speaks the line, which a pattern of the first person needs; null in prose, and where it is not known. */
  readonly speaker: Entity | null
}

/**
 * The witnesses in a line of a transcript or a paragraph of a session, in order, sentence by sentence. Costs a few
 * look-ups of names for each pattern word of the text, and nothing for a text without any.
 */
export const witnessesIn = (text: string, reading: WitnessReading): ReadonlyArray<Witness> =>
  mayWitness(text)
    ? sentencesOf(text).flatMap(sentence =>
        patterns.flatMap(pattern => matchesOf(pattern, sentence, reading)),
      )
    : []

/** Whether a text has a word with which a pattern begins: cheap, and never false for a text with a witness. */
export const mayWitness = (text: string): boolean => patterns.some(({ words }) => text.search(words) >= 0)

type Case = 'gen' | 'dat' | 'acc' | 'ins' | 'loc'

/**
 * One pattern: words between the person and the group. `subject` says who the person is: the name before the words
 * (`before`), or the speaker of the line (`speaker`); `either` means the speaker
 * where `jestem` stands before the words.
 */
interface Pattern {
  readonly kind: string
  readonly subject: 'before' | 'speaker' | 'either'
  readonly words: RegExp
  readonly groupCase: Case
}

const patterns: ReadonlyArray<Pattern> = [
  { kind: 'from', subject: 'before', words: /\sze?\s/giu, groupCase: 'gen' },
  {
    kind: 'role',
    subject: 'either',
    words: /,?\s(?:członek|członka|członkiem|członkini|członkinię|członkinią)\s/giu,
    groupCase: 'gen',
  },
  {
    kind: 'role',
    subject: 'either',
    words: /,?\s(?:kapitan|kapitana|kapitanem|kapitanka|kapitankę|kapitanką)\s/giu,
    groupCase: 'gen',
  },
  {
    kind: 'role',
    subject: 'either',
    words: /,?\s(?:dowódca|dowódcy|dowódcę|dowódcą|dowódczyni|dowódczynię)\s/giu,
    groupCase: 'gen',
  },
  {
    kind: 'role',
    subject: 'either',
    words: /,?\s(?:strażnik|strażnika|strażnikiem|strażniczka|strażniczkę|strażniczką)\s/giu,
    groupCase: 'gen',
  },
  {
    kind: 'role',
    subject: 'either',
    words: /,?\s(?:mistrz|mistrza|mistrzem|mistrzyni|mistrzynię|mistrzynią)\s/giu,
    groupCase: 'gen',
  },
  {
    kind: 'role',
    subject: 'either',
    words: /,?\s(?:kupiec|kupca|kupcem|najemnik|najemnika|najemniczka)\s/giu,
    groupCase: 'gen',
  },
  {
    kind: 'role',
    subject: 'either',
    words: /,?\s(?:rycerz|rycerza|rycerzem|kapłan|kapłana|kapłanka|kapłankę)\s/giu,
    groupCase: 'gen',
  },
  {
    kind: 'role',
    subject: 'either',
    words: /,?\s(?:uczeń|ucznia|uczniem|uczennica|uczennicę|uczennicą)\s/giu,
    groupCase: 'gen',
  },
  { kind: 'belongs', subject: 'before', words: /\snależ(?:y|ał|ała)\sdo\s/giu, groupCase: 'gen' },
  {
    kind: 'joined',
    subject: 'before',
    words: /\s(?:wstąpił|dołączył|przystał|przystąpił)a?\sdo\s/giu,
    groupCase: 'gen',
  },
  { kind: 'serves', subject: 'before', words: /\ssłuż(?:y|ył|yła)\swe?\s/giu, groupCase: 'loc' },
  { kind: 'i-am', subject: 'speaker', words: /(?<!\p{L})jestem\sze?\s/giu, groupCase: 'gen' },
  { kind: 'i-belong', subject: 'speaker', words: /(?<!\p{L})należę\sdo\s/giu, groupCase: 'gen' },
  { kind: 'i-serve', subject: 'speaker', words: /(?<!\p{L})służę\swe?\s/giu, groupCase: 'loc' },
]

/** A sentence with its offset in the text. */
interface Sentence {
  readonly text: string
  readonly at: number
}

const sentenceEnd = /[.!?…](?=\s|$)/gu

const sentencesOf = (text: string): ReadonlyArray<Sentence> => {
  const found: Array<Sentence> = []
  let at = 0
  for (const end of text.matchAll(sentenceEnd)) {
    found.push({ text: text.slice(at, end.index), at })
    at = end.index + end[0].length
  }
  return [...found, { text: text.slice(at), at }]
}

const matchesOf = (pattern: Pattern, sentence: Sentence, reading: WitnessReading): ReadonlyArray<Witness> => {
  const found: Array<Witness> = []
  for (const match of sentence.text.matchAll(pattern.words)) {
    const from = match.index + match[0].length
    const group = groupAfter(sentence, from, pattern.groupCase, reading)
    if (group === null) continue
    const isSpeaker = saysOfSelf(pattern, sentence.text.slice(0, match.index))
    const person = isSpeaker
      ? speakerOf(reading, match, sentence)
      : personBefore(sentence, match.index, reading)
    if (person !== null && person.entity?.key !== group.entity.key)
      found.push({ kind: pattern.kind, person, group })
  }
  return found
}

const iAm = /(?<!\p{L})jestem$/iu

const saysOfSelf = ({ subject }: Pattern, before: string): boolean =>
  subject === 'speaker' || (subject === 'either' && iAm.test(before))

const speakerOf = (
  { speaker }: WitnessReading,
  match: RegExpExecArray,
  { at }: Sentence,
): NamedSpan | null =>
  speaker === null
    ? null
    : {
        entity: speaker,
        start: at + match.index,
        end: at + match.index + match[0].trimEnd().length,
        text: match[0].trim(),
      }

/** Most words of a name that a pattern reads. */
const nameWordsMax = 5

const word = /[\p{L}\p{N}’'-]+/gu

interface Word {
  readonly start: number
  readonly end: number
}

const wordsOf = (text: string): ReadonlyArray<Word> =>
  [...text.matchAll(word)].map(one => ({ start: one.index, end: one.index + one[0].length }))

/** A separator that may stand inside a name. */
const joins = (between: string): boolean => /^(?:[ \u00a0]|\s?–\s?)$/u.test(between)

/** The words that follow each other without punctuation, at most five. */
const runOf = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const run: Array<Word> = []
  for (const one of words) {
    const last = run.at(-1)
    if (run.length === nameWordsMax || (last !== undefined && !joins(text.slice(last.end, one.start)))) break
    run.push(one)
  }
  return run
}

/** The longest name of a group that begins here and stands in the case. */
const groupAfter = (
  { text, at }: Sentence,
  from: number,
  wanted: Case,
  { names }: WitnessReading,
): NamedSpan | null => {
  const run = runOf(text.slice(from), wordsOf(text.slice(from)))
  if (run[0]?.start !== 0) return null
  for (let count = run.length; count > 0; count -= 1) {
    const end = run[count - 1]?.end ?? 0
    const surface = text.slice(from, from + end)
    const found = resolveName(names, surface, { upTo: 'alternation', types: ['Grupa'] })
    if (found.stage === 'miss') continue
    const { entity } = found
    const [read] = found.readings
    const fits = entity !== null && read !== undefined && standsIn(read.cases, wanted)
    return fits ? { entity, start: at + from, end: at + from + end, text: surface } : null
  }
  return null
}

/** A reading without cases is of a name as written, such as one that is not inflected. */
const standsIn = (cases: ReadonlyArray<string>, wanted: Case): boolean =>
  cases.length === 0 || cases.some(one => one.endsWith(`.${wanted}`))

const personTypes: ReadonlyArray<EntityType> = ['NPC', 'Postać', 'Gracz']
const otherTypes = entityTypes.filter(type => !personTypes.includes(type))

/** The longest name of a person that ends here; else a capitalised surface that no block answers to. */
const personBefore = (
  { text, at }: Sentence,
  until: number,
  { names }: WitnessReading,
): NamedSpan | UnknownSpan | null => {
  const words = wordsOf(text.slice(0, until))
  const last = words.at(-1)
  if (last === undefined || text.slice(last.end, until).trim() !== '') return null
  const run = backwards(text, words)
  for (const { start } of run) {
    const surface = text.slice(start, last.end)
    const { entity, stage } = resolveName(names, surface, { upTo: 'alternation', types: personTypes })
    if (entity !== null) return { entity, start: at + start, end: at + last.end, text: surface }
    if (stage !== 'miss') return null
  }
  return unknownPerson({ text, at }, run, last, names)
}

/** The words that end the text without punctuation, at most five, the first of them first. */
const backwards = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const run: Array<Word> = []
  for (const one of [...words].reverse()) {
    const next = run[0]
    if (run.length === nameWordsMax || (next !== undefined && !joins(text.slice(one.end, next.start)))) break
    run.unshift(one)
  }
  return run
}

const capitalised = /^\p{Lu}\p{Ll}/u

/** A run of capitalised words that begins no sentence and names nothing else. */
const unknownPerson = (
  { text, at }: Sentence,
  run: ReadonlyArray<Word>,
  last: Word,
  names: NameIndex,
): UnknownSpan | null => {
  const trailing: Array<Word> = []
  for (const one of [...run].reverse()) {
    if (!capitalised.test(text.slice(one.start, one.end))) break
    trailing.unshift(one)
  }
  const [begin] = trailing
  if (begin === undefined || text.slice(0, begin.start).trim() === '') return null
  const surface = text.slice(begin.start, last.end)
  const other = resolveName(names, surface, { upTo: 'alternation', types: otherTypes })
  if (other.stage !== 'miss') return null
  return { entity: null, start: at + begin.start, end: at + last.end, text: surface }
}
