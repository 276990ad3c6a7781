import { join } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { readJson } from '#src/domain/json/json-text.js'
import { readSecret, writeSecret } from './private-file.js'

const Paths = t.readonlyArray(t.string)

const Trust = t.readonly(
  t.type({
    /** The pinned addresses, by the key of the configuration. */
    addresses: t.readonly(t.record(t.string, t.string)),
    /** The keys whose address the last start took from the environment. */
    given: Paths,
    /** Real paths of the folders that `kronika trust --tree` allowed. */
    allowed: Paths,
    /** Real paths of the folders that the last start allowed. */
    flagged: Paths,
    /** Real paths of the trees outside the lore that hosts have read; null for a state area older than this file. */
    read: t.union([t.null, Paths]),
  }),
)
/** What the operator of a host trusts that a commit names. It has no secret. */
export type Trust = t.TypeOf<typeof Trust>

export const noTrust: Trust = { addresses: {}, given: [], allowed: [], flagged: [], read: [] }

/** Whether a path is a folder or lies below it. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

/**
 * Why a host may read a tree outside the lore, by its real path: `allowed` by `kronika trust` or below one of
 * `folders`, or `read` by an earlier host of the state area. Null: it may not.
 */
export const treeStanding = (
  { allowed, read }: Trust,
  folders: ReadonlyArray<string>,
  root: string,
): 'allowed' | 'read' | null => {
  if ([...allowed, ...folders].some(folder => isWithin(folder, root))) return 'allowed'
  return read === null || read.includes(root) ? 'read' : null
}

const pathIn = (state: string): string => join(state, 'trust.json')

/** The trust of a state area; null where there is no file. Left: why the file cannot be used. */
export const readTrust = (state: string): Either<string, Trust | null> => {
  const text = readSecret(pathIn(state), true)
  if (isLeft(text)) return text
  if (text.right === null) return right(null)
  const read = readJson(text.right)
  return !isLeft(read) && Trust.is(read.right) ? right(read.right) : left('it has another form')
}

const textOf = (trust: Trust): string => `${JSON.stringify(trust, null, 2)}\n`

/** Writes the trust durably, unless the file has it already. Throws where the disk refuses. */
export const writeTrust = (state: string, before: Trust | null, trust: Trust): void => {
  if (before === null || textOf(before) !== textOf(trust)) writeSecret(pathIn(state), textOf(trust))
}
