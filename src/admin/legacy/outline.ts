/** A list item of a legacy file; `parent` is the index of the item it hangs under, null for a root. */
export interface OutlineItem {
  readonly indent: number
  readonly marker: string
  /** Text of the bullet, then its continuation lines joined by a newline. */
  readonly text: string
  readonly line: number
  readonly parent: number | null
  readonly children: ReadonlyArray<number>
}

/** A header with everything until the next header of any level (FORMATS 0). The text before the first header has level 0. */
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
  indent: number
  marker: string
  text: string
  line: number
  parent: number | null
  children: number[]
}

interface GrowingSection {
  level: number
  title: string
  line: number
  items: GrowingItem[]
  roots: number[]
  loose: Array<{ line: number; text: string }>
}

const tabWidth = 4
const headerPattern = /^(#{1,6})(?!#)[ \t]*(\S.*)?$/u
const itemPattern = /^([ \t]*)([-*+]|\d{1,9}\.)[ \t]+(\S.*)$/u

const indentOf = (blanks: string): number => {
  let width = 0
  for (const char of blanks) width += char === '\t' ? tabWidth : 1
  return Math.floor(width / 2) * 2
}

const opened = (level: number, title: string, line: number): GrowingSection => ({
  level,
  title,
  line,
  items: [],
  roots: [],
  loose: [],
})

/** Adds an item; `open` holds the indexes of the items that may still take children, outermost first. */
const addItem = (section: GrowingSection, open: number[], item: Omit<GrowingItem, 'parent'>): void => {
  while (open.length > 0) {
    const last = section.items[open[open.length - 1] ?? -1]
    if (last !== undefined && last.indent < item.indent) break
    open.pop()
  }
  const parent = open[open.length - 1] ?? null
  const at = section.items.length
  section.items.push({ ...item, parent })
  if (parent === null) section.roots.push(at)
  else section.items[parent]?.children.push(at)
  open.push(at)
}

/** The lines of a text, whichever newline it has. */
export const linesOf = (text: string): ReadonlyArray<string> => text.split(/\r\n|\n|\r/u)

/** Sections and list items of a legacy Markdown text by the line model of FORMATS 0. Total and linear. */
export const outlineOf = (text: string): ReadonlyArray<OutlineSection> => {
  let section = opened(0, '', 1)
  const sections = [section]
  let open: number[] = []
  let fenced = false
  for (const [at, raw] of linesOf(text).entries()) {
    const line = at + 1
    const trimmed = raw.trim()
    if (trimmed.startsWith('```') || fenced) {
      if (trimmed.startsWith('```')) fenced = !fenced
      section.loose.push({ line, text: raw })
      continue
    }
    if (trimmed === '') continue
    const header = raw.startsWith('#') ? headerPattern.exec(raw.trimEnd()) : null
    if (header !== null) {
      section = opened((header[1] ?? '').length, (header[2] ?? '').trim(), line)
      sections.push(section)
      open = []
      continue
    }
    const item = itemPattern.exec(raw.trimEnd())
    if (item !== null) {
      const [, blanks = '', marker = '-', words = ''] = item
      addItem(section, open, { indent: indentOf(blanks), marker, text: words.trim(), line, children: [] })
      continue
    }
    const last = section.items[section.items.length - 1]
    if (last !== undefined && /^[ \t]/u.test(raw)) last.text = `${last.text}\n${trimmed}`
    else section.loose.push({ line, text: raw })
  }
  return sections
}

/** The items of a list of indexes. */
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
