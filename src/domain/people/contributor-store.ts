import { type NameKey, nameKey } from '#protocol/atoms.js'
import { statusOf } from '#src/domain/entities/entity.js'
import { headingOf, parseBlocks } from '#src/domain/lore/blocks.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Line, linesOf } from '#src/domain/lore/lines.js'
import { headersAstray, headingsMeant, isAtMargin, isStrayMarker } from '#src/domain/lore/near-misses.js'
import { sortByPrecedence } from '#src/domain/lore/rows/deciding-order.js'
import type { Block, Row } from '#src/domain/lore/rows/row-change.js'
import { readRows, spellingIn } from '#src/domain/lore/rows/rows.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import {
  chatRoleTag,
  inPolish,
  personFindings,
  storeFinding,
  storeWideFindings,
  strayTag,
} from './contributor-findings.js'
import { isCredential, isGameId, type People, type Person, type RoleBlock } from './roster.js'

/**
 * Parses the contributor store `kontrybutorzy.md` (LAYOUT); empty for null. Never throws: a fault becomes a
 * finding with its line, and a raw key is kept out of memory. Yields between its passes, because a store may
 * be long.
 */
export const parseContributorStoreInSlices = function* (file: SourceFile | null): Sliced<People> {
  if (file === null) return nobody
  const { blocks, findings } = parseBlocks(file)
  yield
  const { lines } = linesOf(file.text)
  const below = headersAstray(lines)
  const gracze = blocks.filter(block => sectionOf(block, below) === 'gracz')
  const blocksSeen = gracze.map(block => personOf(file, ownBlock(lines, block)))
  yield
  const byName = namesOf(blocksSeen)
  const all = blocksSeen.filter(person => byName.get(person.key) === person)
  const byAlias = aliasesOf(all)
  yield
  const roles = roleBlocks(
    file,
    blocks.filter(block => sectionOf(block, below) === 'role').map(block => ownBlock(lines, block)),
  )
  const astray = blocks.filter(block => sectionOf(block, below) === null)
  yield
  const ofPeople = gracze.flatMap(block => personFindings(file.path, block))
  yield
  return {
    all,
    repeated: blocksSeen.filter(person => byName.get(person.key) !== person),
    byName,
    byAlias,
    roles: roles.blocks,
    findings: [
      ...findings.map(inPolish),
      ...astray.map(block => storeFinding('UnknownSection', file.path, block.line, headingOf(block.heading))),
      ...duplicateFindings('DuplicatePerson', file, blocksSeen),
      ...duplicateFindings('DuplicateRole', file, roles.blocks),
      ...roles.findings,
      ...ofPeople,
      ...storeWideFindings(file.path, gracze),
    ],
  }
}

/** Runs `parseContributorStoreInSlices` to its end without yielding. */
export const parseContributorStore = (file: SourceFile | null): People =>
  atOnce(parseContributorStoreInSlices(file))

/**
 * A block of the store with its own rows alone: those below a deeper header, below a line that looks like a heading, or
 * below text at the margin may be meant for somebody else, or be hidden on the rendered page, and rights fail closed
 * (docs/spec/rights.md#unread).
 */
export const ownBlock = (lines: ReadonlyArray<Line>, block: Block): Block => {
  const below = lines.slice(block.line, block.endLine)
  const end = block.line + ownLines(below).length
  if (end === block.endLine) return block
  const isCut = isAtMargin(below.find(line => line._tag === 'Header' || isAtMargin(line)))
  return { ...block, rows: block.rows.filter(row => row.line <= end || (isCut && isRestricting(row))) }
}

const nobody: People = {
  all: [],
  repeated: [],
  byName: new Map(),
  byAlias: new Map(),
  roles: [],
  findings: [],
}

const sectionOf = (block: Block, astray: ReadonlySet<number>): 'gracz' | 'role' | null => {
  if (astray.has(block.line)) return null
  const section = block.section === null ? '' : nameKey(block.section)
  if (section === 'gracz' || section === 'gracze') return 'gracz'
  return section === 'role' || section === 'rola' || section.startsWith('role ') ? 'role' : null
}

/** A game id is one word; what is none gives nobody an id. */
const withSureId = (row: Row): Row =>
  row.tag === 'gameid' && row.value !== '' && !isGameId(row.value) ? { ...row, unsure: true } : row

const personOf = (file: SourceFile, block: Block): Person => ({
  name: block.heading,
  key: nameKey(block.heading),
  file: file.path,
  line: block.line,
  endLine: block.endLine,
  rows: sortByPrecedence(block.rows.filter(row => !isCredential(row)).map(withSureId)),
})

const nameTags: ReadonlySet<string> = new Set(['alias', 'nazwa_svc', 'nick'])

const aliasesOf = (all: ReadonlyArray<Person>): ReadonlyMap<NameKey, ReadonlyArray<Person>> => {
  const byAlias = new Map<NameKey, Array<Person>>()
  for (const person of all)
    for (const row of person.rows) {
      const name = nameTags.has(row.tag) && row.unsure !== true ? spellingIn(row) : null
      if (name === null) continue
      const key = nameKey(name)
      const owners = byAlias.get(key) ?? []
      // The rows of one person come together, so a person who is already an owner is the last one.
      if (owners.at(-1) !== person) owners.push(person)
      byAlias.set(key, owners)
    }
  return byAlias
}

const namesOf = (all: ReadonlyArray<Person>): ReadonlyMap<NameKey, Person> => {
  const byName = new Map<NameKey, Person>()
  for (const person of all) if (!byName.has(person.key)) byName.set(person.key, person)
  return byName
}

const duplicateFindings = (
  kind: 'DuplicatePerson' | 'DuplicateRole',
  file: SourceFile,
  all: ReadonlyArray<Person | RoleBlock>,
): ReadonlyArray<Finding> => {
  const seen = new Set<NameKey>()
  return all.flatMap(one => {
    const key = nameKey(one.name)
    const known = seen.has(key)
    seen.add(key)
    return known ? [storeFinding(kind, file.path, one.line, one.name)] : []
  })
}

/** The roles of a store, and the findings about them. */
interface RoleBlocks {
  readonly blocks: ReadonlyArray<RoleBlock>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * The lines below a heading up to a deeper header, a line that looks like a heading, or text at the margin; none where
 * a marker of a conflict stands without its beginning.
 */
const ownLines = (below: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const [meant] = headingsMeant(below, true)
  const end = below.findIndex(line => line._tag === 'Header' || line === meant || isAtMargin(line))
  if (end < 0) return below
  const deep = below.findIndex(line => line._tag === 'Header')
  if (below.slice(end, deep < 0 ? below.length : deep).some(isStrayMarker)) return []
  return below.slice(0, end)
}

/** A row that takes rights away counts wherever it stands. */
const isRestricting = ({ tag, value }: Row): boolean => tag === 'status' && statusOf(value) !== 'Aktywny'

const roleOf = (name: string, line: number, rows: ReadonlyArray<Row>): RoleBlock => ({
  name,
  line,
  chatRoles: rows.flatMap(row =>
    row.tag === chatRoleTag && row.value !== '' && row.unsure !== true ? [row.value] : [],
  ),
})

const strayTags = (file: SourceFile, name: string, rows: ReadonlyArray<Row>): ReadonlyArray<Finding> =>
  rows.filter(row => row.tag !== chatRoleTag).map(row => strayTag(file.path, row, name))

/** Roles in the form `## Role <rola>` with their rows right below (FORMATS 10, open question 9). */
const headerForm = (file: SourceFile): RoleBlocks => {
  const { lines } = linesOf(file.text)
  const blocks: Array<RoleBlock> = []
  const findings: Array<Finding> = []
  const isEnd = (line: Line): boolean => line._tag === 'Header' && line.level <= 3
  for (const line of lines) {
    if (line._tag !== 'Header' || line.level !== 2) continue
    const named = /^rol[ea]\s+(\S.*)$/iu.exec(headingOf(line.text))?.[1]
    if (named === undefined) continue
    let end = line.number
    for (let next = lines[end]; next !== undefined && !isEnd(next); next = lines[end]) end += 1
    const read = readRows(ownLines(lines.slice(line.number, end)), file.path, named)
    blocks.push(roleOf(named, line.number, read.rows))
    const odd = [...read.findings.map(inPolish), ...strayTags(file, named, read.rows)]
    for (const finding of odd) findings.push(finding)
  }
  return { blocks, findings }
}

/** The roles of the store in file order: `### Role` blocks under `## Role`, and the header form. */
const roleBlocks = (file: SourceFile, blocks: ReadonlyArray<Block>): RoleBlocks => {
  const headers = headerForm(file)
  const all = [...blocks.map(block => roleOf(block.heading, block.line, block.rows)), ...headers.blocks]
  return {
    blocks: all.sort((left, right) => left.line - right.line),
    findings: [...blocks.flatMap(block => strayTags(file, block.heading, block.rows)), ...headers.findings],
  }
}
