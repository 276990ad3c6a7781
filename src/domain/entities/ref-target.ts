import { isRight } from 'fp-ts/lib/Either.js'
import { type EntityType, type NameKey, nameKey, RepoPath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { headingOf, parseBlocks } from '#src/domain/lore/blocks.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Line, linesOf } from '#src/domain/lore/lines.js'
import type { Block, Row } from '#src/domain/lore/rows/row-change.js'
import { readRows, tagOf } from '#src/domain/lore/rows/rows.js'

/**
 * Whether a row may name the file (`@ref`, `@plik`; D15): committed Markdown below the root, but no store of
 * persons and no copy of one.
 */
export const isNameable = (path: string): boolean => {
  const name = path.normalize('NFC').toLowerCase()
  return isRight(RepoPath.decode(path)) && name.endsWith('.md') && !name.startsWith('.svc/') && !isStore(name)
}

/**
 * Whether an answer may show the whole file as the document of the bearer (`@plik`; D15): it must be
 * nameable, not legacy, not generated and no index file, and of the character files only the bearer's own.
 */
export const isServable = (path: string, bearer: Bearer): boolean => {
  const name = path.normalize('NFC').toLowerCase()
  const isGenerated = name.startsWith('lokacje/') && name.endsWith('/sesje.md')
  return (
    isNameable(path) &&
    !isOldRegistry(name) &&
    !isGenerated &&
    !closedDirs.some(dir => name.startsWith(dir)) &&
    (!name.startsWith(charactersDir) || isOwnSheet(name, bearer))
  )
}

/** Why a reference is not followed: the finding kinds of A 2.5. */
export type RefFault = 'wiszący-ref' | 'łańcuch-ref' | 'odrzucona-ścieżka-ref' | 'nieczytelny-ref'

/**
 * Reads the target of `@ref: <path>` for the block `key`: the leading `- @tag` list of the file (form
 * `list`), else its block of the same heading (form `index`). A target that itself has `@ref` is a chain and
 * is not followed.
 */
export const refTarget = (
  path: string,
  key: NameKey,
  fileAt: (path: string) => SourceFile | null,
): RefTarget => {
  if (!isNameable(path)) return faultyTarget('odrzucona-ścieżka-ref')
  const file = fileAt(path)
  if (file === null) return faultyTarget('wiszący-ref')
  const offer = offerOf(file)
  const { form } = offer
  const rows = offer.form === 'list' ? offer.list : offer.blocks.get(key)
  if (rows !== undefined)
    return isChain(rows) ? faultyTarget('łańcuch-ref', form) : { _tag: 'Read', form, rows }
  return offer.form === 'index' && offer.blocks.size > 0
    ? faultyTarget('wiszący-ref', 'index')
    : faultyTarget('nieczytelny-ref')
}

/** Whether a name is that of a store of persons, in any folder, or of a copy of one. */
const isStore = (name: string): boolean => {
  const last = name.slice(name.lastIndexOf('/') + 1)
  return last.startsWith('kontrybutorzy') || last === 'gracze.md'
}

/**
 * Whether a file is a registry of the old layout, or a copy of one in any folder: these hold restricted
 * topics in forms of their own.
 */
const isOldRegistry = (name: string): boolean => {
  const last = name.slice(name.lastIndexOf('/') + 1)
  return name.startsWith('.robot') || last === 'entities.md' || last.endsWith('-ent.md')
}

/**
 * The block of a file that `@ref` reads: its leading list, as a block without a heading, or its block of that key.
 * Null where the file has neither.
 */
export const blockOfRef = (file: SourceFile, key: NameKey): Block | null => {
  const offer = offerOf(file)
  if (offer.form === 'index')
    return parseBlocks(file).blocks.find(({ heading }) => nameKey(heading) === key) ?? null
  const [first, last] = [offer.list[0], offer.list.at(-1)]
  if (first === undefined || last === undefined) return null
  return { heading: '', section: null, line: first.line, endLine: last.endLine, rows: offer.list, prose: [] }
}

/** The block that names a document. */
interface Bearer {
  readonly name: string
  readonly type: EntityType
}

const charactersDir = 'postaci/gracze/'
/** Index files and player reports: each has routes of its own, with their own capabilities. */
const closedDirs = ['encje/', 'zgłoszenia/']

/** Whether a character file belongs to the bearer, which only its name shows (FORMATS 3). */
const isOwnSheet = (name: string, { name: heading, type }: Bearer): boolean =>
  type === 'Postać' &&
  nameKey(headingOf(name.slice(charactersDir.length, -'.md'.length))) === nameKey(heading)

/**
 * The part of a file that `@ref` can use: its leading property list, or its blocks by heading when it has no
 * list.
 */
type Offer =
  | { readonly form: 'list'; readonly list: ReadonlyArray<Row> }
  | { readonly form: 'index'; readonly blocks: ReadonlyMap<NameKey, ReadonlyArray<Row>> }

const introLines = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const first = lines.findIndex(line => line._tag !== 'Blank' && !(line._tag === 'Header' && line.level < 3))
  const start = lines[first]
  if (start?._tag !== 'Item' || tagOf(start.text) === null) return []
  const rest = lines.slice(first)
  const end = rest.findIndex(line => line._tag === 'Header' || (line._tag === 'Text' && line.indent === 0))
  return end < 0 ? rest : rest.slice(0, end)
}

const offerOf = perValue((file: SourceFile): Offer => {
  const list = readRows(introLines(linesOf(file.text).lines), file.path, null).rows
  if (list.length > 0) return { form: 'list', list }
  const blocks = new Map<NameKey, ReadonlyArray<Row>>()
  for (const block of parseBlocks(file).blocks) {
    const key = nameKey(block.heading)
    if (!blocks.has(key)) blocks.set(key, block.rows)
  }
  return { form: 'index', blocks }
})

/** Whether the rows contain `@ref` themselves; computed once for all blocks that use them. */
const isChain = perValue((rows: ReadonlyArray<Row>): boolean => rows.some(row => row.tag === 'ref'))

/** The rows that a reference takes over, or why it takes none. */
type RefTarget =
  | { readonly _tag: 'Read'; readonly form: 'list' | 'index'; readonly rows: ReadonlyArray<Row> }
  | { readonly _tag: 'Broken'; readonly form: 'list' | 'index' | null; readonly fault: RefFault }

const faultyTarget = (fault: RefFault, form: 'list' | 'index' | null = null): RefTarget => ({
  _tag: 'Broken',
  form,
  fault,
})
