import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const excludeLine = '/.svc/state/'

/** The git directory of a checkout: `.git`, or what its `gitdir:` line names (a linked worktree). */
const gitDirectory = (repo: string): string | null => {
  const path = join(repo, '.git')
  if (!existsSync(path)) return null
  if (statSync(path).isDirectory()) return path
  const named = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1]
  return named === undefined ? null : named.startsWith('/') ? named : join(repo, named)
}

/**
 * Puts the state area into `.git/info/exclude`, before anything is written there (D3). Does nothing the
 * second time.
 */
export const excludeState = (repo: string): void => {
  const directory = gitDirectory(repo)
  if (directory === null) return
  const info = join(directory, 'info')
  const file = join(info, 'exclude')
  mkdirSync(info, { recursive: true })
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text.split(/\r?\n/).includes(excludeLine)) return
  // Appended: a full disk must not cost the person the lines that are there.
  appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${excludeLine}\n`)
}

const linkAt = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** Where drafts of files wait for their place; a link of the lore that a crash left there has a name of chance. */
const draftFolders: ReadonlyArray<string> = ['checkout', 'beside']

/** A link at any depth of the area; null where there is none, or no area yet. */
const linkBelow = (state: string): string | null => {
  if (!existsSync(state)) return null
  const drafts = draftFolders.map(name => join(state, name))
  const link = readdirSync(state, { recursive: true, withFileTypes: true }).find(
    one => one.isSymbolicLink() && !drafts.includes(one.parentPath),
  )
  return link === undefined ? null : join(link.parentPath, link.name)
}

/**
 * Why a state area cannot be trusted: whoever can commit could have put it, or a link, where the token is looked for.
 * Null where it can.
 */
export const distrusted = (repo: string, state: string, committed: boolean): string | null => {
  if (committed)
    return `${repo} has files of .svc/state/ in its commit; remove them from git and make the area anew`
  const link = [join(repo, '.svc'), join(repo, '.svc/state'), state].find(linkAt) ?? linkBelow(state)
  return link === null ? null : `${link} is a symbolic link; the state area is never reached through one`
}

const durably = (path: string, text: string): void => {
  const draft = `${path}.new`
  const handle = openSync(draft, 'w', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, path)
}

/** The machine token of this host: made once, mode 0600, valid as long as the file stands. */
export const machineToken = (state: string): string => {
  const path = join(state, 'machine.token')
  if (existsSync(path)) {
    const token = readFileSync(path, 'utf8').trim()
    chmodSync(path, 0o600)
    if (/^[A-Za-z0-9_-]{43}$/.test(token)) return token
  }
  const token = randomBytes(32).toString('base64url')
  durably(path, `${token}\n`)
  return token
}
