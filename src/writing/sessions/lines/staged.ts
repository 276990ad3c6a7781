import { createHash } from 'node:crypto'
import { pathOf, type RepoPath, requirePath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { mergeSessions } from '#src/domain/sessions/merge.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { Session } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

const folder = '.svc/staged/'

const sha = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** The path of a staged draft, derived from the session's identity (LAYOUT). */
export const stagedPath = (key: string): RepoPath => requirePath(`${folder}${sha(key)}.md`)

const mark = '<!-- file: '

/** The text of a staged draft; its first line names the target file, if known. */
export const stagedText = (file: RepoPath | null, section: ReadonlyArray<string>): string =>
  `${[...(file === null ? [] : [`${mark}${file} -->`, '']), ...section].join('\n')}\n`

const targetOf = (text: string): RepoPath | null => {
  const first = rawLines(text)[0] ?? ''
  return first.startsWith(mark) && first.endsWith(' -->') ? pathOf(first.slice(mark.length, -4)) : null
}

/** A staged session with its target file. */
export interface StagedSession {
  readonly session: Session
  readonly target: RepoPath | null
}

const read = perValue((files: ReadonlyMap<string, SourceFile>): ReadonlyArray<StagedSession> => {
  const drafts = [...files.values()].filter(file => file.path.startsWith(folder))
  const { all } = mergeSessions(drafts.map(parseSessionFile))
  return all.map(session => ({ session, target: targetOf(files.get(session.path)?.text ?? '') }))
})

/** The staged drafts, oldest first. */
export const stagedSessions = ({ files }: Snapshot): ReadonlyArray<StagedSession> => read(files)
