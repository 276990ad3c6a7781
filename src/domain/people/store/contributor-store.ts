import { type NameKey, nameKey } from '#protocol/atoms.js'
import type { Block } from '#src/domain/lore/blocks/block.js'
import { headingOf, parseBlocks } from '#src/domain/lore/blocks/blocks.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { linesOf } from '#src/domain/lore/lines/lines.js'
import { headersAstray } from '#src/domain/lore/lines/near-misses.js'
import { sortByPrecedence } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { spellingIn } from '#src/domain/lore/rows/spelling.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import type { People, Person, RoleBlock } from '../person.js'
import { personFindings, storeWideFindings } from './contributor-findings.js'
import { isCredential, isGameId } from './credential.js'
import { ownBlock, roleBlocks } from './role-blocks.js'
import { inPolish, storeFinding } from './store-finding.js'

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
