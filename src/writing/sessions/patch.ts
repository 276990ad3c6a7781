import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { RepoPath } from '#protocol/atoms.js'
import type { SessionPatch, SessionUpdated, sessionWriteRoutes } from '#protocol/lore/session-writes.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { callerName, type View } from '#src/domain/callers/caller.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { applySplices, type FileEdit, keepHidden, type Splice } from '#src/domain/lore/file-edit.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { linesOf } from '#src/domain/lore/lines.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import { hasHash, hashesPath, parseHashes, sessionHash } from '#src/domain/sessions/hashes.js'
import { mergeSessions } from '#src/domain/sessions/merge.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import { copyFor, type Session, type SessionCopy, sessionFor } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Planners, WritePlan } from '../command.js'
import { regenerateRegistry } from '../registry.js'
import { acceptAllBaselines, acceptBaseline, appendHashes, hashLine, sessionNotFound } from './baselines.js'
import { changesRefused, readMetadataBlocks } from './blocks.js'
import { claimsOf } from './create.js'
import { judgeTransfers, namesFound } from './names-of.js'
import { type BlockField, metadataFields, type SessionBlocks } from './render.js'
import { createPlan, planOpenSession, reportPlan } from './report.js'
import {
  findMisread,
  pathOfField,
  type Replaced,
  sectionLines,
  sectionSplices,
  stagedSessions,
} from './section-lines.js'
import { upgradeSplices } from './upgrade.js'
import { proseValue, rejectValue, type Valued, withinLimits } from './values.js'

/**
 * `PATCH /sessions/{header}` (B 4.2): replaces prose and blocks, in place, of a session or a staged draft.
 */
export const patchPlan =
  (header: string, body: SessionPatch, { by, view }: Patcher): WritePlan<SessionUpdated, PatchRefusal> =>
  (snapshot, nowMs): Either<PatchRefusal, ChangeSet<SessionUpdated>> => {
    const session = findSession(snapshot, header)
    if (session === null) return left(sessionNotFound(snapshot, header))
    const replaced = readReplaced(body)
    if (isLeft(replaced)) return replaced
    const unseen = refuseUnseenLines(view, session, replaced.right)
    if (unseen !== null) return left(unseen)
    const changes = changesRefused(snapshot, replaced.right.blocks.changes)
    if (isLeft(changes)) return changes
    const names = namesFound(snapshot, [], replaced.right.blocks)
    if (isLeft(names)) return names
    const edited = editFiles(
      snapshot,
      session,
      body.upgrade === true ? ({ text }, copy) => upgradeSplices(text, copy) : spliceReplaced(replaced.right),
    )
    const after = readAgain(session, replaced.right, edited)
    if (isLeft(after)) return after
    const touched = [...edited.values()].filter(({ splices }) => splices.length > 0)
    const edits = touched.map(
      ({ file, splices }): FileEdit => ({ _tag: 'Lines', path: file.path, before: file.blob, splices }),
    )
    const baseline =
      touched.length === 0 ? [] : rebaselineSession(snapshot, session, after.right, edited, { by, nowMs })
    const claims = [...edited.keys()].flatMap(path => claimsOf(session.key, path, names.right.characters))
    const unresolved = [...names.right.unresolved, ...judgeTransfers(snapshot, sessionFor(view, after.right))]
    const files = touched.map(({ file }) => file.path)
    const said = { changed: touched.length > 0, files, unresolved }
    return right(
      changeSet(session, [...edits, ...baseline], [...new Set([...claims, `slot:${hashesPath}`])], said),
    )
  }

/** Planners of the session writes (B 4.2). */
export const sessionPlanners: Planners<typeof sessionWriteRoutes> = {
  'sessions.hash': (snapshot, { actor: { name: by }, nowMs }) =>
    right(acceptAllBaselines(snapshot, { by, nowMs })),
  'sessions.rebaseline': (snapshot, { path, caller, nowMs }) =>
    acceptBaseline(snapshot, path.header, { by: callerName(caller), nowMs }, caller.view),
  'sessions.create': (snapshot, { actor, body, nowMs }) => createPlan(body, actor.name)(snapshot, nowMs),
  'sessions.update': (snapshot, { path, body, caller, nowMs }) =>
    patchPlan(path.header, body, { by: callerName(caller), view: caller.view })(snapshot, nowMs),
  'sessions.report': (snapshot, { actor, body, nowMs }) => reportPlan(body, actor.name)(snapshot, nowMs),
  'workflows.openSession': (snapshot, { actor, body, nowMs }) =>
    planOpenSession(body, actor.name, actor.gracz)(snapshot, nowMs),
  'sessionRegistry.regenerate': snapshot => right(regenerateRegistry(snapshot)),
}

type PatchRefusal = RefusalOf<
  'Forbidden' | 'SessionNotFound' | 'BoundExceeded' | 'ValueRefused' | 'TagUnknown' | 'NameUnresolved'
>

/** The person who patches: their name in the records, and what they may read. */
interface Patcher {
  readonly by: string
  readonly view: View
}

const headerFields = ['date', 'dateEnd', 'title', 'narrators', 'file'] as const

/**
 * The parts that a patch replaces. Refuses header fields: histories, ledgers and logs name a session by its
 * header (FORMATS 4.9).
 */
const readReplaced = (body: SessionPatch): Valued<Replaced> => {
  const bounded = withinLimits({ content: body.content, metadata: body.metadata })
  if (isLeft(bounded)) return bounded
  const fixed = headerFields.find(field => body[field] !== undefined)
  if (fixed !== undefined)
    return rejectValue(
      fixed,
      'The header and the file of a session cannot change, because other records use them as its key.',
    )
  const blocks = readMetadataBlocks(body.metadata ?? {})
  if (isLeft(blocks)) return blocks
  const { content = null } = body
  if (body.upgrade === true && (content !== null || Object.keys(blocks.right).length > 0))
    return rejectValue('upgrade', 'Send `upgrade` without content and metadata, in a request of its own.')
  if (content === null) return right({ content, blocks: blocks.right })
  const text = proseValue('content', content)
  return isLeft(text) ? text : right({ content: text.right, blocks: blocks.right })
}

/** The parts to replace in a copy other than the primary one: only blocks that it already has. */
const ofOtherCopy = (file: SourceFile, copy: SessionCopy, { blocks }: Replaced): Replaced => {
  const held = sectionLines(file.text, copy).blocks
  const fields = Object.entries(blocks).filter(([field]) =>
    Object.entries(held).some(([name, spans]) => name === field && spans.length > 0),
  )
  return { content: null, blocks: Object.fromEntries(fields) }
}

const spliceReplaced =
  (replaced: Replaced) =>
  (file: SourceFile, copy: SessionCopy, at: number): ReadonlyArray<Splice> =>
    sectionSplices(file.text, copy, at === 0 ? replaced : ofOtherCopy(file, copy, replaced))

interface Edited {
  readonly file: SourceFile
  readonly splices: ReadonlyArray<Splice>
  readonly text: string
}

const editFiles = (
  { files }: Snapshot,
  session: Session,
  splicesOf: (file: SourceFile, copy: SessionCopy, at: number) => ReadonlyArray<Splice>,
): ReadonlyMap<RepoPath, Edited> => {
  const edited = new Map<RepoPath, Edited>()
  for (const [at, copy] of session.copies.entries()) {
    const file = files.get(copy.path)
    if (file === undefined) continue
    const splices = [...(edited.get(copy.path)?.splices ?? []), ...splicesOf(file, copy, at)]
    edited.set(copy.path, { file, splices, text: file.text })
  }
  for (const [path, { file, splices: wanted }] of edited) {
    const splices = keepHidden(linesOf(file.text), wanted)
    edited.set(path, { file, splices, text: applySplices(file.text, splices) })
  }
  return edited
}

/** The blocks that a copy must have after the patch. */
const keepBlocks = (copy: SessionCopy, { blocks }: Replaced): Partial<SessionBlocks> => {
  const { locations, logs, points, participants, changes, transfers, intel, preserved } = copy
  return { locations, logs, points, participants, changes, transfers, intel, preserved, ...blocks }
}

const refuseForged = (field: string): Valued<never> =>
  rejectValue(
    field,
    'The text would be read as something else: a header, a block, a fence, a comment or a separator.',
  )

/**
 * Parses the edited files again. Refuses unless the session says what was sent and every other session is
 * unchanged.
 */
const readAgain = (
  session: Session,
  replaced: Replaced,
  edited: ReadonlyMap<RepoPath, Edited>,
): Valued<Session> => {
  const files = [...edited].map(([path, { text }]) => parseSessionFile({ path, text }))
  const after = mergeSessions(files).byKey.get(session.key)
  const first = replaced.content === null ? Object.keys(replaced.blocks)[0] : 'content'
  const suspect = first === undefined || first === 'content' ? 'content' : `metadata.${first}`
  for (const { path, copies } of files) {
    const before = parseSessionFile({ path, text: edited.get(path)?.file.text ?? '' }).copies
    if (copies.map(copy => copy.key).join('\n') !== before.map(copy => copy.key).join('\n'))
      return refuseForged(suspect)
  }
  const [primary] = session.copies
  const now = after?.copies.find(copy => copy.path === primary?.path && copy.key === primary.key)
  if (after === undefined || primary === undefined || now === undefined) return refuseForged(suspect)
  if (now.body !== (replaced.content ?? primary.body))
    return refuseForged(replaced.content === null ? suspect : 'content')
  const wrong: BlockField | null = findMisread(now, keepBlocks(primary, replaced))
  if (wrong !== null) return refuseForged(replaced.blocks[wrong] === undefined ? suspect : pathOfField(wrong))
  return right(after)
}

/**
 * A new baseline if the text before the edit was the accepted one; an edit never clears a drift
 * (docs/spec/sessions.md#baselines).
 */
const rebaselineSession = (
  { files }: Snapshot,
  session: Session,
  after: Session,
  edited: ReadonlyMap<RepoPath, Edited>,
  at: { readonly by: string; readonly nowMs: number },
): ReadonlyArray<FileEdit> => {
  const line = parseHashes(files.get(hashesPath) ?? null).of(session)
  const [primary] = after.copies
  const text = primary === undefined ? undefined : edited.get(primary.path)?.text
  if (line === null || primary === undefined || text === undefined) return []
  if (!hasHash(session, files, line.sha256)) return []
  return appendHashes(files, [hashLine(session.header, sessionHash({ text }, primary), at)])
}

const findSession = (snapshot: Snapshot, header: string): Session | null => {
  const key = sessionKey(header)
  const staged = stagedSessions(snapshot).find(({ session }) => session.key === key)?.session
  return snapshot.sessions.byKey.get(key) ?? staged ?? null
}

const changeSet = (
  session: Session,
  edits: ReadonlyArray<FileEdit>,
  claims: ReadonlyArray<string>,
  said: Omit<SessionUpdated, 'updated'>,
): ChangeSet<SessionUpdated> => ({
  edits,
  claims,
  touches: [{ kind: 'session', name: session.header }],
  subject: `sessions: changed "${session.header}"`,
  answer: { updated: session.header, ...said },
  preview: { wouldUpdate: session.header, ...said },
})

type Part = 'content' | BlockField
const parts: ReadonlyArray<Part> = ['content', ...metadataFields, 'preserved']

const partOf = (copy: SessionCopy, part: Part): unknown => (part === 'content' ? copy.body : copy[part])

const isReplaced = ({ content, blocks }: Replaced, part: Part): boolean =>
  part === 'content' ? content !== null : blocks[part] !== undefined

const pathOf = (part: Part): string => (part === 'content' ? part : pathOfField(part))

/** Whether a caller sees less of a part than callers who may read restricted topics. */
const isCut = (view: View, copy: SessionCopy, part: Part): boolean => {
  const [all, seen] = [copyFor({ ...view, mayReadRestricted: true }, copy), copyFor(view, copy)]
  return all !== seen && JSON.stringify(partOf(all, part)) !== JSON.stringify(partOf(seen, part))
}

/**
 * Refuses to replace a part of a session with lines that the caller may not see (A 5): sending back the
 * visible text would remove the others. Null when the caller sees everything that the patch replaces.
 */
const refuseUnseenLines = (
  view: View,
  { copies }: Session,
  replaced: Replaced,
): RefusalOf<'Forbidden'> | null => {
  if (view.mayReadRestricted) return null
  const part = parts.find(one => isReplaced(replaced, one) && copies.some(copy => isCut(view, copy, one)))
  if (part === undefined) return null
  const detail =
    `\`${pathOf(part)}\` holds lines that the caller may not read, and replacing it would take them away. ` +
    'Leave it out, or ask a person with player.restricted.read to make the change.'
  return refuse('Forbidden', detail, { required: 'player.restricted.read' })
}
