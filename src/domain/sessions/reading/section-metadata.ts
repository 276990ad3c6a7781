import type { Generation } from '#protocol/atoms.js'
import type { BlockKind } from '#src/domain/lore/session-lines.js'
import { mergeChanges, mostRepeated, pointsKey, transferKey } from '../list-items.js'
import type { SessionCopy } from '../session.js'
import {
  changesOf,
  type Grammar,
  intelOf,
  logsOf,
  type Notice,
  namesOf,
  noticeRepeatedPoints,
  pointsOf,
  splitList,
  transfersOf,
} from './block-content.js'
import type { SectionBlock, SessionSection } from './section.js'
import { type SectionText, textOf } from './section-text.js'

export type Metadata = Pick<
  SessionCopy,
  | 'generation'
  | 'locations'
  | 'otherLists'
  | 'logs'
  | 'points'
  | 'participants'
  | 'changes'
  | 'transfers'
  | 'intel'
  | 'preserved'
>

/**
 * The generation (FORMATS 4.2): Gen2 by the italic line of places; else by the first root item that is `@`
 * and a letter (Gen4) or PU (Gen3); else Gen3 by any known block, which the predecessor did not recognise;
 * else Gen1.
 */
export const generationOf = (section: SessionSection): Generation => {
  if (section.italic !== null) return 'Gen2'
  const roots = [...section.blocks.map(block => block.item), ...section.lists].sort(
    (left, right) => left.line - right.line,
  )
  const first = roots.find(root => /^@\p{L}/u.test(root.text) || /^PU(?:\s|:|$)/iu.test(root.text))
  if (first !== undefined) return first.text.startsWith('@') ? 'Gen4' : 'Gen3'
  return section.blocks.length > 0 ? 'Gen3' : 'Gen1'
}

const unique = (all: ReadonlyArray<string>): ReadonlyArray<string> =>
  all.length < 2 ? all : [...new Set(all)]

/** A block whose whole content is behind its name; a session may have one for each of its Transfers. */
const isOneTransfer = ({ head, item }: SectionBlock): boolean =>
  head.kind === 'Transfer' && item.children.length === 0

const noticeRepeatedBlocks = (blocks: ReadonlyArray<SectionBlock>, notice: Notice): void => {
  const seen = new Set<BlockKind>()
  for (const block of blocks) {
    const { kind, name } = block.head
    if (kind === 'Preserved' || isOneTransfer(block)) continue
    if (seen.has(kind))
      notice(
        'RepeatedBlock',
        block.line,
        `Sesja ma już blok tego rodzaju; „${name}” jest czytany razem z nim, a wpis, który mają oba, liczy się raz.`,
        'Przenieś wpisy do jednego bloku.',
      )
    seen.add(kind)
  }
}

/** The metadata fields in the blocks of a section. Blocks of one kind are read as one. */
export const metadataOf = (
  section: SessionSection,
  text: SectionText,
  notice: Notice,
  grammar: Grammar,
): Metadata => {
  const lists = <A>(
    kind: BlockKind,
    read: (block: SectionBlock) => ReadonlyArray<A>,
  ): ReadonlyArray<ReadonlyArray<A>> => {
    const blocks = section.blocks.filter(block => block.head.kind === kind)
    if (grammar.lists === 'add') return [blocks.flatMap(read)]
    const single = blocks.filter(isOneTransfer).flatMap(read)
    const others = blocks.filter(block => !isOneTransfer(block)).map(read)
    return [single, ...others].filter(list => list.length > 0)
  }
  const each = <A>(kind: BlockKind, read: (block: SectionBlock) => ReadonlyArray<A>): ReadonlyArray<A> =>
    lists(kind, read).flat()
  noticeRepeatedBlocks(section.blocks, notice)
  const points = mostRepeated(
    lists('Points', ({ head, item }) => pointsOf(head, item, notice, grammar)),
    pointsKey,
  )
  noticeRepeatedPoints(points, notice)
  const places = each('Locations', ({ head, item }) => namesOf(head, item))
  const italic = section.italic === null ? [] : splitList(section.italic)
  const generation = generationOf(section)
  const stated = places.length + italic.length > 0 || generation === 'Gen1' || generation === 'Gen2'
  return {
    generation,
    locations: unique([...italic, ...places]),
    otherLists: stated ? [] : section.lists.map(list => list.children.map(child => child.text)),
    logs: unique([...each('Logs', ({ head, item }) => logsOf(head, item, notice)), ...section.plainLogs]),
    points,
    participants: unique(each('Participants', ({ head, item }) => namesOf(head, item))),
    changes: mergeChanges(lists('Changes', ({ item }) => changesOf(item, notice))),
    transfers: mostRepeated(
      lists('Transfer', ({ head, item }) => transfersOf(head, item, notice, grammar)),
      transferKey,
    ),
    intel: mostRepeated(
      lists('Intel', ({ item }) => intelOf(item, notice)),
      ({ target, message }) => `${target}\n${message}`,
    ),
    preserved: each('Preserved', ({ head, line, endLine }) => [
      { name: head.name, text: textOf(text, line, endLine) },
    ]),
  }
}
