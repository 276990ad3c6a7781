import type { Day } from '#protocol/atoms.js'
import { escapeComments } from '#src/domain/lore/lines.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'

/** The blocks of a session to write; a block without items is not written. */
export interface SessionBlocks {
  readonly locations: ReadonlyArray<string>
  readonly logs: ReadonlyArray<string>
  readonly points: ReadonlyArray<Bare<SessionCopy['points'][number]>>
  readonly participants: ReadonlyArray<string>
  readonly changes: ReadonlyArray<{
    readonly entity: string
    readonly tags: ReadonlyArray<{ readonly tag: string; readonly value: string }>
  }>
  readonly transfers: ReadonlyArray<Bare<SessionCopy['transfers'][number]>>
  readonly intel: ReadonlyArray<Bare<SessionCopy['intel'][number]>>
  readonly preserved: SessionCopy['preserved']
}

export type BlockField = keyof SessionBlocks

export interface SessionDraft {
  readonly date: Day
  readonly dateEnd: Day | null
  readonly title: string
  readonly narrators: ReadonlyArray<string>
  /** Prose, lines ended by LF, without blanks around it. */
  readonly content: string
  readonly blocks: SessionBlocks
}

export const noBlocks: SessionBlocks = {
  locations: [],
  logs: [],
  points: [],
  participants: [],
  changes: [],
  transfers: [],
  intel: [],
  preserved: [],
}

/** The header of a draft, without `### ` (FORMATS 4.1). */
export const headerOf = ({ date, dateEnd, title, narrators }: SessionDraft): string => {
  const days = dateEnd === null ? date : `${date}/${dateEnd.slice(-2)}`
  return [days, title, ...(narrators.length === 0 ? [] : [narrators.join(' + ')])].join(', ')
}

/** The Polish names of blocks in written sessions. */
export const blockNames = {
  locations: 'Lokacje',
  logs: 'Logi',
  points: 'PU',
  participants: 'Uczestnicy',
  changes: 'Zmiany',
  transfers: 'Transfer',
  intel: 'Intel',
} as const satisfies { readonly [F in Exclude<BlockField, 'preserved'>]: string }

export const renderBlock = <F extends BlockField>(field: F, items: SessionBlocks[F]): ReadonlyArray<string> =>
  renderers[field](items)

/** The canonical order of the metadata blocks (FORMATS 4.9, 10); preserved blocks come after them. */
export const metadataFields = [
  'locations',
  'logs',
  'points',
  'participants',
  'changes',
  'transfers',
  'intel',
] as const satisfies ReadonlyArray<BlockField>

export type MetadataField = (typeof metadataFields)[number]

/** The metadata blocks in canonical order, without blank lines between them. */
export const renderMetadata = (blocks: SessionBlocks): ReadonlyArray<string> => [
  ...renderBlock('locations', blocks.locations),
  ...renderBlock('logs', blocks.logs),
  ...renderBlock('points', blocks.points),
  ...renderBlock('participants', blocks.participants),
  ...renderBlock('changes', blocks.changes),
  ...renderBlock('transfers', blocks.transfers),
  ...renderBlock('intel', blocks.intel),
]

/** The lines of a session: header, prose, metadata and preserved blocks, with a blank line between them. */
export const renderSession = (draft: SessionDraft): ReadonlyArray<string> =>
  apart([
    [`### ${headerOf(draft)}`],
    draft.content === '' ? [] : draft.content.split('\n'),
    renderMetadata(draft.blocks),
    renderBlock('preserved', draft.blocks.preserved),
  ]).map(escapeComments)

type Bare<A> = Omit<A, 'line'>

const listBlock = (name: string, items: ReadonlyArray<string>): ReadonlyArray<string> =>
  items.length === 0 ? [] : [`- @${name}:`, ...items.map(item => `    - ${item}`)]

/** The lines of each block in the form of generation 4 (FORMATS 4.9); empty for a block without items. */
const renderers: { readonly [F in BlockField]: (items: SessionBlocks[F]) => ReadonlyArray<string> } = {
  locations: items => listBlock(blockNames.locations, items),
  logs: items => listBlock(blockNames.logs, items),
  points: items =>
    listBlock(
      blockNames.points,
      items.map(({ character, value }) => (value === null ? `${character}:` : `${character}: ${value}`)),
    ),
  participants: items => listBlock(blockNames.participants, items),
  changes: items => {
    const lines = items.flatMap(({ entity, tags }) => [
      `    - ${entity}`,
      ...tags.map(({ tag, value }) => `        - @${tag}: ${value}`),
    ])
    return lines.length === 0 ? [] : [`- @${blockNames.changes}:`, ...lines]
  },
  transfers: items =>
    items.map(
      ({ amount, denomination, source, destination }) =>
        `- @${blockNames.transfers}: ${amount} ${denomination}, ${source} -> ${destination}`,
    ),
  intel: items =>
    listBlock(
      blockNames.intel,
      items.map(({ target, message }) => `${target}: ${message}`),
    ),
  preserved: items => items.flatMap(({ text }) => text.split('\n')),
}

/** Joins parts with one blank line between those that have lines. */
const apart = (parts: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> =>
  parts.filter(part => part.length > 0).flatMap((part, at) => (at === 0 ? part : ['', ...part]))
