import * as t from 'io-ts'

export interface RepoPathBrand {
  readonly RepoPath: unique symbol
}

const hasControl = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

const isRepoPath = (text: string): boolean =>
  text.length > 0 &&
  !hasControl(text) &&
  !text.startsWith('/') &&
  !text.includes('\\') &&
  !text.includes('//') &&
  text.split('/').every(part => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')

/** A path inside the lore repository: relative, `/` separated, never leaving the root, never into `.git`. */
export const RepoPath = t.brand(
  t.string,
  (text): text is t.Branded<string, RepoPathBrand> => isRepoPath(text),
  'RepoPath',
)
export type RepoPath = t.TypeOf<typeof RepoPath>
