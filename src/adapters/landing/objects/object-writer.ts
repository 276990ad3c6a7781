import { createHash, randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { BlobId, CommitId } from '#protocol/atoms.js'
import { type Disk, isCode } from '../disk.js'
import { mapAtMost } from '../failure.js'

export const isDraftObject = (name: string): boolean => name.startsWith(draftPrefix)

/** A file name beside the objects that no other program uses. */
export const draftObject = (objects: string, prefix = draftPrefix): string =>
  join(objects, `${prefix}${randomBytes(8).toString('hex')}`)

/**
 * Writes loose objects: every file, and every folder that got one, is on disk when it resolves, so that a ref
 * may point to them. `prefix` begins the names of unfinished files: a recovery of the gate removes those with
 * its own prefix.
 */
export const writeObjects = async (
  disk: Disk,
  objects: string,
  made: ReadonlyArray<MadeObject>,
  prefix = draftPrefix,
): Promise<void> => {
  const wanted = new Map(made.map(object => [object.id, object]))
  const folders = [...new Set([...wanted.keys()].map(id => join(objects, id.slice(0, 2))))]
  const missing = await Promise.all(folders.map(async folder => !(await isThere(folder))))
  await Promise.all(folders.filter((_, at) => missing[at]).map(disk.makeFolder))
  const remade = await mapAtMost([...wanted.values()], async object => {
    const draft = draftObject(objects, prefix)
    await disk.write(draft, await deflated(looseBytes(object), { level: 1 }), readOnly)
    return renameInto(disk, draft, join(objects, object.id.slice(0, 2)), object.id.slice(2))
  })
  const isNew = missing.includes(true) || remade.includes(true)
  await mapAtMost([...folders, ...(isNew ? [objects] : [])], folder => syncIfThere(disk, folder))
}

/** A git object that is not written yet. */
export interface MadeObject<Id extends string = string> {
  readonly id: Id
  readonly type: 'blob' | 'tree' | 'commit'
  readonly content: Buffer
}

export const blobObject = (content: Buffer): MadeObject<BlobId> => ({
  id: decodeId(BlobId, idOf('blob', content)),
  type: 'blob',
  content,
})

export const treeObject = (content: Buffer): MadeObject => ({
  id: idOf('tree', content),
  type: 'tree',
  content,
})

/** The author of a commit, as git records it. */
export interface GitPerson {
  readonly name: string
  readonly email: string
}

export interface NewCommit {
  readonly tree: string
  readonly parent: string | null
  readonly author: GitPerson
  readonly committer: GitPerson
  readonly atMs: number
  readonly message: string
}

/** A commit with at most one parent, in UTC. */
export const commitObject = (commit: NewCommit): MadeObject<CommitId> => {
  const lines = [
    `tree ${commit.tree}`,
    ...(commit.parent === null ? [] : [`parent ${commit.parent}`]),
    `author ${personLine(commit.author, commit.atMs)}`,
    `committer ${personLine(commit.committer, commit.atMs)}`,
    '',
    commit.message,
  ]
  const content = Buffer.from(lines.join('\n'), 'utf8')
  return { id: decodeId(CommitId, idOf('commit', content)), type: 'commit', content }
}

const deflated = promisify(deflate)
const readOnly = 0o444

const isThere = async (path: string): Promise<boolean> => {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}

/** `git prune` removes such names too. */
const draftPrefix = 'tmp_obj_kronika_'

/** Git removes a folder of objects when it has packed all of them: so often is it made again for one object. */
const foldersMax = 5

/** Moves an object into its folder. Returns whether the folder had to be made again. */
const renameInto = async (disk: Disk, draft: string, folder: string, name: string): Promise<boolean> => {
  for (let made = 0; ; made += 1) {
    try {
      await disk.rename(draft, join(folder, name))
      return made > 0
    } catch (error) {
      if (made === foldersMax || !isCode(error, 'ENOENT')) throw error
      await disk.makeFolder(folder)
    }
  }
}

/** Where the folder is gone, git removed it: what was written there is in a pack, on disk. */
const syncIfThere = async (disk: Disk, folder: string): Promise<void> => {
  try {
    await disk.syncFolder(folder)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}

const addHeader = (type: MadeObject['type'], content: Buffer): Buffer =>
  Buffer.from(`${type} ${content.length}\0`, 'latin1')

const idOf = (type: MadeObject['type'], content: Buffer): string =>
  createHash('sha1').update(addHeader(type, content)).update(content).digest('hex')

const decodeId = <A>(codec: t.Decoder<unknown, A>, id: string): A => {
  const read = codec.decode(id)
  if (isLeft(read)) throw new Error(`${id} is not an object id`)
  return read.right
}

/** The bytes that are deflated into a loose object. */
const looseBytes = (object: MadeObject): Buffer =>
  Buffer.concat([addHeader(object.type, object.content), object.content])

/** Git ends a name at `<` and a line at its end, so a person's name must contain neither. */
const plain = (text: string): string =>
  text
    .replace(/[<>\p{Cc}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim() || 'Kronika'

const personLine = ({ name, email }: GitPerson, atMs: number): string =>
  `${plain(name)} <${plain(email)}> ${Math.floor(atMs / 1000)} +0000`
