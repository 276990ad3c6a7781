import { isLeft } from 'fp-ts/lib/Either.js'
import { RepoPath } from '#protocol/atoms/path.js'
import type { Finding } from '#src/lore/finding.js'
import type { SourceFile } from '#src/lore/source-file.js'
import type { Skipped, TreeEntry } from '#src/ports/tree-source.js'

/** The largest lore file that is parsed. A community's largest files are a few hundred KB. */
export const fileBytesMax = 8 * 1024 * 1024

const root = (): RepoPath => {
  const path = RepoPath.decode('repository')
  if (isLeft(path)) throw new Error('a plain word is a path')
  return path.right
}

const wholeFile = (
  kind: string,
  severity: Finding['severity'],
  file: RepoPath,
  reason: string,
  suggestion: string,
): Finding => ({ kind, severity, file, line: null, subject: file, reason, suggestion })

export const tooLarge = (entry: TreeEntry): Finding =>
  wholeFile(
    'FileTooLarge',
    'error',
    entry.path,
    `The file has ${entry.bytes} bytes; files over ${fileBytesMax} are not read.`,
    'Split the file.',
  )

export const unreadable = (entry: TreeEntry): Finding =>
  wholeFile(
    'FileUnreadable',
    'error',
    entry.path,
    'The content of the file cannot be read.',
    'Run `git fsck`.',
  )

export const undecodable = (file: SourceFile): Finding =>
  wholeFile(
    'FileNotUtf8',
    'error',
    file.path,
    'The file is not UTF-8; bad bytes are read as U+FFFD.',
    'Save it as UTF-8.',
  )

const reasons: Readonly<Record<Skipped['reason'], readonly [string, string]>> = {
  symlink: ['A symbolic link is never followed.', 'Commit the file itself.'],
  submodule: ['A submodule is never entered.', 'Name the repository in the configuration instead.'],
  path: ['The path is not UTF-8 or leaves the repository.', 'Rename the file.'],
  unreadable: ['The file cannot be read.', 'Check its permissions.'],
}

export const skippedFile = (skipped: Skipped): Finding => {
  const path = RepoPath.decode(skipped.path)
  const [reason, suggestion] = reasons[skipped.reason]
  return {
    ...wholeFile('FileSkipped', 'warning', isLeft(path) ? root() : path.right, reason, suggestion),
    subject: skipped.path,
  }
}

export const noCommit: () => Finding = () =>
  wholeFile(
    'NoCommit',
    'warning',
    root(),
    'The repository has no commit yet; nothing is served.',
    'Commit the lore.',
  )
