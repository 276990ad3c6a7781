import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { pathOf, type RepoPath, requirePath } from '#protocol/atoms.js'
import { formatCount } from '#src/domain/caching/per-value.js'
import { parseJson } from '#src/domain/json/json-text.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { LanguageData } from '#src/domain/names/word-table.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'
import { type Sliced, sortInSlices } from '#src/domain/slicing/sliced.js'
import { isPlain, lexiconFormsMax, lexiconLines } from './sections.js'

/** The trees whose texts have sidecars, as the folder below `lematy/` names them. */
export type AnnotatedTree = 'lore' | 'dziel'

/** The tree and path of the text that a sidecar is about; null for another file. */
export const annotationTarget = (
  path: string,
): { readonly tree: AnnotatedTree; readonly path: string } | null => {
  const found = /^lematy\/(lore|dziel)\/(.+)\.json$/u.exec(path.normalize('NFC'))
  const [, tree, text] = found ?? []
  return text === undefined || (tree !== 'lore' && tree !== 'dziel') ? null : { tree, path: text }
}

export type ReadSidecar =
  | {
      readonly _tag: 'Read'
      readonly offsets: LemmaTable
      /** How many lemmas the file has. */
      readonly length: number
      /** Lemmas by form, in lower case, of words that are no proper nouns: lines of a lexicon in UTF-8. */
      readonly forms: Uint8Array
    }
  /** The text is not the one that was annotated, so its offsets are wrong. */
  | { readonly _tag: 'Outdated' }
  | { readonly _tag: 'Unreadable' }
  /** With the sidecars before it there are too many; `length` is null where its bytes alone are. */
  | { readonly _tag: 'AboveBudget'; readonly length: number | null }

/** A text with a sidecar. */
export interface AnnotatedText {
  readonly text: string
  /** Of the bytes of the text, in lower-case hex. */
  readonly sha256: string
}

/** Reads a sidecar of at most `lemmasMax` lemmas. Yields every few hundred of them. */
export const readSidecar = function* (
  json: string,
  { text, sha256 }: AnnotatedText,
  lemmasMax: number,
): Sliced<ReadSidecar> {
  const parts = yield* splitSidecar(json)
  if (parts === null) return { _tag: 'Unreadable' }
  if (parts.sha256 !== sha256) return { _tag: 'Outdated' }
  const { length } = parts
  if (length > lemmasMax) return { _tag: 'AboveBudget', length }
  const offsets = makeOffsets()
  const forms = new Map<string, string>()
  for (const run of parts.runs) {
    const lemmas = parseRun(json, run)
    if (lemmas === null) return { _tag: 'Unreadable' }
    for (const [start, end, lemma] of lemmas) {
      if (end <= start || lemma === '' || lemma.length > lemmaCharsMax) continue
      offsets.add(start, lemma)
      const form = end - start > lemmaCharsMax ? '' : text.slice(start, end)
      if (form !== form.toLowerCase()) continue
      if (isPlain(form) && isPlain(lemma) && (forms.size < lexiconFormsMax || forms.has(form)))
        forms.set(form, lemma)
    }
    yield
  }
  return { _tag: 'Read', offsets: yield* offsets.make(), length, forms: yield* lexiconLines(forms) }
}

/** The SHA-256 of bytes, in lower-case hex. */
export const hashInSlices = function* (bytes: Uint8Array): Sliced<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += bytesPerTurn) {
    hash.update(bytes.subarray(at, at + bytesPerTurn))
    yield
  }
  return hash.digest('hex')
}

/** The committed bytes of a text file. */
export const bytesOfText = ({ text, bom }: Pick<SourceFile, 'text' | 'bom'>): Uint8Array =>
  Buffer.from(bom === true ? `\u{feff}${text}` : text)

/** The most that all sidecars together may have. */
export interface LemmaBudget {
  readonly bytes: number
  readonly lemmas: number
}

/** Some megabytes of lore in which each word has its lemma; eight bytes of memory a lemma, and its text once a file. */
export const lemmaBudget: LemmaBudget = { bytes: 64 * 1024 * 1024, lemmas: 2_000_000 }

/** The finding about a sidecar that is not used. `path` is that in the annotation tree. */
export const sidecarFinding = (path: string, why: Unused, budget: LemmaBudget): Finding => {
  const [reason, suggestion] =
    why === 'Outdated' ? outdated : why === 'Unreadable' ? unreadable : aboveBudget(budget)
  return {
    kind: `Lemmas${why}`,
    severity: 'warning',
    file: pathInFindings(path),
    line: null,
    subject: path,
    reason,
    suggestion,
  }
}

/** A path of the annotation tree as findings show it. */
export const pathInFindings = (path: string): RepoPath =>
  pathOf(`corpora.adnotacje/${path}`) ?? requirePath('corpora.adnotacje')

/** The lemma of a word by where it starts, in UTF-16 units of the text without its BOM. */
export interface LemmaOffsets {
  readonly get: (start: number) => string | undefined
}

export const noOffsets: LemmaOffsets = { get: () => undefined }

export const offsetsOfTable = ({ starts, numbers, lemmas }: LemmaTable): LemmaOffsets => ({
  get: start => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((starts[middle] ?? 0) <= start) low = middle + 1
      else high = middle
    }
    return low > 0 && starts[low - 1] === start ? lemmas[numbers[low - 1] ?? 0] : undefined
  },
})

export const makeOffsets = (): OffsetsMaker => {
  const starts: Array<number> = []
  const numbers: Array<number> = []
  const numberOf = new Map<string, number>()
  let isSorted = true
  return {
    add: (start, lemma) => {
      if (!Number.isInteger(start) || start < 0 || start > startMax) return
      isSorted &&= start >= (starts.at(-1) ?? 0)
      const number = numberOf.get(lemma) ?? numberOf.size
      numberOf.set(lemma, number)
      starts.push(start)
      numbers.push(number)
    },
    make: function* () {
      const lemmas = [...numberOf.keys()]
      if (isSorted) return { starts: Uint32Array.from(starts), numbers: Uint32Array.from(numbers), lemmas }
      const order = yield* sortInSlices(
        [...starts.keys()],
        (one, other) => (starts[one] ?? 0) - (starts[other] ?? 0),
      )
      const inOrder = (values: ReadonlyArray<number>): Uint32Array =>
        Uint32Array.from(order, at => values[at] ?? 0)
      return { starts: inOrder(starts), numbers: inOrder(numbers), lemmas }
    },
  }
}

/** Reads all of a sidecar but its lemmas; null where it is none. Yields between runs of elements. */
export const splitSidecar = function* (json: string): Sliced<LemmaRuns | null> {
  const start = findList(json)
  const list = start < 0 ? null : yield* cutList(json, start)
  if (list === null || json.length - list.end > restCharsMax) return null
  const rest = LemmaSidecar.decode(parseJson(`${json.slice(0, start)}${json.slice(list.end)}`))
  if (isLeft(rest) || rest.right.lemmas.length > 0) return null
  return { sha256: rest.right.sha256.toLowerCase(), length: list.length, runs: list.runs }
}

/** The elements of one run; null where one is no lemma. */
export const parseRun = (
  json: string,
  [start, end]: LemmaRuns['runs'][number],
): LemmaSidecar['lemmas'] | null => {
  const read = LemmaSidecar.props.lemmas.decode(parseJson(`[${json.slice(start, end)}]`))
  return isLeft(read) ? null : read.right
}

/** A file with the lemmas that its sidecar states. */
export interface SearchText {
  readonly file: SourceFile
  readonly stated: LemmaTable | null
}

/** What is read of a copy of a session to make its documents. */
export type CopyPlace = Pick<
  SessionCopy,
  'header' | 'key' | 'line' | 'endLine' | 'date' | 'dateEnd' | 'title'
>

/** The documents that are made of the text at `at` of a group. */
export type TextCut =
  | { readonly _tag: 'Lore' | 'Works'; readonly at: number }
  | { readonly _tag: 'Session'; readonly at: number; readonly copy: CopyPlace }
  | { readonly _tag: 'Pdf'; readonly at: number; readonly confidenceFloor: number }

/** A few texts, and the documents that are made of them, in their order. Every value can be cloned. */
export interface TextGroup {
  readonly texts: ReadonlyArray<SearchText>
  readonly cuts: ReadonlyArray<TextCut>
}

/** The texts of a tier, for another thread to make documents of. */
export interface TierTexts {
  /** Lemmas of the language data. */
  readonly lemmas: LanguageData['lemmas']
  /** The texts of these sources, in groups that make the documents of `TierContent.read` in its order. */
  readonly groups: (sources: ReadonlyArray<string>) => AsyncIterable<TextGroup>
}

const lemmaCharsMax = 128

const bytesPerTurn = 1_048_576

const bytesForm = ['bajt', 'bajty', 'bajtów'] as const
const lemmasForm = ['lemat', 'lematy', 'lematów'] as const

type Unused = Exclude<ReadSidecar['_tag'], 'Read'>

const outdated = [
  'Tekst zmienił się od czasu, gdy opisano jego lematy; wyszukiwarka ich nie używa.',
  'Opisz lematy tekstu ponownie albo usuń ten plik.',
] as const
const unreadable = [
  'Plik lematów nie jest obiektem JSON z polami "sha256" i "lemmas".',
  'Popraw plik albo go usuń.',
] as const
const aboveBudget = ({ bytes, lemmas }: LemmaBudget) =>
  [
    [
      'Plik lematów nie jest używany: wszystkie razem mogą mieć najwyżej',
      `${formatCount(bytes, bytesForm)} i ${formatCount(lemmas, lemmasForm)}, a te przed nim zajmują resztę.`,
    ].join(' '),
    'Usuń z repozytorium zbędne pliki lematów.',
  ] as const

/** Numbers of lemmas by the starts of their words, eight bytes a word. `starts` is sorted. It can be cloned. */
interface LemmaTable {
  readonly starts: Uint32Array
  readonly numbers: Uint32Array
  readonly lemmas: ReadonlyArray<string>
}

/** Collects lemmas of one text; of two at the same start the last counts. */
interface OffsetsMaker {
  readonly add: (start: number, lemma: string) => void
  readonly make: () => Sliced<LemmaTable>
}

const startMax = 0xffff_ffff

/** `lematy/<tree>/<path>.json`: the hash of the text, and for words of it where they are and their lemma. */
const LemmaSidecar = t.type(
  { sha256: t.string, lemmas: t.readonlyArray(t.tuple([t.number, t.number, t.string])) },
  'LemmaSidecar',
)
type LemmaSidecar = t.TypeOf<typeof LemmaSidecar>

/** Elements that are parsed in one turn. */
const runLength = 256
/** The most characters of an element, and between two brackets or commas. */
const elementCharsMax = 4096
/** The most characters of a sidecar beside its list of lemmas. */
const restCharsMax = 65_536

const marks = { quote: 34, backslash: 92, comma: 44, open: 91, close: 93, openObject: 123, closeObject: 125 }

/** The place of the next bracket or comma outside of strings; -1 where none is near. */
const nextMark = (json: string, start: number): number => {
  const end = Math.min(json.length, start + elementCharsMax)
  let isInString = false
  for (let at = start; at < end; at += 1) {
    const code = json.charCodeAt(at)
    if (isInString && code === marks.backslash) at += 1
    else if (code === marks.quote) isInString = !isInString
    else if (isInString) continue
    else if (code === marks.comma || code === marks.open || code === marks.close) return at
    else if (code === marks.openObject || code === marks.closeObject) return at
  }
  return -1
}

const depthChange = (code: number): number =>
  code === marks.open || code === marks.openObject
    ? 1
    : code === marks.close || code === marks.closeObject
      ? -1
      : 0

const endsAsKey = (json: string): boolean => {
  const text = json.trimEnd()
  return text.endsWith(':') && text.slice(0, -1).trimEnd().endsWith('"lemmas"')
}

/** The place behind the bracket that opens the list of lemmas; -1 where there is no such list. */
const findList = (json: string): number => {
  let depth = 0
  for (let at = nextMark(json, 0); at >= 0 && at <= restCharsMax; at = nextMark(json, at + 1)) {
    const code = json.charCodeAt(at)
    if (code === marks.open && depth === 1 && endsAsKey(json.slice(Math.max(0, at - 64), at))) return at + 1
    depth += depthChange(code)
  }
  return -1
}

/** The list of lemmas of a sidecar as runs of its elements, not parsed yet, and the hash of its text. */
interface LemmaRuns {
  readonly sha256: string
  /** How many elements the list has. */
  readonly length: number
  readonly runs: ReadonlyArray<readonly [number, number]>
}

/** Cuts the list that starts at `start` between its elements; null where one is too long or too deep. */
const cutList = function* (
  json: string,
  start: number,
): Sliced<(Omit<LemmaRuns, 'sha256'> & { readonly end: number }) | null> {
  const runs: Array<readonly [number, number]> = []
  let [depth, length, runStart, elementStart] = [1, 0, start, start]
  for (let at = nextMark(json, start); at >= 0; at = nextMark(json, at + 1)) {
    const code = json.charCodeAt(at)
    depth += depthChange(code)
    if (depth > 2 || at - elementStart > elementCharsMax) return null
    if (depth === 0) {
      const isBlank = json.slice(runStart, at).trim() === ''
      if (isBlank) return length === 0 ? { length, runs, end: at } : null
      return { length: length + 1, runs: [...runs, [runStart, at]], end: at }
    }
    if (depth !== 1 || code !== marks.comma) continue
    length += 1
    elementStart = at + 1
    if (length % runLength !== 0) continue
    runs.push([runStart, at])
    runStart = at + 1
    yield
  }
  return null
}
