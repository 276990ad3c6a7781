import type { RepoPath } from '#protocol/atoms/path.js'
import type { Finding } from '#src/lore/finding.js'
import type { SourceFile } from '#src/lore/source-file.js'
import type { SessionCopy } from './session.js'

/** A Markdown file's session blocks: a function of its text alone, kept by blob id. */
export interface SessionFile {
  readonly path: RepoPath
  readonly copies: ReadonlyArray<SessionCopy>
  readonly findings: ReadonlyArray<Finding>
}

export const parseSessionFile = (file: SourceFile): SessionFile => ({
  path: file.path,
  copies: [],
  findings: [],
})
