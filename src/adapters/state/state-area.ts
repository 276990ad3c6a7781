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
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import * as t from 'io-ts'

/** The path of a state area relative to a checkout, with `/` between its parts; null where it is outside. */
export const stateWithin = (repo: string, state: string): string | null => {
  const below = relative(realFolder(repo), realFolder(state))
  const isOutside = isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`)
  return isOutside ? null : below.split(sep).join('/')
}

/**
 * The git directory of a checkout: `.git`, or what its `gitdir:` line names (a linked worktree); null without
 * one.
 */
export const gitDirectory = (repo: string): string | null => {
  const path = join(repo, '.git')
  if (!existsSync(path)) return null
  if (statSync(path).isDirectory()) return path
  const named = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1]
  return named === undefined ? null : resolve(repo, named)
}

/** Where Kronika keeps the fence and the drafts of the index, on git's file system; null without git. */
export const folderBesideGit = (repo: string): string | null => {
  const git = gitDirectory(repo)
  return git === null ? null : join(git, 'kronika')
}

/** The git directory that a checkout shares with its linked worktrees; null where there is no git. */
export const commonGitDirectory = (repo: string): string | null => {
  const own = gitDirectory(repo)
  const shared = own === null ? null : join(own, 'commondir')
  return own === null || shared === null || !existsSync(shared)
    ? own
    : resolve(own, readFileSync(shared, 'utf8').trim())
}

/**
 * Adds a state area inside the work tree to `info/exclude`, before anything is written there (D3). Does
 * nothing the second time, and for an area outside.
 */
export const excludeState = (repo: string, state: string): void => {
  const [directory, within] = [commonGitDirectory(repo), stateWithin(repo, state)]
  if (directory === null || within === null || within.startsWith('.git/')) return
  const excludeLine = patternOf(within)
  const info = join(directory, 'info')
  const file = join(info, 'exclude')
  mkdirSync(info, { recursive: true })
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text.split(/\r?\n/).includes(excludeLine)) return
  // Appended, so that a full disk does not cost the person their existing lines.
  appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${excludeLine}\n`)
}

/**
 * Why a state area cannot be trusted: a person with commit rights could have placed it, or a link, where the
 * token is looked for; or git might commit it; or a file beside git is a link. `committed` is a folder of the
 * area that the commit contains. Null where the area can be trusted.
 */
export const findDistrust = (repo: string, state: string, committed: string | null): string | null => {
  if (committed === ownFolder)
    return (
      `${repo} has files of ${committed}/ in its commit; remove them from git, then delete the folder: ` +
      'the next start creates it again'
    )
  if (committed !== null)
    return `${repo} has files of ${committed}/ in its commit; name another folder with --state`
  const within = stateWithin(repo, state)
  if (within === '' || within === '.git')
    return `${state} is the ${within === '' ? 'checkout' : 'git folder'} itself; name a folder of its own with --state`
  if (within !== null && /[\r\n]/u.test(within))
    return (
      `the path ${JSON.stringify(state)} has a line break, so git cannot exclude it; ` +
      'name another folder with --state'
    )
  const link = [join(repo, '.svc'), join(repo, '.svc/state'), state].find(linkAt) ?? linkBelow(state)
  if (link !== null)
    return `${link} is a symbolic link, which the path of a state area may not have; name the real folder with --state`
  const own = folderBesideGit(repo)
  const beside = own === null ? null : linkAt(own) ? own : linkBelow(own)
  return beside === null
    ? null
    : `${beside} is a symbolic link, which Kronika does not follow beside git; remove the link`
}

export const writeDurably = (path: string, text: string): void => {
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

/**
 * Creates a folder and the missing ones above it, each readable only by its owner. One call for each: a
 * recursive `mkdir` of Node never ends on a file system that lists a folder but cannot create one, such as
 * `/proc`.
 */
export const makeStateArea = (state: string): void => {
  const missing: Array<string> = []
  for (let path = state; !existsSync(path) && path !== dirname(path); path = dirname(path))
    missing.unshift(path)
  for (const path of missing) mkdirSync(path, { mode: 0o700 })
}

/**
 * Creates a folder in a state area, readable only by its owner. Throws where the area is gone: the host that lost it
 * refuses writes, and no area that is empty may come in its place.
 */
export const makeFolderInState = (folder: string): void => {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** The machine token of this host: created once, mode 0600, valid as long as the file exists. */
export const machineToken = (state: string): string => {
  const path = join(state, 'machine.token')
  if (existsSync(path)) {
    const token = readFileSync(path, 'utf8').trim()
    chmodSync(path, 0o600)
    if (/^[A-Za-z0-9_-]{43}$/.test(token)) return token
  }
  const token = randomBytes(32).toString('base64url')
  writeDurably(path, `${token}\n`)
  return token
}

/** The limit of open files in the text of `/proc/<pid>/limits`; null where the text does not have it. */
export const openFilesIn = (limits: string): number | null => {
  const soft = line.exec(limits)?.[1]
  if (soft === undefined) return null
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft)
}

/** The limit of open files of this process; null where the system does not tell. */
export const openFilesMax = (): number | null => {
  try {
    return openFilesIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return null
  }
}

/** Records the daemon's URL and town, for commands that run beside it. */
export const tellListening = (state: string, { url, town }: Listening): void => {
  const draft = `${pathIn(state)}.new`
  writeFileSync(draft, `${JSON.stringify({ url, town })}\n`, { mode: 0o600 })
  renameSync(draft, pathIn(state))
}

/** Deletes the record of an earlier daemon of this state area, however that ended. */
export const forgetListening = (state: string): void => rmSync(pathIn(state), { force: true })

/** The record of the daemon that holds the state area; null where there is none, or it is invalid. */
export const readListening = (state: string): Listening | null => {
  try {
    const said: unknown = JSON.parse(readFileSync(pathIn(state), 'utf8'))
    return Listening.is(said) && apiUrl.test(said.url) ? said : null
  } catch {
    return null
  }
}

/** The real path of a folder, also where its last parts do not exist yet. */
const realFolder = (path: string): string =>
  existsSync(path) || path === dirname(path)
    ? realpathSync(path)
    : join(realFolder(dirname(path)), basename(path))

/** The gitignore pattern that matches exactly this folder: special characters are escaped. */
const patternOf = (folder: string): string => `/${folder.replace(/[\\*?[\] ]/gu, '\\$&')}/`

/** The git directory whose `info/exclude` git reads; a linked worktree shares it with the others. */
/** A file in the place of a folder above the path has no link below it. */
const linkAt = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return false
    throw error
  }
}

/** Folders of drafts; a crash may leave a link of the lore there under a random name. */
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

/** The folder of a checkout that is only for private state; a commit may use any other for its lore. */
const ownFolder = '.svc/state'

/** Node raises its soft limit to the hard one at its start, so this is the real limit of the process. */
const line = /^Max open files +(\d{1,15}|unlimited) /m

const Listening = t.readonly(t.type({ url: t.string, town: t.string }))
/** The URL of the daemon that uses a state area, and its town; the town is empty outside a fleet. */
type Listening = t.TypeOf<typeof Listening>

const pathIn = (state: string): string => join(state, 'listening.json')

/** Only loopback: the machine token is sent to this URL. */
const apiUrl = /^http:\/\/127\.0\.0\.1:\d{1,5}\/v1\/api$/
