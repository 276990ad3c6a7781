import { nameKey, type RepoPath } from '#protocol/atoms.js'
import type { Withheld } from '#protocol/audit.js'
import type { Block } from '#src/domain/lore/blocks/block.js'
import { parseBlocks } from '#src/domain/lore/blocks/blocks.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { rangeText } from '#src/domain/lore/rows/row-change.js'
import { isCredentialTag, isTopicTag, opensChannel } from '#src/domain/lore/withheld-tags.js'
import { describeValue, type Told, type ToldValue } from './told.js'

/** Tags of a person whose values may be reported; any other row may hold a key under a wrong name. */
const ofPersons: ReadonlySet<string> = new Set([
  'alias',
  'nazwa_svc',
  'nick',
  'gameid',
  'rola',
  'status',
  'chat',
  'chat_rola',
  'tematy',
])

const secrecyOfTag = (kind: 'entity' | 'person', { tag, value }: Row): Withheld | null => {
  const isSecret = isCredentialTag(tag) || opensChannel(tag, value)
  if (isSecret || (kind === 'person' && !ofPersons.has(tag))) return 'secret'
  return isTopicTag(tag) ? 'restricted' : null
}

const showRow = ({ value, range, auto }: Row): string => {
  const days = rangeText(range.from, range.to)
  return `${value}${days === '' ? '' : ` (${days})`}${auto ? ' (auto)' : ''}`
}

const proseOf = (kind: 'entity' | 'person', { prose }: Block): ReadonlyArray<ToldValue> =>
  prose.length === 0
    ? []
    : [describeValue('treść', prose.map(one => one.text).join('\n'), '', kind === 'person' ? 'secret' : null)]

const describeBlock = (kind: 'entity' | 'person', block: Block): Told => {
  const type = block.rows.find(row => row.tag === 'typ')?.value ?? ''
  return {
    kind,
    name: block.heading,
    key: `${nameKey(block.heading)}\n${nameKey(type)}`,
    values: [
      ...block.rows.map(row => describeValue(row.tag, showRow(row), row.value, secrecyOfTag(kind, row))),
      ...proseOf(kind, block),
    ],
  }
}

/** The blocks in a piece of an index file or of the contributor store. */
export const describeBlocks =
  (kind: 'entity' | 'person') =>
  (piece: string, path: RepoPath): ReadonlyArray<Told> =>
    parseBlocks({ path, text: piece }).blocks.map(block => describeBlock(kind, block))
