import { chain, type Either, isLeft, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { RepoPath } from '#protocol/atoms.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { PlacedSession } from '#protocol/session-writes.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Touched } from '#src/domain/lore/changes.js'
import { applySplices, type FileEdit, keepHidden } from '#src/domain/lore/file-edit.js'
import { linesOf } from '#src/domain/lore/lines.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import { hashesPath, sessionHash } from '#src/domain/sessions/hashes.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { entityClaim } from '../entities/entity-change.js'
import { type Acceptance, appendHashes, hashLine } from './baselines.js'
import { changesRefused } from './changes-of.js'
import { insertSection } from './lines/position.js'
import { stagedPath, stagedText } from './lines/staged.js'
import { type NamesFound, namesFound } from './names-of.js'
import { headerOf, type SessionDraft } from './report/draft.js'
import { renderSession } from './report/render.js'
import { type SessionFileTarget, sessionTarget } from './session-path.js'
import { freeHeader } from './taken.js'
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

/**
 * Inserts the session into its file and parses the result, because a fence or a comment that is open above would
 * hide the session.
 */
const inFile = (
  { files }: Snapshot,
  { path, file }: SessionFileTarget,
  draft: SessionDraft,
  acceptance: Acceptance,
): Valued<Put> => {
  const section = renderSession(draft)
  const known = file === null ? [] : parseSessionFile(file).copies
  const before = file?.text ?? ''
  const splices = keepHidden(linesOf(before), [insertSection(before, known, draft.date, section)])
  const text = applySplices(before, splices)
  const { copies } = parseSessionFile({ path, text })
  const copy = copies.find(one => one.header === headerOf(draft))
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
        : inFile(snapshot, target, draft, acceptance),
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
    map(found => newSession(header, key, one.right, found)),
  )
}
