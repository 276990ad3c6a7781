import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { BlobId, CommitId } from '#protocol/atoms.js'

/** A git object that is not written yet. */
export interface MadeObject<Id extends string = string> {
  readonly id: Id
  readonly type: 'blob' | 'tree' | 'commit'
  readonly content: Buffer
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

/** The bytes that are deflated into a loose object. */
export const looseBytes = (object: MadeObject): Buffer =>
  Buffer.concat([addHeader(object.type, object.content), object.content])

/** The author of a commit, as git records it. */
export interface GitPerson {
  readonly name: string
  readonly email: string
}

export interface CommitParts {
  readonly tree: string
  readonly parent: string | null
  readonly author: GitPerson
  readonly committer: GitPerson
  readonly atMs: number
  readonly message: string
}

/** Git ends a name at `<` and a line at its end, so a person's name must contain neither. */
const plain = (text: string): string =>
  text
    .replace(/[<>\p{Cc}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim() || 'Kronika'

const personLine = ({ name, email }: GitPerson, atMs: number): string =>
  `${plain(name)} <${plain(email)}> ${Math.floor(atMs / 1000)} +0000`

/** A commit with at most one parent, in UTC. */
export const commitObject = (parts: CommitParts): MadeObject<CommitId> => {
  const lines = [
    `tree ${parts.tree}`,
    ...(parts.parent === null ? [] : [`parent ${parts.parent}`]),
    `author ${personLine(parts.author, parts.atMs)}`,
    `committer ${personLine(parts.committer, parts.atMs)}`,
    '',
    parts.message,
  ]
  const content = Buffer.from(lines.join('\n'), 'utf8')
  return { id: decodeId(CommitId, idOf('commit', content)), type: 'commit', content }
}
