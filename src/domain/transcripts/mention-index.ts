import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { nameKey } from '#protocol/atoms.js'
import { bareWordsOfKey } from '#src/domain/names/resolve.js'
import { isStopWord, type Word, wordsOf } from '#src/domain/search/words.js'

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
  /** Every surface of at least so many transcripts that does not only begin sentences. */
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
      for (const { text: surface, isSure } of surfacesIn(text)) {
        const known = found.get(surface) ?? { lines: '', log: -1, line: -1, isSure: false }
        const log = logs.length - 1
        if (known.log === log && known.line === index) {
          if (isSure) found.set(surface, { ...known, isSure })
          continue
        }
        const lead = known.log === log ? ',' : `${known.lines === '' ? '' : ';'}${log.toString(36)}:`
        const lines = `${known.lines}${lead}${index.toString(36)}`
        found.set(surface, { lines, log, line: index, isSure: known.isSure || isSure })
      }
    },
    finish: () => {
      const surfaces = [...found]
        .map(([surface, { lines, isSure }]) => [surface, lines, isSure ? 1 : 0] as const)
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
  const lines = new Map(surfaces.map(([surface, own]) => [surface, own]))
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
      surfaces.flatMap(([name, own, isSure]) => {
        const groups = own.split(';')
        if (isSure === 0 || groups.length < logsMin) return []
        return [{ name, logs: groups.length, lines: own.split(/[;,]/u).length }]
      }),
  }
}

/** A name as written. A word that begins a sentence has a capital letter anyway: such a run is no sure name. */
export interface Surface {
  readonly text: string
  readonly isSure: boolean
}

/**
 * The names in a text as written: runs of capitalised words, with a preposition between two of them. A run that
 * begins a sentence comes with and without its first word.
 */
export const surfacesIn = (text: string): ReadonlyArray<Surface> => {
  const words = [...wordsOf(text)]
  const surfaces: Array<Surface> = []
  for (let at = 0; at < words.length; at += 1) {
    if (!isCapital(text, words[at])) continue
    const end = endOfRun(text, words, at)
    const isSure = words[at]?.isProper === true
    addSurface(surfaces, text, words.slice(at, end), isSure)
    if (!isSure && end - at > 1) addSurface(surfaces, text, withoutFirst(text, words.slice(at, end)), true)
    at = end - 1
  }
  return surfaces
}

const isCapital = (text: string, word: Word | undefined): boolean =>
  word !== undefined && /^\p{Lu}/u.test(text.slice(word.start, word.end))

/** The words of a run behind its first one, from the next capitalised one on. */
const withoutFirst = (text: string, run: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const rest = run.slice(1)
  return rest.slice(rest.findIndex(word => isCapital(text, word)))
}

/** The end of the run that begins at a capitalised word. */
const endOfRun = (text: string, words: ReadonlyArray<Word>, at: number): number => {
  const follows = (next: number): boolean =>
    next < words.length && /^[\s'’-]{1,3}$/u.test(text.slice(words[next - 1]?.end, words[next]?.start))
  let end = at + 1
  while (end - at < surfaceWordsMax && follows(end)) {
    if (isCapital(text, words[end])) end += 1
    else if (joining.has(words[end]?.text ?? '') && follows(end + 1) && isCapital(text, words[end + 1]))
      end += 2
    else break
  }
  return end
}

const addSurface = (to: Array<Surface>, text: string, run: ReadonlyArray<Word>, isSure: boolean): void => {
  const [first, last] = [run[0], run.at(-1)]
  if (first === undefined || last === undefined) return
  const surface = text.slice(first.start, last.end).replace(/\s+/gu, ' ')
  if (run.length > 1 || (surface.length >= wordCharsMin && !isStopWord(first.text)))
    to.push({ text: surface, isSure })
}

interface Collected {
  /** Transcripts with their lines, as the artifact has them. */
  readonly lines: string
  /** The last line. */
  readonly log: number
  readonly line: number
  readonly isSure: boolean
}

/** An artifact of another version is made again. */
const mentionVersion = 1

const Artifact = t.type({
  version: t.literal(mentionVersion),
  logs: t.readonlyArray(t.string),
  surfaces: t.readonlyArray(t.readonly(t.tuple([t.string, t.string, t.number]))),
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
