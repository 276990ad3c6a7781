import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, CommitId } from '#protocol/atoms.js'
import type { GitHistory, PastCommit, PastVersion } from '#src/ports/git.js'

const hashOf = (text: string): string => createHash('sha1').update(text).digest('hex')

const commitOf = (text: string): CommitId => {
  const id = CommitId.decode(hashOf(text))
  if (isLeft(id)) throw new Error('no commit id')
  return id.right
}

const blobOf = (text: string): BlobId => {
  const id = BlobId.decode(hashOf(text))
  if (isLeft(id)) throw new Error('no blob id')
  return id.right
}

/** A commit of a test: files by path, their text before and after. */
export interface ToldCommit {
  readonly subject: string
  readonly files: Readonly<Record<string, readonly [before: string | null, after: string | null]>>
}

const atMs = Date.parse('2026-05-01T10:00:00Z')

/** A history in memory, newest commit first; it does not filter by date or path. */
export const historyOf = (told: ReadonlyArray<ToldCommit>): GitHistory => {
  const texts = new Map<string, string>()
  const version = (path: string, text: string | null): PastVersion | null => {
    if (text === null) return null
    texts.set(blobOf(text), text)
    return { path, blob: blobOf(text) }
  }
  const commits = told.map(
    ({ subject, files }, nth): PastCommit => ({
      id: commitOf(`${nth} ${subject}`),
      author: 'Brzoza',
      authoredMs: atMs,
      committedMs: atMs - nth * 1000,
      subject,
      trailers: { actor: 'Brzoza', route: 'PATCH /entities/{name}', intent: `intent-${nth}` },
      bytes: Buffer.alloc(0),
      files: Object.entries(files).map(([path, [before, after]]) => ({
        before: [version(path, before)],
        after: version(path, after),
      })),
      cut: false,
    }),
  )
  return {
    has: (_head, commit) => Promise.resolve(commit === pastHead),
    commit: id => Promise.resolve(commits.find(one => one.id === id) ?? null),
    walk: ({ skip, max }) =>
      Promise.resolve({
        commits: (async function* () {
          await Promise.resolve()
          yield* commits.slice(skip, skip + max)
        })(),
        breathe: () => Promise.resolve(),
        spent: () => false,
        end: () => undefined,
      }),
    text: blob => Promise.resolve(texts.get(blob) ?? null),
  }
}

/** The head of every history in memory. */
export const pastHead = 'a'.repeat(40)

/** The history of the contract's world. */
export const shortHistory: ReadonlyArray<ToldCommit> = [
  {
    subject: 'entities: Kupiec Bogdan, @status',
    files: {
      'encje/indeks.md': [
        '### Kupiec Bogdan\n- @typ: NPC\n- @status: Aktywny\n',
        '### Kupiec Bogdan\n- @typ: NPC\n- @status: Nieaktywny (2026-05:)\n',
      ],
    },
  },
]
