import type { PastCommit } from '#src/ports/git.js'

const lastMs = Date.UTC(9999, 11, 31)

/** The name and time of `Name <address> 1700000000 +0100`; the address is private and dropped. */
const signature = (text: string): { readonly name: string; readonly atMs: number } => {
  const name = text.split('<', 1)[0]?.trim() ?? ''
  const seconds = Number(/(\d{1,15}) [+-]\d{4}$/.exec(text.slice(-40))?.[1] ?? 0)
  return { name, atMs: Math.min(seconds * 1000, lastMs) }
}

const trailersOf = (message: string): PastCommit['trailers'] => {
  const last =
    message
      .trimEnd()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  const of = (key: string): string | null => {
    const line = last.split('\n').findLast(one => one.startsWith(`${key}: `))
    return line === undefined ? null : line.slice(key.length + 2).trim()
  }
  return { actor: of('Svc-Actor'), route: of('Svc-Route'), intent: of('Svc-Intent') }
}

const messageMax = 64 * 1024

/**
 * The author, time and message of a commit, from the text of its object. Never throws: missing parts are
 * empty.
 */
export const commitText = (bytes: Buffer): Omit<PastCommit, 'id' | 'files' | 'cut'> => {
  const text = bytes.toString('utf8')
  const end = text.indexOf('\n\n')
  const head = (end < 0 ? text : text.slice(0, end)).split('\n')
  const message = end < 0 ? '' : text.slice(end + 2, end + 2 + messageMax)
  const line = (key: string): string =>
    head.find(one => one.startsWith(`${key} `))?.slice(key.length + 1) ?? ''
  const author = signature(line('author'))
  return {
    author: author.name,
    authoredMs: author.atMs,
    committedMs: signature(line('committer')).atMs,
    subject: message.trimStart().split('\n', 1)[0]?.trim() ?? '',
    trailers: trailersOf(message),
    bytes,
  }
}
