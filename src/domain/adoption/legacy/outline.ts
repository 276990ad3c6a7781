import type { RepoPath } from '#protocol/atoms.js'
import type { Finding, Severity } from '#src/domain/lore/finding.js'
import { type Line, type Lines, linesOf, shownOf } from '#src/domain/lore/lines/lines.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { findingOfNotice } from './noticed.js'

/** A list item of a legacy file; `parent` is the index of its parent item, null for a root. */
export interface OutlineItem {
  readonly indent: number
  /** Text of the bullet, then its continuation lines joined by a newline. */
  readonly text: string
  readonly line: number
  readonly parent: number | null
  readonly children: ReadonlyArray<number>
}

/**
 * A header with everything until the next header of any level (FORMATS 0). The text before the first header
 * has level 0.
 */
export interface OutlineSection {
  readonly level: number
  readonly title: string
  readonly line: number
  readonly items: ReadonlyArray<OutlineItem>
  readonly roots: ReadonlyArray<number>
  /** Lines that belong to no item: plain text and everything inside fences. */
  readonly loose: ReadonlyArray<{ readonly line: number; readonly text: string }>
}

interface GrowingItem {
  readonly indent: number
  text: string
  readonly line: number
  readonly parent: number | null
  readonly children: Array<number>
}

interface GrowingSection {
  readonly level: number
  readonly title: string
  readonly line: number
  readonly items: Array<GrowingItem>
  readonly roots: Array<number>
  readonly loose: Array<{ readonly line: number; readonly text: string }>
}

const openSection = (level: number, title: string, line: number): GrowingSection => ({
  level,
  title,
  line,
  items: [],
  roots: [],
  loose: [],
})

/** Adds an item. `open` holds the indexes of the items that may still get children, outermost first. */
const addItem = (
  section: GrowingSection,
  open: Array<number>,
  item: { readonly indent: number; readonly text: string; readonly line: number },
): void => {
  while (open.length > 0) {
    const last = section.items[open.at(-1) ?? -1]
    if (last !== undefined && last.indent < item.indent) break
    open.pop()
  }
  const parent = open.at(-1) ?? null
  const at = section.items.length
  section.items.push({ ...item, parent, children: [] })
  if (parent === null) section.roots.push(at)
  else section.items[parent]?.children.push(at)
  open.push(at)
}

/** A legacy file, with the findings about what it hides. */
export interface Outline {
  readonly sections: ReadonlyArray<OutlineSection>
  readonly findings: ReadonlyArray<Finding>
}

/** The findings about comments and conflicts, each by its first line. Fences are loose text of their section. */
const hiddenFindings = (file: RepoPath, { lines, notices }: Lines): ReadonlyArray<Finding> => {
  const isHidden = (line: Line | undefined): boolean =>
    line?._tag === 'Hidden' || line?.comments !== undefined
  const finding = (kind: string, severity: Severity, line: number, reason: string): Finding =>
    findingOfNotice({ kind, severity, file, line, reason, suggestion: 'Correct the file and adopt again.' })
  const faults = notices.flatMap(notice => {
    if (notice._tag === 'ConflictMarker')
      return [finding('ConflictMarker', 'error', notice.line, 'A marker of a git conflict stands here.')]
    if (notice._tag !== 'Unclosed') return []
    const reason = 'What begins here is never closed, so nothing below it was adopted.'
    return [finding(`Unclosed${notice.by}`, 'error', notice.line, reason)]
  })
  const hidden = lines.filter((line, at) => isHidden(line) && !isHidden(lines[at - 1]))
  const reason = 'The text in a comment, or between the markers of a git conflict, was not adopted.'
  return [...faults, ...hidden.map(({ number }) => finding('HiddenText', 'info', number, reason))]
}

/**
 * Parses the sections and list items of a legacy Markdown text by the line model of FORMATS 0. Total and
 * linear.
 */
export const outlineOf = ({ path, text }: Pick<SourceFile, 'path' | 'text'>): Outline => {
  const scanned = linesOf(text)
  let section = openSection(0, '', 1)
  const sections = [section]
  const open: Array<number> = []
  for (const line of scanned.lines) {
    const last = section.items.at(-1)
    if (line._tag === 'Header') {
      section = openSection(line.level, line.text, line.number)
      sections.push(section)
      open.length = 0
    } else if (line._tag === 'Item')
      addItem(section, open, { indent: line.indent, text: line.text, line: line.number })
    else if (line._tag === 'Text' && line.indent > 0 && last !== undefined) last.text += `\n${line.text}`
    else if (line._tag !== 'Blank' && line._tag !== 'Hidden')
      section.loose.push({ line: line.number, text: shownOf(line) })
  }
  return { sections, findings: hiddenFindings(path, scanned) }
}

export const itemsAt = (
  section: OutlineSection,
  indexes: ReadonlyArray<number>,
): ReadonlyArray<OutlineItem> =>
  indexes.flatMap(index => {
    const item = section.items[index]
    return item === undefined ? [] : [item]
  })

/** The items below an item, at any depth, in file order. */
export const descendantsOf = (section: OutlineSection, item: OutlineItem): ReadonlyArray<OutlineItem> => {
  const found: OutlineItem[] = []
  const waiting = [...item.children].reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const below = section.items[next]
    if (below === undefined) continue
    found.push(below)
    waiting.push(...[...below.children].reverse())
  }
  return found
}
