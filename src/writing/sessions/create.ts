import { chain, type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Day, hasHiddenCharacter, nfc, pathOf, type RepoPath } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import type { PlacedSession } from '#protocol/lore/session-writes.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Touched } from '#src/domain/lore/changes.js'
import { applySplices, type FileEdit, keepHidden } from '#src/domain/lore/file-edit.js'
import { roleOf, type SourceFile, segmentFault } from '#src/domain/lore/layout.js'
import { linesOf, rawLines } from '#src/domain/lore/lines.js'
import { lossFault } from '#src/domain/lore/rows/rows.js'
import { ledgerKey, ledgerKeyOf, sessionKey } from '#src/domain/lore/session-header.js'
import { sessionsByLedgerKey } from '#src/domain/sessions/effects/closed-sessions.js'
import { hashesPath, sessionHash } from '#src/domain/sessions/hashes.js'
import { mergeSessions } from '#src/domain/sessions/merge.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { quoteLine } from '../answers/quoted-lore.js'
import { entityClaim } from '../entities/entity-change.js'
import { type Acceptance, appendHashes, hashLine } from './baselines.js'
import { changesRefused } from './blocks.js'
import { judgeTransfers, type NamesFound, namesFound } from './names-of.js'
import { headerOf, renderSession, type SessionDraft } from './render.js'
import { insertSection, type StagedSession, stagedPath, stagedSessions, stagedText } from './section-lines.js'
import { rejectValue, type Valued } from './values.js'

/** A planned new session: what the gate needs, and its place in the files. */
export interface NewSession {
  readonly header: string
  readonly edits: ReadonlyArray<FileEdit>
  readonly claims: ReadonlyArray<string>
  readonly touches: ReadonlyArray<Touched>
  readonly placed: PlacedSession
}

export type CreateSessionRefusal = RefusalOf<
  'ValueRefused' | 'BoundExceeded' | 'TagUnknown' | 'NameUnresolved' | 'NameTaken'
>

/** What a write to a session claims: its header, one of its files, and the characters that it names. */
export const claimsOf = (key: string, path: RepoPath, characters: ReadonlyArray<Entity>) => [
  `session:${key}`,
  `slot:${path}`,
  ...characters.map(entityClaim),
]

/**
 * Inserts a session in chronological order into the named file, or stores it as a draft when sessions are
 * staged (B 4.2).
 */
export const createSession = (
  snapshot: Snapshot,
  draft: SessionDraft,
  file: string | undefined,
  acceptance: Acceptance,
): Either<CreateSessionRefusal, NewSession> => {
  const header = headerOf(draft)
  const key = sessionKey(header)
  const free = freeHeader(snapshot, header)
  if (isLeft(free)) return free
  const one = put(snapshot, draft, file, key, acceptance)
  if (isLeft(one)) return one
  const changes = changesRefused(snapshot, draft.blocks.changes)
  if (isLeft(changes)) return changes
  return pipe(
    namesFound(snapshot, draft.narrators, draft.blocks),
    map(found => newSession(header, key, one.right, { ...found, unresolved: told(snapshot, draft, found) })),
  )
}

/** A staged draft at its place in the file that it names. */
export interface PlacedDraft {
  readonly path: RepoPath
  readonly edits: ReadonlyArray<FileEdit>
}

/**
 * Moves a staged draft to its place in time in the file that it names, and removes the file of the draft. Refused
 * where the draft names no file, or where its file has other text, which would be lost.
 */
export const placeDraft = (
  snapshot: Snapshot,
  { session, target }: StagedSession,
  acceptance: Acceptance,
): Valued<PlacedDraft> => {
  const [copy] = session.copies
  const staged = snapshot.files.get(session.path)
  if (copy === undefined || staged === undefined) throw new Error(`${session.path} has no draft`)
  if (target === null)
    return rejectValue('file', 'The draft names no file of sessions. Name it in its first line.')
  const lines = rawLines(staged.text)
  const section = lines.slice(copy.line - 1, copy.endLine)
  if (stagedText(target, section).trim() !== lines.join('\n').trim())
    return rejectValue('file', 'The file of the draft has other text beside it. Move that text elsewhere.')
  return pipe(
    sessionTarget(snapshot, target),
    chain(found => inFile(snapshot, found, { header: copy.header, date: copy.date, section }, acceptance)),
    map(({ path, edits }) => ({
      path,
      edits: [...edits, { _tag: 'Whole', path: staged.path, before: staged.blob, after: null }],
    })),
  )
}

/** The names of a new session that resolve to nothing, and what its close will say about its Transfers. */
const told = (
  snapshot: Snapshot,
  draft: SessionDraft,
  { unresolved }: NamesFound,
): NamesFound['unresolved'] => {
  const text = renderSession(draft).join('\n')
  const { all } = mergeSessions([parseSessionFile({ path: stagedPath(headerOf(draft)), text })])
  return [...unresolved, ...all.flatMap(session => judgeTransfers(snapshot, session))]
}

/**
 * Refuses with 409 a header that a session or a staged draft already has, in any case. Only a reader of that
 * session learns its file and how its header is written.
 */
export const freeHeader = (snapshot: Snapshot, header: string): Either<RefusalOf<'NameTaken'>, string> => {
  const key = ledgerKey(header)
  const known =
    sessionsByLedgerKey(snapshot.sessions).get(key) ??
    stagedSessions(snapshot).find(({ session }) => ledgerKeyOf(session) === key)?.session
  return known === undefined
    ? right(sessionKey(header))
    : left(
        quoteLine(
          refuse(
            'NameTaken',
            `"${known.header}" is already in ${known.path}. PATCH /sessions/{header} edits it.`,
            { name: known.header, type: 'Sesja' },
          ),
          refuse('NameTaken', `"${header}" is already a session. PATCH /sessions/{header} edits it.`, {
            name: header,
            type: 'Sesja',
          }),
          { file: known.path, line: known.copies[0]?.line ?? 1 },
        ),
      )
}

interface Put {
  readonly path: RepoPath
  readonly line: number
  readonly edits: ReadonlyArray<FileEdit>
  readonly staged: boolean
}

const stageSection = (target: SessionFileTarget | null, key: string, section: ReadonlyArray<string>): Put => {
  const path = stagedPath(key)
  const after = stagedText(target?.path ?? null, section)
  const edits = [{ _tag: 'Whole', path, before: null, after } as const]
  return { path, line: target === null ? 1 : 3, edits, staged: true }
}

/** The lines of a session, with what decides their place. */
interface WrittenSection {
  readonly header: string
  readonly date: Day
  readonly section: ReadonlyArray<string>
}

const sectionOf = (draft: SessionDraft): WrittenSection => ({
  header: headerOf(draft),
  date: draft.date,
  section: renderSession(draft),
})

/**
 * Inserts the session into its file and parses the result, because a fence or a comment that is open above would
 * hide the session.
 */
const inFile = (
  { files }: Snapshot,
  { path, file }: SessionFileTarget,
  { header, date, section }: WrittenSection,
  acceptance: Acceptance,
): Valued<Put> => {
  const known = file === null ? [] : parseSessionFile(file).copies
  const before = file?.text ?? ''
  const splices = keepHidden(linesOf(before), [insertSection(before, known, date, section)])
  const text = applySplices(before, splices)
  const { copies } = parseSessionFile({ path, text })
  const copy = copies.find(one => one.header === header)
  if (copy === undefined || copies.length !== known.length + 1)
    return rejectValue(
      'file',
      'A code fence or a comment in the file is never closed and hides what comes after it. Close it first.',
    )
  const edit: FileEdit =
    file === null
      ? { _tag: 'Whole', path, before: null, after: text }
      : { _tag: 'Lines', path, before: file.blob, splices }
  const baseline = hashLine(copy.header, sessionHash({ text }, copy), acceptance)
  return right({ path, line: copy.line, edits: [edit, ...appendHashes(files, [baseline])], staged: false })
}

const put = (
  snapshot: Snapshot,
  draft: SessionDraft,
  file: string | undefined,
  key: string,
  acceptance: Acceptance,
): Valued<Put> => {
  const asDraft = snapshot.config['sessions.staged']
  if (file === undefined)
    return asDraft
      ? right(stageSection(null, key, renderSession(draft)))
      : rejectValue('file', 'The file of the session is missing. Name it, such as sesje/2026.md.')
  return pipe(
    sessionTarget(snapshot, file),
    chain(target =>
      asDraft
        ? right(stageSection(target, key, renderSession(draft)))
        : inFile(snapshot, target, sectionOf(draft), acceptance),
    ),
  )
}

const newSession = (header: string, key: string, one: Put, found: NamesFound): NewSession => ({
  header,
  edits: one.edits,
  claims: [...claimsOf(key, one.path, found.characters), ...(one.staged ? [] : [`slot:${hashesPath}`])],
  touches: [{ kind: 'session', name: header }],
  placed: { file: one.path, line: one.line, staged: one.staged, unresolved: found.unresolved },
})

/** The file that a session is written to; `file` is null when the write creates it. */
interface SessionFileTarget {
  readonly path: RepoPath
  readonly file: SourceFile | null
}

const shady = /^[.~-]|[. ]$/u

/**
 * Whether every file system can hold a segment and no tool gives it a special meaning (SECURITY 4.8,
 * docs/spec/security.md#security-4-8-26).
 */
const isPlain = (segment: string): boolean =>
  segment.trim() === segment &&
  !shady.test(segment) &&
  !hasHiddenCharacter(segment) &&
  lossFault(segment) === null &&
  segmentFault(segment) === null

const pathBytesMax = 1024

const isNewPath = (path: string): boolean =>
  Buffer.byteLength(path) <= pathBytesMax && path.split('/').every(isPlain)

const corporaKeys = [
  'corpora.dziel',
  'corpora.logi',
  'corpora.adnotacje',
  'corpora.probki',
  'corpora.lang',
  'corpora.mc',
] as const

/** Where a store lies if its key is empty: in this folder of the lore. */
const inLore: Partial<Readonly<Record<(typeof corporaKeys)[number], string>>> = {
  'corpora.logi': 'logi',
  'corpora.lang': 'jezyk',
}

/** The folders that the configuration assigns to other repositories and stores, relative to the lore. */
const corporaIn = (config: Config): ReadonlyArray<string> =>
  corporaKeys
    .map(key => (config[key] === '' ? (inLore[key] ?? '') : config[key]))
    .map(path => nfc(path).replace(/^\.\//u, '').replace(/\/$/u, '').toLowerCase())
    .filter(path => path !== '' && path !== '.')

const liesIn = (folders: ReadonlyArray<string>, path: string): boolean =>
  folders.some(folder => `${path.toLowerCase()}/`.startsWith(`${folder}/`))

/** Whether a file exists where the path needs a folder, or the reverse. */
const isBlocked = (files: ReadonlyMap<string, SourceFile>, path: string): boolean => {
  const wanted = path.toLowerCase()
  for (const known of files.keys()) {
    const other = nfc(known).toLowerCase()
    if (other === wanted || other.startsWith(`${wanted}/`) || wanted.startsWith(`${other}/`)) return true
  }
  return false
}

const fileAt = (files: ReadonlyMap<string, SourceFile>, path: string): SourceFile | null => {
  const known = files.get(path)
  if (known !== undefined) return known
  for (const file of files.values()) if (nfc(file.path) === path) return file
  return null
}

/** The session file that a request names: an existing one, or a new one with a plain name (LAYOUT, D19). */
const sessionTarget = ({ files, config }: Snapshot, text: string): Valued<SessionFileTarget> => {
  const path = pathOf(nfc(text))
  const corpora = corporaIn(config)
  if (path !== null && liesIn(corpora, path))
    return rejectValue('file', `Send a path outside ${corpora.join(', ')}, which belong to other stores.`)
  if (path === null || roleOf(path) !== 'sessions')
    return rejectValue(
      'file',
      'Send the path of a Markdown file of sessions from the root, as sesje/2026.md.',
    )
  const file = fileAt(files, path)
  if (file?.undecodable === true)
    return rejectValue('file', 'The file is not UTF-8. Convert it to UTF-8 first.')
  if (file !== null) return right({ path: file.path, file })
  if (!isNewPath(path) || isBlocked(files, path))
    return rejectValue('file', 'Send a name without signs that paths cannot hold, not taken by another file.')
  return right({ path, file: null })
}
