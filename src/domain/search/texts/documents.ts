import type { Day } from '#protocol/atoms.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { type DocumentHead, type SearchDocument, termCharsMax } from '../document.js'
import { reduceWord } from '../reduce-word.js'
import { isStopWord, wordsOf } from '../words.js'
import { type LemmaOffsets, noOffsets } from './lemma-sidecar.js'
import { type FileLines, proseSections, type Section, sessionSections } from './sections.js'

/** Every document is shown to every reader of its tier: what is not is in none. */
export const publicVisibility = 'all'

/**
 * The documents of a file of the lore: its sections, without sessions, restricted topics and credentials. A
 * file that is not UTF-8 has none: the bytes of its lines are not known.
 */
export const planLore = function* (of: FileLines, lemmas: Lemmas): Sliced<DocumentPlan> {
  const common: Common = {
    kind: 'lore',
    source: of.file.path,
    diegesis: null,
    authority: 'rada',
    day: null,
    header: null,
  }
  const sections = isCertain(of) ? yield* proseSections(of) : noSections
  return planSections({ of, common, lemmas }, sections, ({ title }) => title ?? nameOf(of.file.path))
}

/** The documents of one copy of a session. */
export const planSession = function* (
  of: FileLines,
  copy: Pick<SessionCopy, 'header' | 'key' | 'line' | 'endLine' | 'date' | 'dateEnd' | 'title'>,
  lemmas: Lemmas,
): Sliced<DocumentPlan> {
  const header = headText(copy.header)
  const common: Common = {
    kind: 'session',
    source: copy.key,
    diegesis: null,
    authority: 'rada',
    day: daysOf(copy.date, copy.dateEnd),
    header,
  }
  const sections = isCertain(of) ? yield* sessionSections(of, copy.line, copy.endLine) : noSections
  return planSections({ of, common, lemmas }, sections, () => (copy.title === '' ? header : copy.title))
}

/** The documents of a Markdown file of the works tree. */
export const planWorks = function* (of: FileLines, lemmas: Lemmas): Sliced<DocumentPlan> {
  const common: Common = {
    kind: 'external',
    source: of.file.path,
    day: null,
    header: null,
    ...statementOf(of),
  }
  const sections = isCertain(of) ? yield* proseSections(of) : noSections
  const fileTitle = fileTitleOf(of)
  return planSections({ of, common, lemmas }, sections, ({ title }) => worksTitle(of, fileTitle, title))
}

/** The documents of one text before they are made, by their place from 0 to `count`. */
export interface DocumentPlan {
  readonly count: number
  /** Null where the part of the text has no words. */
  readonly documentAt: (at: number) => Sliced<SearchDocument | null>
}

export interface DocumentBatch {
  readonly documents: ReadonlyArray<SearchDocument>
  /** The place that the next batch begins with; null after the last. */
  readonly next: number | null
}

/** Makes the documents from `from` on, as many as are sent at once. */
export const nextDocuments = function* (plan: DocumentPlan, from: number): Sliced<DocumentBatch> {
  const documents: Array<SearchDocument> = []
  let terms = 0
  for (let at = from; at < plan.count; at += 1) {
    if (documents.length >= batchDocumentsMax || terms >= batchTermsMin) return { documents, next: at }
    const document = yield* plan.documentAt(at)
    if (document !== null) documents.push(document)
    terms += document?.terms.length ?? 0
    yield
  }
  return { documents, next: null }
}

export type LemmasOfForm = (form: string) => ReadonlyArray<string>

/** Lemmas beside the rules. */
export interface Lemmas {
  /** Lemmas of an ordinary word by its form in lower case. */
  readonly ofForm: LemmasOfForm
  /** Of this text, by the UTF-16 offset at which the word starts. */
  readonly atOffsets: LemmaOffsets
}

export const noLemmas: Lemmas = { ofForm: () => noKeys, atOffsets: noOffsets }

/** The keys of every word of a lemma, which may be a name of several. */
export const keysOfText = (text: string): ReadonlyArray<string> =>
  [...wordsOf(text)].map(({ text: word }) => reduceWord(word)).filter(isTerm)

/**
 * The keys of the words of a text in its order; `offset` is where the text starts in its file. A word whose
 * lemma is stated has the key of that too; a dictionary does not speak about a proper noun.
 */
export const termsInSlices = function* (
  text: string,
  { ofForm, atOffsets }: Lemmas,
  offset = 0,
): Sliced<ReadonlyArray<string>> {
  const terms: Array<string> = []
  let words = 0
  for (const word of wordsOf(text)) {
    words += 1
    if (words % wordsPerSlice === 0) yield
    if (isStopWord(word.text)) continue
    const key = reduceWord(word.text)
    if (isTerm(key)) terms.push(key)
    const stated = atOffsets.get(word.start + offset)
    const lemmas = stated !== undefined ? [stated] : word.isProper ? noKeys : ofForm(word.text)
    for (const lemma of lemmas) for (const other of keysOfText(lemma)) if (other !== key) terms.push(other)
  }
  return terms
}

/** Runs `termsInSlices` to its end without yielding. */
export const termsOf = (text: string, lemmas: Lemmas): ReadonlyArray<string> =>
  atOnce(termsInSlices(text, lemmas))

/** How often the words of a title count, beside those of the text. */
const titleWeight = 2

type Common = Pick<DocumentHead, 'kind' | 'source' | 'diegesis' | 'authority' | 'day' | 'header'>

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/iu, '')

/** A title or header of a document is cut after this many characters. */
const titleCharsMax = 1000

/** A text for a head of a document, without credentials; one that the cut divides is among those removed. */
const headText = (text: string): string =>
  redactCredentials(text.slice(0, 4 * titleCharsMax)).slice(0, titleCharsMax)

/** What the documents of a text have in common. */
interface Shared {
  readonly of: FileLines
  readonly common: Common
  readonly lemmas: Lemmas
}

const documentOfSection = function* (
  { of: { file }, common, lemmas }: Shared,
  section: Section,
  title: string,
  titleTerms: ReadonlyArray<string>,
): Sliced<SearchDocument | null> {
  const { start, end, line, lineStart, bytes } = section
  const text = file.text.slice(start, end)
  const open = redactCredentials(text)
  const own = open === text ? lemmas : { ...lemmas, atOffsets: new Map<number, string>() }
  const terms = yield* termsInSlices(open, own, start)
  if (terms.length === 0) return null
  return {
    ...common,
    id: `${file.path}#${line}${start > lineStart ? `+${start - lineStart}` : ''}`,
    path: file.path,
    blob: file.blob,
    bytes,
    line,
    title,
    visibility: publicVisibility,
    terms: [...Array.from({ length: titleWeight }, () => titleTerms).flat(), ...terms],
  }
}

/** Plans one document for each section. Those that follow each other under one title share its words. */
const planSections = (
  shared: Shared,
  sections: ReadonlyArray<Section>,
  titleOf: (section: Section) => string,
): DocumentPlan => {
  let known: { readonly written: string; title: string; terms: ReadonlyArray<string> } | null = null
  return {
    count: sections.length,
    documentAt: function* (at) {
      const section = sections[at]
      if (section === undefined) return null
      const written = titleOf(section)
      if (known?.written !== written) {
        const title = headText(written)
        known = { written, title, terms: termsOf(title, { ...shared.lemmas, atOffsets: new Map() }) }
      }
      return yield* documentOfSection(shared, section, known.title, known.terms)
    },
  }
}

const isCertain = ({ file }: FileLines): boolean => !file.undecodable && file.unread !== true

const noSections: ReadonlyArray<Section> = []

const daysOf = (from: Day, to: Day | null): DocumentHead['day'] => ({
  from,
  to: to === null || to < from ? from : to,
})

const diegeses: ReadonlySet<string> = new Set(['in-game', 'out-of-game', 'mixed'])
const authorities: ReadonlySet<string> = new Set(['rada', 'transcript', 'tool', 'player-ip', 'external'])

/** What the leading `- @tag: value` list of a works document states; a value that is none of the list is ignored. */
interface Stated {
  readonly diegesis: string | null
  readonly authority: string
}

/** The rows of the list that a document begins with, below its first header if it begins with one. */
const statementOf = ({ lines }: Pick<FileLines, 'lines'>): Stated => {
  let stated: Stated = { diegesis: null, authority: 'external' }
  let isAfterTitle = false
  for (const line of lines) {
    if (line._tag === 'Blank') continue
    if (line._tag === 'Header' && !isAfterTitle) {
      isAfterTitle = true
      continue
    }
    const row = line._tag === 'Item' ? /^@([\p{L}_-]+):(.*)$/su.exec(line.text) : null
    if (row === null) break
    const [tag, value] = [row[1]?.toLowerCase(), (row[2] ?? '').trim()]
    if (tag === 'diegesis' && diegeses.has(value)) stated = { ...stated, diegesis: value }
    if (tag === 'authority' && authorities.has(value)) stated = { ...stated, authority: value }
  }
  return stated
}

/** The header that a file begins with; null where it begins with none, or with one that is left out. */
const fileTitleOf = ({ lines, withheld, sessions }: FileLines): string | null => {
  const first = lines.find(({ _tag }) => _tag !== 'Blank')
  if (first?._tag !== 'Header' || withheld.has(first.number) || sessions.has(first.number)) return null
  return first.text.slice(0, 4 * titleCharsMax)
}

const worksTitle = ({ file }: FileLines, fileTitle: string | null, section: string | null): string =>
  fileTitle === null || section === null || section === fileTitle
    ? (section ?? fileTitle ?? nameOf(file.path))
    : `${fileTitle} › ${section}`

/** A batch ends with this many documents, or once they have this many words: it is sent in one turn. */
const batchDocumentsMax = 64
const batchTermsMin = 8192

const noKeys: ReadonlyArray<string> = []

const isTerm = (key: string): boolean => key !== '' && key.length <= termCharsMax

/** Words between two yields. */
const wordsPerSlice = 512
