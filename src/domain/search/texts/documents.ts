import type { Day } from '#protocol/atoms/day.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'
import type { DocumentHead, SearchDocument } from '../document.js'
import { type Lemmas, termsOf } from './document-terms.js'
import type { FileLines, Section } from './sections.js'
import { proseSections, sessionSections } from './sections.js'

/** How often the words of a title count, beside those of the text. */
const titleWeight = 2

/** Every document is shown to every reader of its tier: what is not is in none. */
export const publicVisibility = 'all'

type Common = Pick<DocumentHead, 'kind' | 'source' | 'diegesis' | 'authority' | 'day' | 'header'>

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/iu, '')

const documentOfSection = (
  { file }: FileLines,
  section: Section,
  common: Common,
  lemmas: Lemmas,
  title: string,
): SearchDocument => {
  const open = redactCredentials(section.text)
  const own = open === section.text ? lemmas : { ...lemmas, atOffsets: new Map<number, string>() }
  const titleTerms = termsOf(redactCredentials(title), { ...lemmas, atOffsets: new Map() })
  return {
    ...common,
    id: `${file.path}#${section.line}`,
    path: file.path,
    blob: file.blob,
    bytes: section.bytes,
    line: section.line,
    title: redactCredentials(title),
    visibility: publicVisibility,
    terms: [
      ...Array.from({ length: titleWeight }, () => titleTerms).flat(),
      ...termsOf(open, own, section.start),
    ],
  }
}

const isFilled = ({ terms }: SearchDocument): boolean => terms.length > 0

const isCertain = ({ file }: FileLines): boolean => !file.undecodable && file.unread !== true

/**
 * The documents of a file of the lore: its sections, without sessions, restricted topics and credentials. A
 * file that is not UTF-8 has none: the bytes of its lines are not known.
 */
export const loreDocuments = (of: FileLines, lemmas: Lemmas): ReadonlyArray<SearchDocument> => {
  if (!isCertain(of)) return []
  const common: Common = {
    kind: 'lore',
    source: of.file.path,
    diegesis: null,
    authority: 'rada',
    day: null,
    header: null,
  }
  return proseSections(of)
    .map(section => documentOfSection(of, section, common, lemmas, section.title ?? nameOf(of.file.path)))
    .filter(isFilled)
}

const daysOf = (from: Day, to: Day | null): DocumentHead['day'] => ({
  from,
  to: to === null || to < from ? from : to,
})

/** The documents of one copy of a session. */
export const sessionDocuments = (
  of: FileLines,
  copy: Pick<SessionCopy, 'header' | 'key' | 'line' | 'endLine' | 'date' | 'dateEnd' | 'title'>,
  lemmas: Lemmas,
): ReadonlyArray<SearchDocument> => {
  if (!isCertain(of)) return []
  const header = redactCredentials(copy.header)
  const common: Common = {
    kind: 'session',
    source: copy.key,
    diegesis: null,
    authority: 'rada',
    day: daysOf(copy.date, copy.dateEnd),
    header,
  }
  return sessionSections(of, copy.line, copy.endLine)
    .map(section => documentOfSection(of, section, common, lemmas, copy.title === '' ? header : copy.title))
    .filter(isFilled)
}

const diegeses: ReadonlySet<string> = new Set(['in-game', 'out-of-game', 'mixed'])
const authorities: ReadonlySet<string> = new Set(['rada', 'transcript', 'tool', 'player-ip', 'external'])

/** What the leading `- @tag: value` list of a works document states; a value that is none of the list is ignored. */
export interface Stated {
  readonly diegesis: string | null
  readonly authority: string
}

/** The rows of the list that a document begins with, below its first header if it begins with one. */
export const statementOf = ({ lines }: Pick<FileLines, 'lines'>): Stated => {
  let stated: Stated = { diegesis: null, authority: 'external' }
  let isAfterTitle = false
  for (const line of lines) {
    if (line._tag === 'Blank') continue
    if (line._tag === 'Header' && !isAfterTitle) {
      isAfterTitle = true
      continue
    }
    const row = line._tag === 'Item' ? /^@([\p{L}_-]+):\s*(.*)$/u.exec(line.text) : null
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
  return first.text
}

const worksTitle = ({ file }: FileLines, fileTitle: string | null, section: string | null): string =>
  fileTitle === null || section === null || section === fileTitle
    ? (section ?? fileTitle ?? nameOf(file.path))
    : `${fileTitle} › ${section}`

/** The documents of a Markdown file of the works tree. */
export const worksDocuments = (of: FileLines, lemmas: Lemmas): ReadonlyArray<SearchDocument> => {
  if (!isCertain(of)) return []
  const common: Common = {
    kind: 'external',
    source: of.file.path,
    day: null,
    header: null,
    ...statementOf(of),
  }
  const fileTitle = fileTitleOf(of)
  return proseSections(of)
    .map(section => documentOfSection(of, section, common, lemmas, worksTitle(of, fileTitle, section.title)))
    .filter(isFilled)
}
