import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

export interface RepoPathBrand {
  readonly RepoPath: unique symbol
}

/** Whether a text has a control character. */
export const hasControl = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

/** Characters that the file system of macOS leaves out of names. */
const leftOut = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/**
 * Whether some system takes the name for `.git`, as git itself judges it: in any case, with dots, blanks or a stream at
 * its end, or by its short name on Windows.
 */
const isGitFolder = (name: string): boolean => /^(\.git|git~1)[. ]*(:|$)/i.test(name)

const isRepoPath = (text: string): boolean =>
  text.length > 0 &&
  !hasControl(text) &&
  !text.startsWith('/') &&
  !text.includes('\\') &&
  !text.includes('//') &&
  text.split('/').every(part => part !== '' && part !== '.' && part !== '..') &&
  !text.replace(leftOut, '').split('/').some(isGitFolder)

/** A path inside the lore repository: relative, `/` separated, never leaving the root, never into `.git`. */
export const RepoPath = t.brand(
  t.string,
  (text): text is t.Branded<string, RepoPathBrand> => isRepoPath(text),
  'RepoPath',
)
export type RepoPath = t.TypeOf<typeof RepoPath>

/** The path in a text; null when it is none. */
export const pathOf = (text: string): RepoPath | null => {
  const path = RepoPath.decode(text)
  return isLeft(path) ? null : path.right
}

/** A path that the code names itself. Throws when it is invalid. */
export const requirePath = (text: string): RepoPath => {
  const path = pathOf(text)
  if (path === null) throw new Error(`not a repository path: ${text}`)
  return path
}
