import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId, nameKey } from '#protocol/atoms.js'
import { git } from '../git/git-command.js'

/** Which marked lines of index files a person removed: the autopilots never write such a line again. */
export interface RemovedLines {
  /** Reads the history up to HEAD, from where the last call ended. Rejects where git fails or the signal aborts. */
  readonly refresh: (signal: AbortSignal) => Promise<void>
  /** Whether a person removed `- @tag: value (auto)` from a block with this heading, as of the last refresh. */
  readonly has: (heading: string, tag: string, value: string) => boolean
}

/**
 * The removals in the history of a checkout, by one `git log` whose output has the removed lines and, for each of them,
 * the heading above it. What the host removed itself, after a ruling, is none: its commits name an autopilot. Nothing
 * is kept on disk; a start reads the history once.
 */
export const openRemovedLines = (repo: string): RemovedLines => {
  const removed = new Set<string>()
  let seen: string | null = null
  return {
    refresh: async signal => {
      const head = await git(['rev-parse', '--verify', '-q', 'HEAD'], { cwd: repo, signal, limitMs })
      const tip = CommitId.decode(head.stdout.toString('utf8').trim())
      if (isLeft(tip) || tip.right === seen) return
      const printed = await git(logArgs(tip.right, seen), { cwd: repo, signal, limitMs, outputBytesMax })
      // The commit seen last is gone after an accepted rewrite: then everything is read again.
      if (printed.code !== 0 && seen !== null) {
        seen = null
        return
      }
      if (printed.code !== 0) throw new Error(`git log of marked lines failed: ${printed.stderr.trim()}`)
      for (const key of removalsIn(printed.stdout.toString('utf8'))) removed.add(key)
      seen = tip.right
    },
    has: (heading, tag, value) => removed.has(keyOf(heading, tag, value)),
  }
}

const limitMs = 120_000
const outputBytesMax = 64 * 1024 * 1024

/** The commits of an autopilot have this route in their trailer. */
const routeOfAutopilot = 'autopilot:'

const keyOf = (heading: string, tag: string, value: string): string =>
  [nameKey(heading), tag, nameKey(value)].join('\n')

/** `diff.kronika` makes git print the last heading above each hunk, whatever attributes the checkout has. */
const logArgs = (tip: CommitId, since: string | null): ReadonlyArray<string> => [
  ...['-c', 'diff.default.xfuncname=^### .*$', '-c', 'trailer.separators=:'],
  ...['log', '--encoding=UTF-8', '--format=%x00%(trailers:key=Svc-Route,valueonly)', '--no-renames'],
  ...['--no-ext-diff', '--no-textconv', '--no-color', '-p', '-U0', '-G', String.raw`\(auto\)$`],
  ...[tip, ...(since === null ? [] : [`^${since}`])],
  ...['--', ':(top)encje'],
]

const hunk = /^@@ [^@]* @@ ?(?:### (.*))?$/u
const heading = /^[ -]### (.*)$/u
const marked = /^-\s*- @([^\s:]+): (.*) \(auto\)$/u

/** The keys of the marked lines that commits of persons removed. */
const removalsIn = function* (printed: string): Generator<string> {
  for (const commit of printed.split('\0')) {
    const [route = '', ...lines] = commit.split('\n')
    if (route.startsWith(routeOfAutopilot)) continue
    let above = ''
    for (const line of lines) {
      const [begins, within, removal] = [hunk.exec(line), heading.exec(line), marked.exec(line)]
      if (begins !== null) above = begins[1] ?? ''
      else if (within !== null) above = within[1] ?? ''
      else if (removal !== null) yield keyOf(above, removal[1] ?? '', removal[2] ?? '')
    }
  }
}
