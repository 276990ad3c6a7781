import * as t from 'io-ts'
import { type Day, EntityType, type Generation, type NameKey, type RepoPath } from '#protocol/atoms.js'
import type { NarrowedRow, SessionRow, SessionSummary } from '#protocol/lore/sessions.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { View } from '#src/domain/callers/caller.js'
import type { Finding } from '#src/domain/lore/finding.js'
import {
  isCredentialTag,
  isTopicTag,
  namesTopics,
  openItems,
  opensChannel,
} from '#src/domain/lore/topic-text.js'
import { visibleDocument } from '#src/domain/people/visible-document.js'

/** A PU line of a session. `value` is the decimal as written (dot), null when malformed (FORMATS 4.3). */
export interface SessionPoints {
  readonly character: string
  readonly value: string | null
  readonly line: number
}

/** One `@tag: value` of a Zmiany block; the value still contains its range. */
export interface ChangedTag {
  readonly tag: string
  readonly value: string
  readonly line: number
}

/** The `Zmiany` of one entity: tags without the at sign, values with their ranges. */
export interface SessionChange {
  readonly entity: string
  readonly tags: ReadonlyArray<ChangedTag>
  readonly line: number
}

export interface SessionTransfer {
  readonly amount: number
  readonly denomination: string
  readonly source: string
  readonly destination: string
  readonly line: number
}

export interface SessionIntel {
  readonly target: string
  readonly message: string
  readonly line: number
}

/** One copy of a session in one file (FORMATS 4.1 to 4.3). */
export interface SessionCopy {
  /** The header as written, without `### `, trimmed. */
  readonly header: string
  /** The identity of the session, see `sessionKey`. */
  readonly key: string
  readonly path: RepoPath
  /** The line of the header. */
  readonly line: number
  /** The last line of the section that is not blank, inclusive. */
  readonly endLine: number
  readonly date: Day
  readonly dateEnd: Day | null
  readonly title: string
  /** The narrator field as written; null when the header has none. */
  readonly narrator: string | null
  /** The narrator field split at `+` only (FORMATS 10); empty when there is none. */
  readonly narrators: ReadonlyArray<string>
  readonly generation: Generation
  /** Prose of the session: everything outside metadata blocks, trimmed. */
  readonly body: string
  readonly locations: ReadonlyArray<string>
  /** Lists under names that are no block, kept only when no block states the places: see `placesOf`. */
  readonly otherLists: ReadonlyArray<ReadonlyArray<string>>
  readonly logs: ReadonlyArray<string>
  readonly points: ReadonlyArray<SessionPoints>
  readonly participants: ReadonlyArray<string>
  readonly changes: ReadonlyArray<SessionChange>
  readonly transfers: ReadonlyArray<SessionTransfer>
  readonly intel: ReadonlyArray<SessionIntel>
  /** Preserved blocks (`Objaśnienia`, `Efekty`, …), verbatim. */
  readonly preserved: ReadonlyArray<{ readonly name: string; readonly text: string }>
}

/** The merged copies of one header (FORMATS 4.4). Fields as in `SessionCopy`; `copies[0]` is the primary. */
export interface Session extends Omit<SessionCopy, 'line' | 'endLine'> {
  readonly copies: ReadonlyArray<SessionCopy>
  /** The same copies by path and line. */
  readonly inOrder: ReadonlyArray<SessionCopy>
}

export interface Sessions {
  /** Oldest first: by date, then header (stable). */
  readonly all: ReadonlyArray<Session>
  /** By session key: NFC, trimmed, blanks collapsed, ordinal (FORMATS 4.1). */
  readonly byKey: ReadonlyMap<string, Session>
  /** By the name key of each member of `narrators`. */
  readonly byNarrator: ReadonlyMap<NameKey, ReadonlyArray<Session>>
  readonly findings: ReadonlyArray<Finding>
}

/** One line of `.svc/close/ledger.jsonl` (LAYOUT). */
export interface CloseEntry {
  readonly header: string
  /** What of the session the row enacts: all, its Intel, its Transfers, or the Intel of a close that was deferred. */
  readonly op: 'close' | 'distribute' | 'transfer' | 'finalize'
  readonly at: string
  readonly by: string
  readonly source: 'adoption' | 'close'
  /** Null in rows written before meanings were recorded. */
  readonly meaning: Meaning | null
  /** The Transfers of a close whose messages wait for `finalize`; absent in every other row. */
  readonly deferred?: ReadonlyArray<RowTransfer>
}

/** A Transfer in a row of the ledger, with its state when the session was closed. */
export const RowTransfer = t.type(
  {
    amount: t.number,
    denomination: t.string,
    source: t.string,
    destination: t.string,
    state: t.keyof({ applied: null, pending: null, refused: null }),
  },
  'RowTransfer',
)
export type RowTransfer = t.TypeOf<typeof RowTransfer>

/** The sessions that are enacted, in whole or in part, by `ledgerKey`. */
export interface CloseLedger {
  readonly entries: ReadonlyArray<CloseEntry>
  /** The row of each leg of each session: of several rows of one leg the first one counts (D51). */
  readonly rows: Readonly<Record<CloseEntry['op'], ReadonlyMap<NameKey, CloseEntry>>>
  readonly closed: ReadonlySet<NameKey>
  /** The sessions whose messages went out before a close, or after one that was deferred. */
  readonly distributed: ReadonlySet<NameKey>
  /** Sessions whose Transfers count, closed or not. */
  readonly transferred: ReadonlySet<NameKey>
  /** The meaning that the first row of each session records, by the leg of the row. */
  readonly recorded: Readonly<Record<'close' | 'transfer', ReadonlyMap<NameKey, Meaning>>>
  /** The recorded meanings of the effects of closed sessions, and of the Transfers of others that count. */
  readonly meanings: ReadonlyMap<NameKey, Meaning>
  readonly findings: ReadonlyArray<Finding>
}

/** A row reduced to `Header` and the given fields, in the order of the row. */
export const narrowRow = (row: SessionRow | SessionSummary, fields: ReadonlySet<string>): NarrowedRow => {
  const { Header, ...rest } = row
  const kept: Partial<Optional> = Object.fromEntries(
    Object.entries(rest).filter(([field]) => fields.has(field)),
  )
  return { Header, ...kept }
}

const Block = { heading: t.string, type: EntityType } as const

/**
 * What the names of Transfers and Zmiany meant when they were applied (D61), stored as `meaning` in a row of
 * `.svc/money/moves.jsonl`. A name that meant no block is not recorded, because its effect has no block yet.
 */
export const NamesMeant = t.type(
  {
    /** The blocks named by Zmiany and by the sides of Transfers, by the name as written. */
    blocks: t.readonlyArray(t.type({ name: t.string, ...Block })),
    /** The purse on a side of a Transfer; `denomination` is the canonical name. */
    purses: t.readonlyArray(t.type({ name: t.string, denomination: t.string, heading: t.string })),
  },
  'NamesMeant',
)

export type NamesMeant = t.TypeOf<typeof NamesMeant>

/**
 * The meaning of a session's effects when it was closed, stored as `meaning` in its row of the close ledger
 * (D61, D62, D66).
 */
export const Meaning = t.intersection(
  [
    NamesMeant,
    t.type({
      /** SHA-256 of Zmiany, Transfer, PU and Intel at close. */
      effects: t.string,
      /** The owners that `@należy_do` of Zmiany named; `of` is the type of the owned block. */
      owners: t.readonlyArray(t.type({ name: t.string, of: EntityType, ...Block })),
      /** The recipients of each Intel target. */
      recipients: t.readonlyArray(t.type({ target: t.string, blocks: t.readonlyArray(t.type(Block)) })),
    }),
    t.partial({
      /** Names, as written, that meant several blocks: their effects never apply. Older rows lack it. */
      several: t.readonlyArray(t.string),
    }),
  ],
  'Meaning',
)

export type Meaning = t.TypeOf<typeof Meaning>

/**
 * A session as a caller may see it: without credentials in its Zmiany, and without restricted topics (A 5) in
 * its Zmiany, preserved blocks and prose unless the view allows them. Returns the session itself when nothing
 * is hidden, and always the same object for one session, so that its answer is rendered once.
 */
export const sessionFor = (view: View, session: Session): Session =>
  view.mayReadRestricted ? shownSession(session) : openSession(session)

/** `sessionFor` for one copy. */
export const copyFor = (view: View, copy: SessionCopy): SessionCopy =>
  view.mayReadRestricted ? shownCopy(copy) : openCopy(copy)

/** The session as a caller without a right to restricted topics sees it: no answer tells whom a topic names. */
export const sessionWithoutTopics = (session: Session): Session => openSession(session)

/** `sessionWithoutTopics` for one copy. */
export const copyWithoutTopics = (copy: SessionCopy): SessionCopy => openCopy(copy)

/**
 * The lines of the entries of a copy that `copyWithoutTopics` leaves out. A line may say nothing of topics itself,
 * such as that of an entity of which Zmiany state topics alone.
 */
export const restrictedEntriesOf = (copy: SessionCopy): ReadonlyArray<number> => {
  const open = openCopy(copy)
  if (open === copy) return []
  const shown = new Set(entryLines(open))
  return entryLines(copy).filter(line => !shown.has(line))
}

const entryLines = ({ points, changes, transfers, intel }: SessionCopy): ReadonlyArray<number> =>
  [...points, ...transfers, ...intel, ...changes, ...changes.flatMap(({ tags }) => tags)].map(
    ({ line }) => line,
  )

type Optional = Omit<NarrowedRow, 'Header'>

/** The parts of a session that a person wrote as text. */
const parts = [
  'body',
  'locations',
  'otherLists',
  'logs',
  'points',
  'participants',
  'changes',
  'transfers',
  'intel',
  'preserved',
] as const

type Told = Pick<SessionCopy, (typeof parts)[number]>

const openText = (text: string): string =>
  namesTopics(text) ? visibleDocument(text, false).content.trim() : text

type IsShown = (tag: SessionChange['tags'][number]) => boolean

/** Whether a tag may be in an answer: no answer contains a credential (D36). */
const isNoCredential: IsShown = ({ tag, value }) => !isCredentialTag(tag) && !opensChannel(tag, value)

/**
 * Whether a tag shows no restricted topic. A value of several lines may contain a row that was indented too
 * deep.
 */
const isOpen: IsShown = ({ tag, value }) => !isTopicTag(tag) && !namesTopics(value)

const filterChanges = (
  changes: ReadonlyArray<SessionChange>,
  isShown: IsShown,
): ReadonlyArray<SessionChange> =>
  changes
    .map(change => ({ ...change, tags: change.tags.filter(isShown) }))
    .filter(({ tags }) => tags.length > 0)

const itself = (text: string): string => text

/** The texts of a session without restricted topics; a list that has none is the same object. */
const dropTopics = (told: Told): Told => {
  const changes = openItems(told.changes, ({ entity }) => entity)
  const preserved = openItems(told.preserved, ({ name }) => name)
  return {
    body: openText(told.body),
    locations: openItems(told.locations, itself),
    otherLists: told.otherLists.some(list => openItems(list, itself) !== list)
      ? told.otherLists.map(list => openItems(list, itself))
      : told.otherLists,
    logs: openItems(told.logs, itself),
    points: openItems(told.points, ({ character }) => character),
    participants: openItems(told.participants, itself),
    changes: changes.every(({ tags }) => tags.every(isOpen)) ? changes : filterChanges(changes, isOpen),
    transfers: openItems(told.transfers, one => `${one.denomination} ${one.source} ${one.destination}`),
    intel: openItems(told.intel, ({ target, message }) => `${target}: ${message}`),
    preserved: preserved.some(({ text }) => namesTopics(text))
      ? preserved.map(one => ({ ...one, text: openText(one.text) }))
      : preserved,
  }
}

const withoutTopics = <A extends Told>(told: A): A => {
  const open = dropTopics(told)
  return parts.every(part => open[part] === told[part]) ? told : { ...told, ...open }
}

const withoutCredentials = <A extends Told>(told: A): A =>
  told.changes.every(({ tags }) => tags.every(isNoCredential))
    ? told
    : { ...told, changes: filterChanges(told.changes, isNoCredential) }

const shownSession = perValue((session: Session): Session => withoutCredentials(session))

const openSession = perValue((session: Session): Session => withoutTopics(shownSession(session)))

const shownCopy = perValue((copy: SessionCopy): SessionCopy => withoutCredentials(copy))

const openCopy = perValue((copy: SessionCopy): SessionCopy => withoutTopics(shownCopy(copy)))
