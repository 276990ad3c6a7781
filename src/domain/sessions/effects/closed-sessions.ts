import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type NameKey, nameKey, nfc, requirePath } from '#protocol/atoms.js'
import { growMap } from '#src/domain/caching/layered-map.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { ownerMeant } from '#src/domain/entities/entities.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { type BlockRecord, blockRecord } from '#src/domain/entities/reading.js'
import { parseJson, readJson } from '#src/domain/json/json-text.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { type SourceFile, visitLinesInSlices } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { splitRange } from '#src/domain/lore/rows/days.js'
import { ledgerKey, ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { buildNameIndexInSlices } from '#src/domain/names/name-index.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { atOnce, forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { intelTargetKey, intelTargetOf, recipientsOf } from '../intel-recipients.js'
import {
  type CloseEntry,
  type CloseLedger,
  Meaning,
  type NamesMeant,
  RowTransfer,
  type Session,
  type SessionCopy,
  type Sessions,
} from '../session.js'
import { applyChanges } from './effects.js'
import type { Move, Moves } from './moves.js'
import { buildOverlayInSlices } from './overlay.js'
import { isMove, newOverlay, purseKey, type Witness } from './overlay-state.js'
import { applyTransfers, transfersOfSession } from './transfers.js'

export const closeLedgerPath = requirePath('.svc/close/ledger.jsonl')

/**
 * Parses `.svc/close/ledger.jsonl` (LAYOUT); empty for null. Where the ledger `before` is the beginning of the file,
 * only what follows is parsed: each enactment appends one row. Yields between lines.
 */
export const parseCloseLedgerInSlices = function* (
  file: SourceFile | null,
  before: CloseLedger | null = null,
): Sliced<CloseLedger> {
  const known = before === null ? undefined : readOf.get(before)
  const goesOn = file !== null && known?.text.endsWith('\n') === true && file.text.startsWith(known.text)
  const start = goesOn && before !== null ? { before, ...known } : null
  const rest = file === null || start === null ? file : { ...file, text: file.text.slice(start.text.length) }
  const ledger = yield* readRows(rest, start?.before ?? null, start?.lines ?? 0)
  if (file !== null)
    readOf.set(ledger, { text: file.text, lines: (start?.lines ?? 0) + rawLines(rest?.text ?? '').length })
  return ledger
}

/** The text that a ledger was parsed from, and the number of its lines. */
const readOf = new WeakMap<CloseLedger, { readonly text: string; readonly lines: number }>()

const readRows = function* (
  file: SourceFile | null,
  before: CloseLedger | null,
  linesBefore: number,
): Sliced<CloseLedger> {
  const read = yield* parseJsonLinesInSlices(file, CloseLine, {
    kind: 'CloseLedgerLine',
    suggestion:
      'Przywróć wiersz z historii: sesja, którą zamykał, liczy się jako otwarta, a żadnej nie można zamknąć.',
  })
  const { items, lines } = read
  const findings = read.findings.map(one => ({ ...one, line: (one.line ?? 0) + linesBefore }))
  const entries: Array<CloseEntry> = [...(before?.entries ?? [])]
  const rows = {
    close: growing(before?.rows.close),
    distribute: growing(before?.rows.distribute),
    transfer: growing(before?.rows.transfer),
    finalize: growing(before?.rows.finalize),
  }
  const recorded = { close: growing(before?.recorded.close), transfer: growing(before?.recorded.transfer) }
  const repeated: Array<Finding> = []
  yield* forEachInSlices(items.entries(), ([index, item]) => {
    const { header, op, at, by, source, meaning: written } = item
    const meaning = Meaning.is(written) ? written : null
    const entry: CloseEntry = { header, op, at, by, source, meaning, ...deferredOf(item) }
    entries.push(entry)
    const key = ledgerKey(header)
    if (rows[op].has(key)) repeated.push(repeatedRow(header, (lines[index] ?? 1) + linesBefore))
    else rows[op].set(key, entry)
    // For a session that two hosts closed, its first row with a meaning counts (D51).
    if (op === 'distribute' || op === 'finalize') return
    if (meaning !== null && !recorded[op].has(key)) recorded[op].set(key, meaning)
  })
  const known = { close: recorded.close.all(), transfer: recorded.transfer.all() }
  // Those of Transfers come first, so that one more of them changes the order.
  const goesOn = before !== null && recorded.transfer.added.size === 0
  return {
    entries,
    rows: {
      close: rows.close.all(),
      distribute: rows.distribute.all(),
      transfer: rows.transfer.all(),
      finalize: rows.finalize.all(),
    },
    closed: grownSet(before?.closed, rows.close.added),
    distributed:
      rows.distribute.added.size === 0
        ? grownSet(before?.distributed, rows.finalize.added)
        : new Set([...rows.distribute.all().keys(), ...rows.finalize.all().keys()]),
    transferred: grownSet(before?.transferred, rows.transfer.added),
    recorded: known,
    meanings: goesOn
      ? growMap(before.meanings, recorded.close.added)
      : new Map([...known.transfer, ...known.close]),
    findings: [...(before?.findings ?? []), ...findings, ...repeated].sort(byLine),
  }
}

/** A map that grows from one that stays as it is. */
const growing = <V>(before: ReadonlyMap<NameKey, V> = new Map()) => {
  const added = new Map<NameKey, V>()
  return {
    added,
    has: (key: NameKey): boolean => added.has(key) || before.has(key),
    set: (key: NameKey, value: V): void => void added.set(key, value),
    all: (): ReadonlyMap<NameKey, V> => (before.size === 0 ? added : growMap(before, added)),
  }
}

const grownSet = (
  before: ReadonlySet<NameKey> | undefined,
  added: ReadonlyMap<NameKey, unknown>,
): ReadonlySet<NameKey> => {
  if (before !== undefined && added.size === 0) return before
  const all = new Set(before)
  for (const key of added.keys()) all.add(key)
  return all
}

/** The row in a line of the ledger; null when the line is no valid row. */
export const closeRowOf = (line: string): t.TypeOf<typeof CloseLine> | null => {
  const read = readJson(line)
  return isLeft(read) || !CloseLine.is(read.right) ? null : read.right
}

/** The row of a deferred close among the lines of a ledger, by the key of its header; null where there is none. */
export const deferredRowIn = (
  lines: ReadonlyArray<string>,
  key: NameKey,
): Pick<CloseEntry, 'header' | 'at' | 'by' | 'deferred'> | null => {
  for (const line of lines) {
    const row = closeRowOf(line)
    if (row === null || row.op !== 'close' || ledgerKey(row.header) !== key) continue
    const { header, at, by } = row
    return { header, at, by, ...deferredOf(row) }
  }
  return null
}

/** Whether a line closes a session without recording the meaning of its effects. */
export const lacksMeaning = (line: string): boolean => {
  const row = closeRowOf(line)
  return row !== null && row.op === 'close' && !Meaning.is(row.meaning)
}

/** The line with a meaning. Every other field stays, also those that a later release wrote. */
export const withMeaning = (line: string, meaning: Meaning): string => {
  const row = closeRowOf(line)
  return row === null ? line : JSON.stringify({ ...row, meaning })
}

/** Runs `parseJsonLinesInSlices` to its end without yielding. */
export const readJsonLines = <A>(...args: Parameters<typeof parseJsonLinesInSlices<A>>): JsonLines<A> =>
  atOnce(parseJsonLinesInSlices<A>(...args))

/** Whether the session of a header is in the close ledger or in a PU batch (D62). */
export const closingOf = (
  { closeLedger, batches }: { readonly closeLedger: CloseLedger; readonly batches: Settlements },
  header: string,
): Closing => {
  const key = ledgerKey(header)
  if (closeLedger.closed.has(key)) return 'closed'
  if (closeLedger.transferred.has(key)) return 'transferred'
  return settledKeys(batches).has(key) ? 'settled' : null
}

/** The sessions whose headers differ in case alone, so that ledgers mean all of them, by that key. */
export const sessionTwins = perValue(
  ({ all }: Pick<Sessions, 'all'>): ReadonlyMap<NameKey, ReadonlyArray<Session>> => {
    const byKey = new Map<NameKey, ReadonlyArray<Session>>()
    for (const session of all) {
      const key = ledgerKeyOf(session)
      byKey.set(key, [...(byKey.get(key) ?? []), session])
    }
    return new Map([...byKey].filter(([, sessions]) => sessions.length > 1))
  },
)

/** The finding about a session and another one that the ledgers cannot tell from it. */
export const twinFinding = (session: Session, twin: Session): Finding => {
  const place = ({ copies: [copy], path }: Session): string => `${path}:${copy?.line ?? 1}`
  return {
    kind: 'AmbiguousHeader',
    severity: 'error',
    file: session.path,
    line: session.copies[0]?.line ?? null,
    subject: session.header,
    reason:
      `Nagłówki „${session.header}” (${place(session)}) i „${twin.header}” (${place(twin)}) różnią się tylko ` +
      'wielkością liter, więc zamknięcie i rozliczenie jednej sesji znaczyłoby też drugą.',
    suggestion: 'Zmień jeden z nagłówków albo połącz obie sesje w jedną.',
  }
}

/** Whether a PU batch lists the session of a header. */
export const isSettled = ({ batches }: { readonly batches: Settlements }, header: string): boolean =>
  settledKeys(batches).has(ledgerKey(header))

/** The sessions by the key under which ledgers name them; the last one of headers that differ in case alone. */
export const sessionsByLedgerKey = perValue(
  ({ all }: Pick<Sessions, 'all'>): ReadonlyMap<NameKey, Session> =>
    new Map(all.map(session => [ledgerKeyOf(session), session])),
)

/** What closing reads. `base` are the entities of the files, without the effects of sessions. */
export interface ClosingGround {
  readonly base: Entities
  /** The names of `base`. */
  readonly names: NameIndex
  readonly sessions: Sessions
  readonly closeLedger: CloseLedger
}

/**
 * The meaning of the effects of sessions at close, by `ledgerKey`. Every `meaning` in the close ledger comes
 * from here. `keys` are the sessions that are being closed, or whose rows lack a meaning. Recipients of Intel
 * are the members of its target on the day of the session, according to the repository at close. Yields after
 * each session.
 */
export const recordMeaningsInSlices = function* (
  ground: ClosingGround,
  keys: ReadonlySet<NameKey>,
): Sliced<ReadonlyMap<NameKey, Meaning>> {
  if (keys.size === 0) return new Map()
  const { base, names, sessions } = ground
  const closeLedger = closeSessions(ground.closeLedger, keys)
  const { entities: state } = yield* buildOverlayInSlices(base, names, sessions, closeLedger)
  const stateNames = state === base ? names : yield* buildNameIndexInSlices(state, names.language, names)
  const meanings = new Map<NameKey, Meaning>()
  for (const [session, seen] of yield* collectSeen({ ...ground, closeLedger }, keys)) {
    meanings.set(ledgerKeyOf(session), meaningOf(state, stateNames, session, seen))
    yield
  }
  return meanings
}

/** What the names of one session meant, by name as written. */
export interface Seen {
  readonly blocks: Map<NameKey, Meaning['blocks'][number]>
  readonly several: Map<NameKey, string>
  readonly purses: Map<string, Meaning['purses'][number]>
}

/** What is known of the names of one session or move before an overlay is built: what a ledger recorded. */
export const newSeen = (known: (NamesMeant & Partial<Meaning>) | null): Seen => ({
  blocks: new Map(known?.blocks.map(one => [nameKey(one.name), one])),
  several: new Map(known?.several?.map(name => [nameKey(name), name])),
  purses: new Map(known?.purses.map(one => [purseKey(one.name, one.denomination), one])),
})

/** Records what the names of effects mean while an overlay is built, for the origins that `seenOf` has. */
export const witnessOf = (seenOf: (origin: Session | Move) => Seen | undefined): Witness => ({
  block: (origin, name, entity) =>
    void seenOf(origin)?.blocks.set(nameKey(name), { name, ...blockRecord(entity) }),
  several: (origin, name) => void seenOf(origin)?.several.set(nameKey(name), name),
  purse: (origin, name, denomination, item) =>
    void seenOf(origin)?.purses.set(purseKey(name, denomination), { name, denomination, heading: item.name }),
})

/** The names of Transfers and Zmiany, as a row of a ledger records them. */
export const namesMeant = ({ blocks, purses }: Seen): NamesMeant => ({
  blocks: [...blocks.values()],
  purses: [...purses.values()],
})

/** The meaning of a session, from what its names meant. `state` are the entities with its effects. */
export const meaningOf = (state: Entities, names: NameIndex, session: Session, seen: Seen): Meaning => {
  const several = severalOf(seen)
  return {
    effects: effectsHash(session),
    blocks: [...seen.blocks.values()],
    owners: ownersOf(state, session, seen),
    purses: [...seen.purses.values()],
    recipients: recipientsIn(state, names, session),
    ...(several.length === 0 ? {} : { several }),
  }
}

/** The records of the close ledger and of moves of money under a heading; collected once per file. */
export const recordsOfKey = (
  { closeLedger, moves }: { readonly closeLedger: CloseLedger; readonly moves: Moves },
  key: NameKey,
): Recorded => {
  const both = [ofLedger(closeLedger).get(key) ?? nothing, ofMoves(moves).get(key) ?? nothing]
  return {
    blocks: both.flatMap(one => one.blocks),
    users: new Set(both.flatMap(one => [...one.users])),
  }
}

/** The blocks of a session that take effect when it is closed. */
export type Effects = Pick<SessionCopy, 'changes' | 'transfers' | 'points' | 'intel'>

export const noEffects: Effects = { changes: [], transfers: [], points: [], intel: [] }

/** The effects as one text, without line numbers: moving a session within its file does not change it. */
export const effectsText = ({ changes, transfers, points, intel }: Effects): string =>
  nfc(
    JSON.stringify([
      changes.map(({ entity, tags }) => [entity, tags.map(({ tag, value }) => [tag, value])]),
      transfers.map(({ amount, denomination, source, destination }) => [
        amount,
        denomination,
        source,
        destination,
      ]),
      points.map(({ character, value }) => [character, value]),
      intel.map(({ target, message }) => [target, message]),
    ]),
  )

/** SHA-256 of the effects, 64 hex digits; computed once for each value. */
export const effectsHash = perValue((effects: Effects): string =>
  createHash('sha256').update(effectsText(effects), 'utf8').digest('hex'),
)

/** A row of the close ledger. Rows written before meanings were recorded have no `meaning`. */
const CloseLine = t.intersection([
  t.type({
    header: t.string,
    op: t.keyof({ close: null, distribute: null, transfer: null, finalize: null }),
    at: t.string,
    by: t.string,
    source: t.keyof({ adoption: null, close: null }),
  }),
  t.partial({ meaning: t.unknown, deferred: t.unknown, transfers: t.unknown }),
])

const byLine = (one: Finding, other: Finding): number => (one.line ?? 0) - (other.line ?? 0)

const RowTransfers = t.readonlyArray(RowTransfer)

const deferredOf = ({ op, deferred, transfers }: t.TypeOf<typeof CloseLine>): Pick<CloseEntry, 'deferred'> =>
  op === 'close' && deferred === true ? { deferred: RowTransfers.is(transfers) ? transfers : [] } : {}

/** The finding about a second row of one leg of one session: it has no effect (D51). */
const repeatedRow = (header: string, line: number): Finding => ({
  kind: 'CloseRepeated',
  severity: 'error',
  file: closeLedgerPath,
  line,
  subject: header,
  reason: `Wiersz powtarza wpis sesji „${header}”; liczy się pierwszy.`,
  suggestion: 'Usuń wiersz, który się powtarza.',
})

/** The valid lines of a JSON-lines file; every other line that is not blank is a finding. */
interface JsonLines<A> {
  readonly items: ReadonlyArray<A>
  /** The line of each item, counted from 1. */
  readonly lines: ReadonlyArray<number>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * Parses a JSON-lines file. `kind` and `suggestion` are used in the finding of an invalid line. Yields
 * between lines.
 */
const parseJsonLinesInSlices = function* <A>(
  file: SourceFile | null,
  codec: t.Type<A, unknown, unknown>,
  finding: { readonly kind: string; readonly suggestion: string },
): Sliced<JsonLines<A>> {
  const items: Array<A> = []
  const lines: Array<number> = []
  const findings: Array<Finding> = []
  if (file === null) return { items, lines, findings }
  yield* visitLinesInSlices(file.text, (text, line) => {
    if (text.trim() === '') return true
    const item = codec.decode(parseJson(text))
    if (isLeft(item))
      findings.push({
        ...finding,
        severity: 'error',
        file: file.path,
        line,
        subject: null,
        reason: 'Wiersz nie jest wpisem tego pliku i został pominięty.',
      })
    else {
      items.push(item.right)
      lines.push(line)
    }
    return true
  })
  return { items, lines, findings }
}

/** The PU batches, as far as they name the sessions that they settled. */
interface Settlements {
  readonly all: ReadonlyArray<{ readonly sessions: ReadonlyArray<string> }>
}

const settledKeys = perValue(
  ({ all }: Settlements): ReadonlySet<NameKey> =>
    new Set(all.flatMap(batch => batch.sessions.map(ledgerKey))),
)

/** Why the effects of a session may no longer change; null while they may. */
type Closing = 'closed' | 'transferred' | 'settled' | null

const closeSessions = (ledger: CloseLedger, keys: ReadonlySet<NameKey>): CloseLedger => ({
  ...ledger,
  closed: new Set([...ledger.closed, ...keys]),
})

/**
 * Applies every closed session in order and records what the names of the sessions in `keys` meant.
 * Moves of money are left out: they change no name, no owner and no purse but its quantity.
 */
const collectSeen = function* (
  { base, names, sessions, closeLedger }: ClosingGround,
  keys: ReadonlySet<NameKey>,
): Sliced<ReadonlyMap<Session, Seen>> {
  const seen = new Map<Session, Seen>()
  const knownOf = (session: Session): Meaning | null => closeLedger.meanings.get(ledgerKeyOf(session)) ?? null
  for (const session of sessions.all)
    if (keys.has(ledgerKeyOf(session))) seen.set(session, newSeen(knownOf(session)))
  const overlay = newOverlay(base, names, {
    witness: witnessOf(origin => (isMove(origin) ? undefined : seen.get(origin))),
  })
  yield* overlay.stacks.prepare()
  for (const session of sessions.all) {
    if (!closeLedger.closed.has(ledgerKeyOf(session))) continue
    const closed = { session, meaning: knownOf(session), part: 'all' } as const
    yield* applyChanges(overlay, closed)
    yield* applyTransfers(overlay, transfersOfSession(closed))
    yield
  }
  return seen
}

/** The names that never meant one block in the session. */
const severalOf = ({ blocks, several }: Seen): ReadonlyArray<string> =>
  [...several].flatMap(([key, name]) => (blocks.has(key) ? [] : [name]))

const ownersOf = (state: Entities, session: Session, { blocks }: Seen): Meaning['owners'] => {
  const owners = new Map<string, Meaning['owners'][number]>()
  for (const { entity: name, tags } of session.changes) {
    const holder = blocks.get(nameKey(name))
    if (holder === undefined) continue
    for (const { tag, value } of tags) {
      if (tag !== 'należy_do') continue
      const { text } = splitRange(value)
      const owner = text === '' ? null : ownerMeant(state, holder, text)
      if (owner !== null)
        owners.set(`${holder.type}\n${nameKey(text)}`, {
          name: text,
          of: holder.type,
          ...blockRecord(owner),
        })
    }
  }
  return [...owners.values()]
}

/** For each target of a session, in its first spelling, the blocks that it means on that day (FORMATS 4.6). */
export const recipientsIn = (
  state: Entities,
  names: NameIndex,
  { intel, date }: Session,
): Meaning['recipients'] => {
  const targets = new Map<string, Meaning['recipients'][number]>()
  for (const { target } of intel) {
    const key = intelTargetKey(target)
    if (targets.has(key)) continue
    const blocks = recipientsOf(state, names, intelTargetOf(target), date).map(blockRecord)
    targets.set(key, { target, blocks })
  }
  return [...targets.values()]
}

/** What ledgers recorded under one heading. */
interface Recorded {
  /** The blocks that had it. */
  readonly blocks: ReadonlyArray<BlockRecord>
  /** The `ledgerKey` of the headers of closed sessions, and of the ids of moves. */
  readonly users: ReadonlySet<NameKey>
}

const nothing: Recorded = { blocks: [], users: new Set() }

const blocksOf = (
  meaning: NamesMeant & Partial<Pick<Meaning, 'owners' | 'recipients'>>,
): ReadonlyArray<BlockRecord> => [
  ...meaning.blocks,
  ...(meaning.owners ?? []),
  ...meaning.purses.map(({ heading }) => ({ heading, type: 'Przedmiot' as const })),
  ...(meaning.recipients ?? []).flatMap(one => one.blocks),
]

const byHeading = (meanings: Iterable<readonly [NameKey, NamesMeant]>): ReadonlyMap<NameKey, Recorded> => {
  const found = new Map<NameKey, { blocks: Map<string, BlockRecord>; users: Set<NameKey> }>()
  for (const [user, meaning] of meanings)
    for (const { heading, type } of blocksOf(meaning)) {
      const key = nameKey(heading)
      const known = found.get(key) ?? { blocks: new Map(), users: new Set() }
      found.set(key, known)
      known.blocks.set(type, { heading, type })
      known.users.add(user)
    }
  return new Map([...found].map(([key, { blocks, users }]) => [key, { blocks: [...blocks.values()], users }]))
}

const ofLedger = perValue(({ meanings }: CloseLedger) => byHeading(meanings))

const ofMoves = perValue(({ all }: Moves) =>
  byHeading(all.flatMap(({ id, meaning }) => (meaning === null ? [] : [[ledgerKey(id), meaning] as const]))),
)
