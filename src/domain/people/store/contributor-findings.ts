import { type NameKey, nameKey, type RepoPath } from '#protocol/atoms.js'
import { statusOf } from '#src/domain/entities/reading/type-of.js'
import type { Block } from '#src/domain/lore/blocks/block.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Range } from '#src/domain/lore/rows/range.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { signProblem, spellingIn } from '#src/domain/lore/rows/spelling.js'
import { tagRule } from '#src/domain/lore/tag-schema.js'
import { opensChannel } from '#src/domain/lore/withheld-tags.js'
import { chatReference } from './chat-reference.js'
import { isGameId, isKeyHash } from './credential.js'
import { isReservedName } from './reserved-name.js'
import { type StoreFindingKind, storeFinding, strayTag } from './store-finding.js'

const kindOf = (row: Row): StoreFindingKind | 'StrayTag' | null => {
  if (opensChannel(row.tag, row.value)) return 'RawWebhookValue'
  if (tagRule(row.tag, 'Gracz') === null) return 'StrayTag'
  switch (row.tag) {
    case 'klucz_api':
      return isKeyHash(row.value) ? null : 'RawApiKeyValue'
    case 'gameid':
      return row.value === '' || isGameId(row.value) ? null : 'GameIdUnreadable'
    case 'chat':
      return chatReference(row.value)._tag === 'Unreadable' ? 'ChatUnreadable' : null
    case 'status':
      return statusOf(row.value) !== null ? null : 'UnknownStatus'
    default:
      return null
  }
}

const from = (range: Range): string => range.from ?? ''
const overlap = (left: Range, right: Range): boolean =>
  (left.to === null || from(right) <= left.to) && (right.to === null || from(left) <= right.to)

const ids = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.filter(row => row.tag === 'gameid' && row.value !== '')

const byFrom = (left: Row, right: Row): number =>
  from(left.range) < from(right.range) ? -1 : from(left.range) > from(right.range) ? 1 : 0

/** A row that begins before an earlier one ends. */
interface Overlap {
  readonly row: Row
  readonly earlier: Row
}

/** Finds the overlaps in one pass over the rows in order of their first days. */
const findOverlaps = (
  rows: ReadonlyArray<Row>,
  matters: (left: Row, right: Row) => boolean,
): ReadonlyArray<Overlap> => {
  const sorted = [...rows].sort(byFrom)
  let longest: Row | null = null
  const found: Array<Overlap> = []
  for (const row of sorted) {
    if (longest !== null && overlap(longest.range, row.range) && matters(longest, row))
      found.push({ row, earlier: longest })
    if (longest === null || longest.range.to !== null) {
      const ends = row.range.to
      if (longest === null || ends === null || ends > (longest.range.to ?? '')) longest = row
    }
  }
  return found
}

/** Findings within one `### Person` block, with the line of each row. */
export const personFindings = (file: RepoPath, block: Block): ReadonlyArray<Finding> => {
  const named = ids(block.rows)
  const lines = block.rows.flatMap(row => {
    const kind = kindOf(row)
    if (kind === null) return []
    return kind === 'StrayTag'
      ? [strayTag(file, row, block.heading)]
      : [storeFinding(kind, file, row.line, block.heading)]
  })
  const signs = [block, ...block.rows.filter(row => nameTags.has(row.tag))].flatMap(one => {
    const problem = signProblem('heading' in one ? one.heading : (spellingIn(one) ?? ''))
    return problem === null ? [] : [{ ...problem, file, line: one.line, subject: block.heading }]
  })
  const clash = findOverlaps(named, (left, right) => left.value !== right.value)
  return [
    ...(isReservedName(block.heading) ? [storeFinding('ReservedName', file, block.line, block.heading)] : []),
    ...(named.length === 0 ? [storeFinding('MissingGameId', file, block.line, block.heading)] : []),
    ...clash.map(({ row }) => storeFinding('OverlappingGameId', file, row.line, block.heading)),
    ...signs,
    ...lines,
  ]
}

interface Owned {
  readonly owner: Block
  readonly row: Row
}

const groupRows = (
  blocks: ReadonlyArray<Block>,
  pick: (row: Row) => NameKey | null,
): ReadonlyMap<NameKey, ReadonlyArray<Owned>> => {
  const groups = new Map<NameKey, Array<Owned>>()
  for (const owner of blocks)
    for (const row of owner.rows) {
      const key = pick(row)
      if (key === null) continue
      const group = groups.get(key) ?? []
      group.push({ owner, row })
      groups.set(key, group)
    }
  return groups
}

const keysTwice = (file: RepoPath, blocks: ReadonlyArray<Block>): ReadonlyArray<Finding> =>
  [
    ...groupRows(blocks, row =>
      row.tag === 'klucz_api' && isKeyHash(row.value) ? nameKey(row.value) : null,
    ).values(),
  ]
    .filter(group => group.length > 1)
    .flatMap(group =>
      group.slice(1).map(({ owner, row }) => {
        const first = group[0]
        const about = first === undefined ? '' : `${first.owner.heading}, wiersz ${first.row.line}: `
        return storeFinding('DuplicateApiKey', file, row.line, owner.heading, about)
      }),
    )

/**
 * How many other people a finding names. If each of thousands named all others, the text would grow with the
 * square.
 */
const othersMax = 5

const othersOf = (names: ReadonlyArray<string>, owner: string | undefined): string => {
  const shown = names
    .slice(0, othersMax + 1)
    .filter(name => name !== owner)
    .slice(0, othersMax)
  const left = names.length - shown.length - (owner === undefined ? 0 : 1)
  return `${shown.join(', ')}${left > 0 ? ` i jeszcze ${left}` : ''}: `
}

const idsTwice = (file: RepoPath, blocks: ReadonlyArray<Block>): ReadonlyArray<Finding> =>
  [
    ...groupRows(blocks, row =>
      row.tag === 'gameid' && row.value !== '' ? nameKey(row.value) : null,
    ).values(),
  ].flatMap(group => {
    if (group.length < 2) return []
    const owners = new Map(group.map(({ owner, row }) => [row, owner] as const))
    const clash = findOverlaps(
      group.map(one => one.row),
      (left, right) => owners.get(left) !== owners.get(right),
    )
    const names = [...new Set(group.map(one => one.owner.heading))]
    return clash.map(({ row, earlier }) => {
      const owner = owners.get(row)?.heading
      // Two blocks with one heading have no other name to show, so the finding names the line of the other row.
      const about = names.length > 1 ? othersOf(names, owner) : `${owner ?? ''} (wiersz ${earlier.line}): `
      return storeFinding('DuplicateGameId', file, row.line, owner ?? null, about)
    })
  })

/** Findings across blocks: one key or one game id at two people. */
export const storeWideFindings = (file: RepoPath, blocks: ReadonlyArray<Block>): ReadonlyArray<Finding> => [
  ...keysTwice(file, blocks),
  ...idsTwice(file, blocks),
]
