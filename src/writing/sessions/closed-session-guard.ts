import type { CloseBlock } from '#protocol/enactments/close-block.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { applySplices, type FileEdit } from '#src/domain/lore/file-edit.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { roleOf } from '#src/domain/lore/layout.js'
import { ledgerKey } from '#src/domain/lore/session-header.js'
import {
  closingOf,
  type Effects,
  effectsHash,
  noEffects,
} from '#src/domain/sessions/effects/closed-sessions.js'
import { mergeSession } from '#src/domain/sessions/merge.js'
import { parseSessionFile, type SessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { CloseEntry, SessionCopy } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * Refuses edits that would change Zmiany, Transfer, PU or Intel of a closed or settled session, in any file
 * that has a copy of it (D62). Null when they change none; prose, places and logs may change.
 */
export const refuseClosedEffects = (
  snapshot: Snapshot,
  edits: ReadonlyArray<FileEdit>,
): RefusalOf<'SessionClosed'> | null => {
  for (const { header, closing, keeps } of editedSessions(snapshot, edits)) {
    if (closing === null || keeps()) continue
    const { at = null, by = null } = closingRow(snapshot, header) ?? {}
    return refuse('SessionClosed', `${reasons[closing]}: "${header}". ${advice}`, { header, at, by })
  }
  return null
}

/**
 * Rejects edits that would change such effects of an open session that the repository has, while a line of the close
 * ledger or of the batches cannot be read: it may be the one that closed or settled the session. Null otherwise.
 */
export const rejectDoubtfulEffects = (snapshot: Snapshot, edits: ReadonlyArray<FileEdit>): string | null => {
  const [unread] = [...ledgerBlocks(snapshot.closeLedger), ...ledgerBlocks(snapshot.batches)]
  if (unread === undefined) return null
  for (const { key, header, staged, closing, keeps } of editedSessions(snapshot, edits)) {
    if (staged || closing !== null || !snapshot.sessions.byKey.has(key) || keeps()) continue
    const { File, Line, Detail } = unread
    return `It is not known whether "${header}" is closed, because ${File}:${Line} cannot be read. ${Detail}`
  }
  return null
}

/** The lines of a ledger that cannot be read: each may be the row of what is asked for, so they stop it. */
export const ledgerBlocks = ({
  findings,
}: {
  readonly findings: ReadonlyArray<Finding>
}): ReadonlyArray<CloseBlock & { readonly Kind: 'LedgerUnreadable' }> =>
  findings.flatMap(({ kind, file, line, reason, suggestion }) =>
    unreadableKinds.has(kind)
      ? [
          {
            ...{ Kind: 'LedgerUnreadable', Subject: file, File: file, Line: line },
            Detail: `${reason} ${suggestion}`,
          } as const,
        ]
      : [],
  )

const unreadableKinds: ReadonlySet<string> = new Set(['BatchUnreadable', 'CloseLedgerLine', 'MoveUnreadable'])

/** The row that makes effects of a session count; undefined where only its PU are settled. */
const closingRow = ({ closeLedger: { rows } }: Snapshot, header: string): CloseEntry | undefined =>
  rows.close.get(ledgerKey(header)) ?? rows.transfer.get(ledgerKey(header))

/** A session in files that edits change, as drafts or not. */
interface EditedSession {
  readonly key: string
  readonly header: string
  readonly staged: boolean
  readonly closing: ReturnType<typeof closingOf>
  /** Whether the edits leave its effects as they are. */
  readonly keeps: () => boolean
}

const editedSessions = (snapshot: Snapshot, edits: ReadonlyArray<FileEdit>): ReadonlyArray<EditedSession> => {
  const all = edits.flatMap(edit => sessionsEditedBy(snapshot, edit))
  return [false, true].flatMap(staged => {
    const edited = all.filter(one => one.staged === staged)
    const headers = new Map(
      edited.flatMap(one => [...one.before, ...one.after]).map(copy => [copy.key, copy.header]),
    )
    return [...headers].map(([key, header]) => ({
      ...{ key, header, staged, closing: closingOf(snapshot, header) },
      keeps: () => keepsEffects(snapshot, edited, key),
    }))
  })
}

const readFile = perValue(parseSessionFile)

/** The sessions of one file before and after an edit. */
interface Edited {
  readonly path: string
  readonly staged: boolean
  readonly before: ReadonlyArray<SessionCopy>
  readonly after: ReadonlyArray<SessionCopy>
}

const textAfter = ({ files }: Snapshot, edit: FileEdit): string | null =>
  edit._tag === 'Whole' ? edit.after : applySplices(files.get(edit.path)?.text ?? '', edit.splices)

const sessionsEditedBy = (snapshot: Snapshot, edit: FileEdit): ReadonlyArray<Edited> => {
  const role = roleOf(edit.path)
  if (role !== 'sessions' && role !== 'staged') return []
  const file = snapshot.files.get(edit.path)
  const text = textAfter(snapshot, edit)
  const after: SessionFile['copies'] = text === null ? [] : parseSessionFile({ path: edit.path, text }).copies
  return [
    {
      path: edit.path,
      staged: role === 'staged',
      before: file === undefined ? [] : readFile(file).copies,
      after,
    },
  ]
}

const inOrder = (one: SessionCopy, other: SessionCopy): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : one.line - other.line

const effectsOf = (copies: ReadonlyArray<SessionCopy>): Effects => {
  const [first, ...others] = [...copies].sort(inOrder)
  return first === undefined ? noEffects : mergeSession(first, [first, ...others])
}

/**
 * Whether the session of a key has the same effects after the edits; drafts are compared with drafts only.
 */
const keepsEffects = (snapshot: Snapshot, edited: ReadonlyArray<Edited>, key: string): boolean => {
  const paths = new Set(edited.map(one => one.path))
  const elsewhere = edited.some(one => one.staged)
    ? []
    : (snapshot.sessions.byKey.get(key)?.inOrder ?? []).filter(copy => !paths.has(copy.path))
  const sideOf = (side: 'before' | 'after'): string => {
    const copies = edited.flatMap(one => one[side].filter(copy => copy.key === key))
    return effectsHash(effectsOf([...elsewhere, ...copies]))
  }
  return sideOf('before') === sideOf('after')
}

const reasons = {
  closed: 'The session is closed',
  transferred: 'The Transfers of the session are applied',
  settled: 'The PU of the session are settled',
} as const

const advice =
  'Its Zmiany, Transfer, PU and Intel stay as they are. Write a new session that states the correction.'
