import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'

/**
 * A git repository made, committed to and read by code, for fixtures: a test whose subject is not git starts no process
 * for its first commit. What git would do differently (ignored files, attributes, hooks, packs, settings that change
 * what is stored) is not imitated: `commitPlainly` and `readCommit` return null there, and the caller asks git.
 */

export interface Signature {
  readonly name: string
  readonly email: string
  readonly atMs: number
}

/** Makes an empty repository whose branch is `main`, as `git init` does; a bare one is its own git directory. */
export const initPlainly = (folder: string, bare = false): void => {
  const git = bare ? folder : join(folder, '.git')
  for (const below of ['hooks', 'info', 'objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    mkdirSync(join(git, below), { recursive: true })
  writeFileSync(join(git, 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(git, 'info/exclude'), '')
  const settings = ['repositoryformatversion = 0', 'filemode = true', `bare = ${bare}`]
  if (!bare) settings.push('logallrefupdates = true')
  writeFileSync(join(git, 'config'), `[core]\n${settings.map(line => `\t${line}\n`).join('')}`)
}

/** Makes a bare repository whose `main` is the commit of HEAD of another repository. */
export const publishPlainly = (folder: string, bare: string): void => {
  initPlainly(bare, true)
  pushPlainly(folder, bare)
}

/** Sets `main` of a bare repository that has no commit yet to the commit of HEAD of another repository. */
export const pushPlainly = (folder: string, bare: string): void => {
  cpSync(join(folder, '.git/objects'), join(bare, 'objects'), { recursive: true })
  writeFileSync(join(bare, 'refs/heads/main'), `${readCommit(folder)}\n`)
}

/**
 * Clones a bare repository as `git clone` does. False, and nothing is made, where it has a packed object, a packed ref, a
 * tag, or a file that git stores otherwise than it lies in the work tree.
 */
export const clonePlainly = (bare: string, folder: string): boolean => {
  const heads = listHeads(bare)
  const head = /^ref: refs\/heads\/(\S+)\n$/.exec(readFileSync(join(bare, 'HEAD'), 'utf8'))?.[1] ?? ''
  const commit = heads?.get(head)
  if (heads === null || commit === undefined) return false
  const files = listTree(bare, treeOf(bare, commit), '')
  if (files === null) return false
  initPlainly(folder)
  const git = join(folder, '.git')
  cpSync(join(bare, 'objects'), join(git, 'objects'), { recursive: true })
  writeFileSync(join(git, 'HEAD'), `ref: refs/heads/${head}\n`)
  appendFileSync(
    join(git, 'config'),
    `[remote "origin"]\n\turl = ${bare}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n` +
      `[branch "${head}"]\n\tremote = origin\n\tmerge = refs/heads/${head}\n`,
  )
  const refs = [...heads].map(([name, id]) => [`refs/remotes/origin/${name}`, id] as const)
  for (const [ref, id] of [...refs, [`refs/heads/${head}`, commit] as const]) {
    mkdirSync(dirname(join(git, ref)), { recursive: true })
    writeFileSync(join(git, ref), `${id}\n`)
  }
  writeFileSync(join(git, 'refs/remotes/origin/HEAD'), `ref: refs/remotes/origin/${head}\n`)
  for (const file of files) checkOut(folder, file)
  const tracked = listWorkTree(folder, new Set()) ?? []
  writeFileSync(join(git, 'index'), indexOf(tracked))
  return true
}

/** The commit of a ref; null where it is symbolic to nothing, packed or absent. */
export const readCommit = (folder: string, ref = 'HEAD'): string | null => {
  const git = gitFolderOf(folder)
  const path = git === null ? null : join(git, ref)
  if (path === null || !existsSync(path)) return null
  const text = readFileSync(path, 'utf8').trim()
  if (text.startsWith('ref: ')) return readCommit(folder, text.slice(5))
  return /^[0-9a-f]{40}$/.test(text) ? text : null
}

/** Every object of a repository as text; null where some are packed, damaged or more than these bytes. */
export const readObjects = (folder: string, bytesMax: number): string | null => {
  const git = gitFolderOf(folder)
  if (git === null || readdirSync(join(git, 'objects/pack')).length > 0) return null
  const names = readdirSync(join(git, 'objects'), { recursive: true, encoding: 'utf8' })
  const paths = names
    .filter(name => /^[0-9a-f]{2}\/[0-9a-f]{38}$/.test(name))
    .map(name => join(git, 'objects', name))
  const bytes = paths.reduce((sum, path) => sum + lstatSync(path).size, 0)
  if (bytes > bytesMax || existsSync(join(git, 'objects/info/alternates'))) return null
  try {
    return paths.map(path => inflateSync(readFileSync(path)).toString('latin1')).join('\n')
  } catch {
    return null
  }
}

/** Writes an object into a repository, whatever is in it; returns its id. */
export const storeObject = (folder: string, type: ObjectType, content: Buffer): string =>
  writeObject(gitFolderOf(folder) ?? folder, type, content)

/** A row of a tree: mode in octal, name and id. */
export type TreeRow = readonly [mode: string, name: string, id: string]

/** Writes a tree with the rows in this order. */
export const storeTree = (folder: string, rows: ReadonlyArray<TreeRow>): string => {
  const bytes = rows.flatMap(([mode, name, id]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
  return storeObject(folder, 'tree', Buffer.concat(bytes))
}

/** The branches of a bare repository with their commits; null where a ref or an object is packed, or a tag exists. */
const listHeads = (bare: string): ReadonlyMap<string, string> | null => {
  const isPlain =
    !['packed-refs', 'shallow', 'objects/info/alternates'].some(name => existsSync(join(bare, name))) &&
    ['objects/pack', 'refs/tags'].every(name => readdirSync(join(bare, name)).length === 0)
  if (!isPlain) return null
  const paths = readdirSync(join(bare, 'refs/heads'), { recursive: true, encoding: 'utf8' })
  return new Map(
    paths.flatMap(name => {
      const isFolder = lstatSync(join(bare, 'refs/heads', name)).isDirectory()
      const id = isFolder ? null : readCommit(bare, `refs/heads/${name}`)
      return id === null ? [] : [[name, id] as const]
    }),
  )
}

interface TreeFile {
  readonly path: string
  readonly mode: string
  readonly content: Buffer
}

/** The files of a tree; null where an object is absent, or git would not write a file as it is stored. */
const listTree = (git: string, tree: string | null, folder: string): ReadonlyArray<TreeFile> | null => {
  if (tree === null) return null
  const files: Array<TreeFile> = []
  for (const [mode, name, id] of readTree(git, tree)) {
    const path = `${folder}${name}`
    if (special.has(name)) return null
    if (mode === '40000') {
      const below = listTree(git, id, `${path}/`)
      if (below === null) return null
      files.push(...below)
    } else {
      const content = mode === '160000' ? null : readObject(git, id)
      if (content === null) return null
      files.push({ path, mode, content })
    }
  }
  return files
}

const checkOut = (folder: string, { path, mode, content }: TreeFile): void => {
  const at = join(folder, path)
  mkdirSync(dirname(at), { recursive: true })
  if (mode === '120000') symlinkSync(content, at)
  else writeFileSync(at, content, { mode: mode === '100755' ? 0o755 : 0o644 })
}

/** The rows of a tree that is not packed. */
export const readTree = (folder: string, id: string): ReadonlyArray<TreeRow> => {
  const content = readObject(gitFolderOf(folder) ?? folder, id)
  if (content === null) throw new Error(`${folder} has no loose tree ${id}`)
  const rows: Array<TreeRow> = []
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(0, at)
    const [mode = '', ...name] = content.toString('utf8', at, end).split(' ')
    rows.push([mode, name.join(' '), content.toString('hex', end + 1, end + 21)])
    at = end + 21
  }
  return rows
}

/** The tree of a commit; null where the commit is packed or absent. */
export const treeOf = (folder: string, commit: string): string | null =>
  /^tree ([0-9a-f]{40})\n/.exec(
    readObject(gitFolderOf(folder) ?? folder, commit)?.toString('latin1') ?? '',
  )?.[1] ?? null

/** Writes a commit that no branch has; returns its id. */
export const storeCommit = (
  folder: string,
  tree: string,
  parents: ReadonlyArray<string>,
  message: string,
  by: Signature,
): string => {
  const rows = [`tree ${tree}`, ...parents.map(one => `parent ${one}`)]
  const text = [...rows, `author ${signed(by)}`, `committer ${signed(by)}`, '', cleanMessage(message)].join(
    '\n',
  )
  return storeObject(folder, 'commit', Buffer.from(text))
}

/**
 * Commits all of the work tree on the branch of HEAD, as `git add -A` and `git commit` do; returns the commit. Null, and
 * nothing is changed, where git would do more than that.
 */
export const commitPlainly = (folder: string, message: string, by: Signature): string | null => {
  const git = join(folder, '.git')
  const branch = openBranch(git)
  if (branch === null) return null
  const files = listWorkTree(folder, branch.excluded)
  if (files === null) return null
  const locked = takeLocks([join(git, 'index'), join(git, branch.ref)])
  if (locked === null) return null
  try {
    const tree = writeTree(folder, files, '')
    if (branch.parent === null ? files.length === 0 : tree === branch.tree)
      throw new Error(`nothing to commit in ${folder}`)
    const commit = storeCommit(folder, tree, branch.parent === null ? [] : [branch.parent], message, by)
    locked.replace(join(git, 'index'), indexOf(files))
    locked.replace(join(git, branch.ref), Buffer.from(`${commit}\n`))
    const kind = branch.parent === null ? 'commit (initial)' : 'commit'
    const [subject = ''] = cleanMessage(message).split('\n')
    const row = `${branch.parent ?? '0'.repeat(40)} ${commit} ${signed(by)}\t${kind}: ${subject}\n`
    for (const log of ['logs/HEAD', join('logs', branch.ref)]) {
      mkdirSync(dirname(join(git, log)), { recursive: true })
      appendFileSync(join(git, log), row)
    }
    return commit
  } finally {
    locked.release()
  }
}

type ObjectType = 'blob' | 'tree' | 'commit'

const signed = ({ name, email, atMs }: Signature): string =>
  `${name} <${email}> ${Math.floor(atMs / 1000)} +0000`

interface WorkFile {
  readonly path: string
  readonly mode: 0o100644 | 0o100755 | 0o120000
  readonly blob: string
  /** Its stat data in the order of an entry of the index, without the mode. */
  readonly stat: ReadonlyArray<number>
}

interface Branch {
  readonly ref: string
  readonly parent: string | null
  readonly tree: string | null
  /** Folders that git ignores. */
  readonly excluded: ReadonlySet<string>
}

const gitFolderOf = (folder: string): string | null => {
  if (existsSync(join(folder, '.git', 'HEAD'))) return join(folder, '.git')
  return existsSync(join(folder, 'objects')) ? folder : null
}

/** Settings that change what `git add` or `git commit` stores. */
const changing =
  /^\s*(?:\w*crlf|eol|gpgsign|hookspath|\w+sfile|symlinks|ignorecase|sparse\w*|splitindex|worktree)\s*=|filemode = false|^\[(?:filter|include|extensions)/im

/** States in the middle of a merge or another command, and what a person has set up. */
const unusual = [
  'index.lock',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'info/attributes',
  'commondir',
  'shallow',
]

/** The branch of HEAD; null where a commit is not ours to make. */
const openBranch = (git: string): Branch | null => {
  if (!existsSync(join(git, 'HEAD')) || unusual.some(name => existsSync(join(git, name)))) return null
  const head = /^ref: (refs\/heads\/\S+)\n$/.exec(readFileSync(join(git, 'HEAD'), 'utf8'))?.[1]
  const settings = readFileSync(join(git, 'config'), 'utf8')
  const hooks = existsSync(join(git, 'hooks')) ? readdirSync(join(git, 'hooks')) : []
  if (head === undefined || changing.test(settings) || hooks.some(name => !name.endsWith('.sample')))
    return null
  const excluded = listExcluded(git)
  const tracked = listTracked(git)
  if (excluded === null || tracked === null || tracked.some(path => isBelow(path, excluded))) return null
  const folder = dirname(git)
  const parent = readCommit(folder)
  if (parent === null)
    return existsSync(join(git, 'packed-refs')) ? null : { ref: head, parent, tree: null, excluded }
  const tree = treeOf(folder, parent)
  return tree === null ? null : { ref: head, parent, tree, excluded }
}

/** The folders of `info/exclude`; null where it has another pattern than `/folder/`. */
const listExcluded = (git: string): ReadonlySet<string> | null => {
  const path = join(git, 'info/exclude')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const patterns = lines.filter(line => line !== '' && !line.startsWith('#'))
  const folders = patterns.map(line => /^\/([^*?[\]\\!]+)\/$/.exec(line)?.[1] ?? null)
  return folders.includes(null) ? null : new Set(folders.filter(name => name !== null))
}

const isBelow = (path: string, folders: ReadonlySet<string>): boolean =>
  [...folders].some(folder => path.startsWith(`${folder}/`))

/** The paths of the index; null where an entry is a module, is in conflict or has a flag. */
const listTracked = (git: string): ReadonlyArray<string> | null => {
  if (!existsSync(join(git, 'index'))) return []
  const bytes = readFileSync(join(git, 'index'))
  if (bytes.readUInt32BE(4) !== 2) return null
  const paths: Array<string> = []
  for (let at = 12, left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flags = bytes.readUInt16BE(at + 60)
    if (flags >> 12 !== 0 || bytes.readUInt32BE(at + 24) === 0o160000) return null
    const end = bytes.indexOf(0, at + 62)
    paths.push(bytes.toString('utf8', at + 62, end))
    at += entryBytes(end - at - 62)
  }
  return paths
}

/** The bytes of an entry of the index with a path of this length: padded with 1 to 8 zeros. */
const entryBytes = (pathBytes: number): number => (62 + pathBytes + 8) & ~7

/** Names in a work tree that make git do more than store files. */
const special = new Set(['.git', '.gitignore', '.gitattributes', '.gitmodules'])

/** The files of a work tree with their blobs written, in the order of the index; null where a name is special. */
const listWorkTree = (root: string, excluded: ReadonlySet<string>): ReadonlyArray<WorkFile> | null => {
  const paths: Array<string> = []
  const pending = ['']
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop())
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (path === '.git') continue
      if (special.has(entry.name)) return null
      if (entry.isDirectory()) {
        if (!excluded.has(path)) pending.push(path)
      } else if (entry.isFile() || entry.isSymbolicLink()) paths.push(path)
    }
  return paths.sort(byBytes).map(path => readWorkFile(root, path))
}

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

const readWorkFile = (root: string, path: string): WorkFile => {
  const file = join(root, path)
  const { ctimeNs, mtimeNs, dev, ino, mode, uid, gid, size } = lstatSync(file, { bigint: true })
  const isLink = (mode & 0o170000n) === 0o120000n
  const content = isLink ? readlinkSync(file, { encoding: 'buffer' }) : readFileSync(file)
  const times = [ctimeNs, mtimeNs].flatMap(ns => [ns / 1_000_000_000n, ns % 1_000_000_000n])
  return {
    path,
    mode: isLink ? 0o120000 : (mode & 0o100n) === 0n ? 0o100644 : 0o100755,
    blob: storeObject(root, 'blob', content),
    stat: [...times, dev, ino, uid, gid, size].map(field => Number(BigInt.asUintN(32, field))),
  }
}

const indexOf = (files: ReadonlyArray<WorkFile>): Buffer => {
  const head = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(files.length, 8)
  const entries = files.map(({ path, mode, blob, stat }) => {
    const name = Buffer.from(path)
    const entry = Buffer.alloc(entryBytes(name.length))
    for (const [at, field] of [...stat.slice(0, 6), mode, ...stat.slice(6)].entries())
      entry.writeUInt32BE(field, at * 4)
    entry.write(blob, 40, 'hex')
    entry.writeUInt16BE(Math.min(name.length, 0xfff), 60)
    name.copy(entry, 62)
    return entry
  })
  const body = Buffer.concat([head, ...entries])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

/** Writes the trees of the files below a folder, and returns the topmost. A folder sorts as if its name ended in `/`. */
const writeTree = (root: string, files: ReadonlyArray<WorkFile>, folder: string): string => {
  const rows = new Map<string, WorkFile | Array<WorkFile>>()
  for (const file of files) {
    const end = file.path.indexOf('/', folder.length)
    const name = file.path.slice(folder.length, end < 0 ? undefined : end + 1)
    const known = rows.get(name)
    if (end < 0) rows.set(name, file)
    else if (Array.isArray(known)) known.push(file)
    else rows.set(name, [file])
  }
  const sorted = [...rows].sort(([one], [other]) => byBytes(one, other))
  return storeTree(
    root,
    sorted.map(([name, row]) =>
      'path' in row
        ? [row.mode.toString(8), name, row.blob]
        : ['40000', name.slice(0, -1), writeTree(root, row, `${folder}${name}`)],
    ),
  )
}

const objectPath = (git: string, id: string): string => join(git, 'objects', id.slice(0, 2), id.slice(2))

const writeObject = (git: string, type: ObjectType, content: Buffer): string => {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const id = createHash('sha1').update(bytes).digest('hex')
  const path = objectPath(git, id)
  if (existsSync(path)) return id
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, deflateSync(bytes, { level: 1 }), { mode: 0o444 })
  return id
}

/** The content of a loose object; null where the object is packed or absent. */
const readObject = (git: string, id: string): Buffer | null => {
  const path = objectPath(git, id)
  if (!existsSync(path)) return null
  const bytes = inflateSync(readFileSync(path))
  return bytes.subarray(bytes.indexOf(0) + 1)
}

/** The locks of git for files that are replaced together, each whole or not at all. */
interface Locks {
  readonly replace: (path: string, content: Buffer) => void
  /** Gives up those that are still held. */
  readonly release: () => void
}

/** Takes the locks; null, and none is held, where another process has one. */
const takeLocks = (paths: ReadonlyArray<string>): Locks | null => {
  const held = new Set<string>()
  const release = (): void => {
    for (const path of held) rmSync(`${path}.lock`)
    held.clear()
  }
  try {
    for (const path of paths) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(`${path}.lock`, '', { flag: 'wx' })
      held.add(path)
    }
  } catch {
    release()
    return null
  }
  const replace = (path: string, content: Buffer): void => {
    writeFileSync(`${path}.lock`, content)
    renameSync(`${path}.lock`, path)
    held.delete(path)
  }
  return { replace, release }
}

/** A message as `git commit -m` stores it. */
const cleanMessage = (message: string): string => {
  const lines = message.split('\n').map(line => line.trimEnd())
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}
