import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId } from '#protocol/atoms.js'
import type { PastFile, PastVersion } from '#src/ports/git.js'

/** A commit as `git diff-tree --stdin` lists it. */
export interface ListedCommit {
  readonly id: string
  readonly files: ReadonlyArray<PastFile>
  /** Whether the commit changed more files than `files` lists. */
  readonly cut: boolean
}

const filesMax = 20_000

/** The texts between NUL bytes; an incomplete text after the last one is dropped. */
async function* tokensOf(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of parts) {
    const bytes = rest.length === 0 ? part : Buffer.concat([rest, part])
    let at = 0
    for (let end = bytes.indexOf(0, at); end >= 0; end = bytes.indexOf(0, at)) {
      yield bytes.toString('utf8', at, end)
      at = end + 1
    }
    rest = bytes.subarray(at)
  }
}

const versionOf = (path: string, mode: string, id: string): PastVersion | null => {
  if (/^0+$/.test(mode)) return null
  const blob = BlobId.decode(id)
  return { path, blob: !mode.startsWith('100') || isLeft(blob) ? null : blob.right }
}

/** `:mode… id… status`, one colon, mode and id for each parent. */
const fileOf = (meta: string, paths: ReadonlyArray<string>): PastFile => {
  const parents = meta.length - meta.replace(/^:+/, '').length
  const words = meta.slice(parents).split(' ')
  const [first = '', last = first] = paths
  const at = (nth: number, path: string): PastVersion | null =>
    versionOf(path, words[nth] ?? '0', words[parents + 1 + nth] ?? '')
  return {
    before: Array.from({ length: parents }, (_, nth) => at(nth, first)),
    after: at(parents, last),
  }
}

/** A rename or copy names two paths; a merge names only the current one. */
const pathCount = (meta: string): number => (!meta.startsWith('::') && / [RC]\d*$/.test(meta) ? 2 : 1)

/** Parses the output of `diff-tree --stdin -r -z -c --always`, commit by commit. */
export async function* listCommits(parts: AsyncIterable<Buffer>): AsyncGenerator<ListedCommit> {
  let id: string | null = null
  let files: Array<PastFile> = []
  let meta: string | null = null
  let paths: Array<string> = []
  let cut = false
  for await (const token of tokensOf(parts)) {
    if (meta !== null) {
      paths.push(token)
      if (paths.length < pathCount(meta)) continue
      if (files.length < filesMax) files.push(fileOf(meta, paths))
      else cut = true
      meta = null
      paths = []
    } else if (token.startsWith(':')) meta = token
    else {
      if (id !== null) yield { id, files, cut }
      id = token
      files = []
      cut = false
    }
  }
  if (id !== null) yield { id, files, cut }
}
