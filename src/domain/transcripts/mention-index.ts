import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { nameKey } from '#protocol/atoms.js'
import { bareWordsOfKey } from '#src/domain/names/resolve.js'
import { isStopWord, wordsOf } from '#src/domain/search/words.js'

/**
 * The index of mentions: which lines have which names as written. It knows surfaces and no blocks, so that a new name
 * costs a look-up and no line is read again.
 */
export interface MentionIndex {
  /** The surfaces with one of these words, without Polish marks and in lower case. */
  readonly surfacesWith: (words: ReadonlyArray<string>) => ReadonlyArray<string>
  /** The lines with one of these surfaces, by transcript; each line once, in order. */
  readonly linesOf: (
    surfaces: ReadonlyArray<string>,
  ) => ReadonlyArray<readonly [log: string, indexes: ReadonlyArray<number>]>
  /** Every surface of at least so many transcripts. */
  readonly common: (
    logsMin: number,
  ) => ReadonlyArray<{ readonly name: string; readonly logs: number; readonly lines: number }>
}

/** Collects the surfaces of lines. Transcripts come one after the other, and their lines in order. */
export interface MentionCollector {
  readonly beginLog: (name: string) => void
  readonly addLine: (index: number, text: string) => void
  /** The artifact: JSON of the transcripts, and of each surface with its lines. */
  readonly finish: () => Buffer
}

export const collectMentions = (): MentionCollector => {
  const logs: Array<string> = []
  const found = new Map<string, Collected>()
  return {
    beginLog: name => void logs.push(name),
    addLine: (index, text) => {
      for (const surface of new Set(surfacesIn(text))) {
        const known = found.get(surface) ?? { lines: '', log: -1 }
        const log = logs.length - 1
        const lead = known.log === log ? ',' : `${known.lines === '' ? '' : ';'}${log.toString(36)}:`
        found.set(surface, { lines: `${known.lines}${lead}${index.toString(36)}`, log })
      }
    },
    finish: () => {
      const surfaces = [...found]
        .map(([surface, { lines }]) => [surface, lines] as const)
        .sort(([one], [other]) => (one < other ? -1 : 1))
      return Buffer.from(JSON.stringify({ version: mentionVersion, logs, surfaces }))
    },
  }
}

/** Opens an artifact; null where the bytes are none of this version. */
export const openMentions = (bytes: Uint8Array): MentionIndex | null => {
  const parsed = tryCatch(
    (): unknown => JSON.parse(Buffer.from(bytes).toString('utf8')),
    () => null,
  )
  if (isLeft(parsed) || !Artifact.is(parsed.right)) return null
  const { logs, surfaces } = parsed.right
  const byWord = new Map<string, Array<string>>()
  for (const [surface] of surfaces)
    for (const word of new Set(bareWordsOfKey(nameKey(surface)))) {
      const known = byWord.get(word)
      if (known === undefined) byWord.set(word, [surface])
      else known.push(surface)
    }
  const lines = new Map(surfaces)
  const groupsOf = (surface: string): ReadonlyArray<string> => lines.get(surface)?.split(';') ?? []
  return {
    surfacesWith: words => [...new Set(words.flatMap(word => byWord.get(word) ?? []))],
    linesOf: wanted => {
      const inLog = new Map<number, Set<number>>()
      for (const surface of wanted)
        for (const group of groupsOf(surface)) {
          const [log = '', indexes = ''] = group.split(':')
          const at = Number.parseInt(log, 36)
          const known = inLog.get(at) ?? new Set<number>()
          inLog.set(at, known)
          for (const index of indexes.split(',')) known.add(Number.parseInt(index, 36))
        }
      return [...inLog].flatMap(([at, indexes]) => {
        const name = logs[at]
        return name === undefined ? [] : [[name, [...indexes].sort((one, other) => one - other)] as const]
      })
    },
    common: logsMin =>
      surfaces.flatMap(([name, own]) => {
        const groups = own.split(';')
        if (groups.length < logsMin) return []
        return [{ name, logs: groups.length, lines: own.split(/[;,]/u).length }]
      }),
  }
}

/** The names in a text as written: runs of capitalised words, with a preposition between two of them. */
export const surfacesIn = (text: string): ReadonlyArray<string> => {
  const words = [...wordsOf(text)]
  const surfaces: Array<string> = []
  const isCapital = (at: number): boolean => /^\p{Lu}/u.test(text.slice(words[at]?.start, words[at]?.end))
  const isNext = (at: number): boolean =>
    /^[\s'’-]{1,3}$/u.test(text.slice(words[at - 1]?.end, words[at]?.start))
  for (let at = 0; at < words.length; at += 1) {
    if (!isCapital(at)) continue
    let end = at + 1
    while (end < words.length && end - at < surfaceWordsMax && isNext(end)) {
      if (isCapital(end)) end += 1
      else if (
        joining.has(words[end]?.text ?? '') &&
        end + 1 < words.length &&
        isNext(end + 1) &&
        isCapital(end + 1)
      )
        end += 2
      else break
    }
    const surface = text.slice(words[at]?.start, words[end - 1]?.end).replace(/\s+/gu, ' ')
    const isWord = end - at === 1
    if (!isWord || (surface.length >= wordCharsMin && !isStopWord(words[at]?.text ?? '')))
      surfaces.push(surface)
    at = end - 1
  }
  return surfaces
}

interface Collected {
  /** Transcripts with their lines, as the artifact has them. */
  readonly lines: string
  readonly log: number
}

/** An artifact of another version is made again. */
const mentionVersion = 1

const Artifact = t.type({
  version: t.literal(mentionVersion),
  logs: t.readonlyArray(t.string),
  surfaces: t.readonlyArray(t.readonly(t.tuple([t.string, t.string]))),
})

/** Words inside of names that have small letters. */
const joining: ReadonlySet<string> = new Set([
  'z',
  'ze',
  'od',
  'ode',
  'de',
  'von',
  'van',
  'nad',
  'pod',
  'w',
  'we',
  'znad',
])

const surfaceWordsMax = 8
const wordCharsMin = 3
