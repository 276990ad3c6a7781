import { nameKey } from '#protocol/atoms.js'
import type { LineMention } from '#protocol/transcripts/logs.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { mayStartName } from '#src/domain/names/phrase.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { splitName } from '#src/domain/names/word-table.js'
import { isStopWord, type Word, wordsOf } from '#src/domain/search/words.js'

/** Whom a speaker means, by every stage of the names but misspellings. */
export interface ResolvedSpeaker {
  /** Null where no block answers, or several do. */
  readonly entity: Entity | null
  /** The stage that decided; `miss` where none did. */
  readonly stage: string
}

/** Resolves speakers as written; each name once for an index of names. */
export const speakerResolver = perValue((names: NameIndex) => {
  const known = new Map<string, ResolvedSpeaker>()
  return (speaker: string): ResolvedSpeaker => {
    const found = known.get(speaker)
    if (found !== undefined) return found
    if (known.size >= speakersMax) known.clear()
    const resolved = resolveSpeaker(names, speaker)
    known.set(speaker, resolved)
    return resolved
  }
})

/** A name in a text, as offsets in UTF-16 units, and the block that it means. */
export interface NameInText {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Null for a proper noun that no block answers to, or several do. */
  readonly entity: Entity | null
  readonly isCapitalised: boolean
}

/**
 * The names in a text, the longest at each word: every form of a name by the resolver, and runs of capitalised words
 * that no block answers to where no sentence begins with them.
 */
export const namesIn = (text: string, names: NameIndex): ReadonlyArray<NameInText> => {
  const words = [...wordsOf(text)]
  const found: Array<NameInText> = []
  for (let at = 0; at < words.length; ) {
    const name = nameAt(text, words, at, names)
    if (name === null) at += 1
    else {
      found.push(name.name)
      at += name.words
    }
  }
  return found
}

/** A name in a line as answers show it. */
export const mentionOf = ({ start, end, text, entity, isCapitalised }: NameInText): LineMention => ({
  start,
  end,
  text,
  lemma: entity?.name ?? null,
  kind: entity?.type ?? null,
  capitalised: isCapitalised,
})

/** Speakers that are remembered at most. */
const speakersMax = 20_000

/** Who can speak comes before what else has the name. */
export const speakingTypes = ['Postać', 'NPC', 'Gracz'] as const

const resolveSpeaker = (names: NameIndex, speaker: string): ResolvedSpeaker => {
  for (const types of [[...speakingTypes], null]) {
    const { entity, stage } = resolveName(names, speaker, {
      upTo: 'lemma',
      ...(types === null ? {} : { types }),
    })
    if (stage !== 'miss') return { entity, stage }
  }
  return { entity: null, stage: 'miss' }
}

/** Words of a name in a line at most. */
const wordsMax = 6

/** A single word that is shorter is no name in prose (FORMATS 4.7). */
const wordCharsMin = 3

/** Whether a name may begin with a word, remembered by the word. */
const starters = perValue((names: NameIndex) => {
  const known = new Map<string, boolean>()
  return (word: string): boolean => {
    const found = known.get(word)
    if (found !== undefined) return found
    if (known.size >= speakersMax) known.clear()
    const [first = ''] = splitName(nameKey(word))
    const may = names.forms === null || mayStartName(names.forms.table, first)
    known.set(word, may)
    return may
  }
})

/** What each text means, remembered by the text. */
const meanings = perValue((names: NameIndex) => {
  const known = new Map<string, ReturnType<typeof resolveName>>()
  return (text: string): ReturnType<typeof resolveName> => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= speakersMax) known.clear()
    const resolved = resolveName(names, text, { upTo: 'alternation' })
    known.set(text, resolved)
    return resolved
  }
})

const isCapital = (text: string, { start }: Word): boolean => /^\p{Lu}/u.test(text.slice(start, start + 2))

const sliceOf = (text: string, first: Word, last: Word): string => text.slice(first.start, last.end)

const nameAt = (
  text: string,
  words: ReadonlyArray<Word>,
  at: number,
  names: NameIndex,
): { readonly name: NameInText; readonly words: number } | null => {
  const first = words[at]
  if (first === undefined) return null
  const isCapitalised = isCapital(text, first)
  const most = starters(names)(first.text) ? wordsMax : isCapitalised ? 1 : 0
  for (let count = Math.min(most, words.length - at); count > 0; count -= 1) {
    const last = words[at + count - 1] ?? first
    if (count === 1 && (first.text.length < wordCharsMin || isStopWord(first.text))) break
    const named = sliceOf(text, first, last)
    if (/[.!?;:\n]\s/u.test(named)) continue
    const { entity, stage } = meanings(names)(named)
    if (stage !== 'miss')
      return {
        name: { start: first.start, end: last.end, text: named, entity, isCapitalised },
        words: count,
      }
  }
  if (!first.isProper || isStopWord(first.text)) return null
  let count = 1
  for (let next = words[at + count]; next?.isProper === true; next = words[at + count]) count += 1
  const last = words[at + count - 1] ?? first
  const named = sliceOf(text, first, last)
  return {
    name: { start: first.start, end: last.end, text: named, entity: null, isCapitalised },
    words: count,
  }
}
