import type { SyncAction } from '#protocol/host/sync.js'

/** One conflicted path of `git merge-tree -z`: the blobs of base, ours and theirs, null where absent. */
export interface ConflictedPath {
  readonly path: string
  readonly base: string | null
  readonly ours: string | null
  readonly theirs: string | null
  readonly mode: string
}

export interface MergedTree {
  readonly tree: string
  readonly conflicted: ReadonlyArray<ConflictedPath>
}

/** Parses the output of `git merge-tree --write-tree -z`; null where it has another form. */
export const mergedTreeOf = (output: string): MergedTree | null => {
  const [tree, ...rest] = output.split('\0')
  if (tree === undefined || !/^[0-9a-f]{40}$/.test(tree.trim())) return null
  const end = rest.indexOf('')
  const found = new Map<string, ConflictedPath>()
  for (const line of end < 0 ? rest : rest.slice(0, end)) {
    const [, mode, blob, stage, path] = /^(\d{6}) ([0-9a-f]{40}) ([123])\t([\s\S]+)$/.exec(line) ?? []
    const side = stages[Number(stage) - 1]
    if (mode === undefined || blob === undefined || path === undefined || side === undefined) continue
    const known = found.get(path) ?? { path, base: null, ours: null, theirs: null, mode }
    found.set(path, { ...known, mode: side === 'base' ? known.mode : mode, [side]: blob })
  }
  return { tree: tree.trim(), conflicted: [...found.values()] }
}

/** The line of git's output that names the cause of a failure: without escapes, at most 300 characters. */
export const causeOf = (stderr: string): string => {
  const lines = linesOf(stderr)
  const telling = tellingLines(stderr)
  const said = speakers.flatMap(speaker => telling.find(line => speaker.test(line)) ?? [])
  return (said[0] ?? lines[0] ?? 'git printed nothing.').slice(0, causeMax)
}

/** The outcome of a push: done, others were faster, refused by the remote, or unknown (F5). */
export type PushOutcome =
  | { readonly _tag: 'Pushed' }
  | { readonly _tag: 'Behind' }
  | { readonly _tag: 'Refused'; readonly detail: string }
  | { readonly _tag: 'Unknown'; readonly detail: string }

/**
 * Parses what `git push --porcelain` reports of one ref. A ref that the remote could not lock was moved by
 * another push at that moment, but a hook that declines may say so too. Without a report the outcome is unknown,
 * unless the remote says why.
 */
export const pushOutcome = (code: number | null, stdout: string, stderr: string): PushOutcome => {
  if (code === 0) return { _tag: 'Pushed' }
  const said = /^!\t[^\t]*\t(.*)$/m.exec(stdout)?.[1]
  const there = saidThere(stderr)
  if (said === undefined || !said.includes('rejected')) {
    const isRefused = code !== null && there !== null && remoteFailure(stderr) === 'failed'
    return isRefused
      ? { _tag: 'Refused', detail: there }
      : { _tag: 'Unknown', detail: said ?? causeOf(stderr) }
  }
  if (races.test(said) || (!said.includes('hook declined') && races.test(stderr))) return { _tag: 'Behind' }
  return { _tag: 'Refused', detail: there === null ? said : `${said}; ${there}` }
}

/** Why the remote did not answer, from git's messages in the language C. */
export const remoteFailure = (stderr: string): SyncAction =>
  words.find(([said]) => said.test(stderr))?.[1] ?? 'failed'

export const isMissingBranch = (stderr: string): boolean => /couldn't find remote ref/i.test(stderr)

const stages = ['base', 'ours', 'theirs'] as const

/** Lines that git prints for every failure of a kind, which say nothing of this one. */
const common: ReadonlyArray<RegExp> = [
  /^fatal: (Could not read from remote|the remote end hung up|early EOF|fetch-pack: invalid)/,
  /^error: failed to push some refs/,
  /^(Please make sure you have|and the repository exists)/,
  /^(warning|hint): |^To |^! \[/,
  /^remote:$|^remote: (Enumerating|Counting|Compressing|Resolving|Total) /,
  /^(send-pack|fetch-pack): unexpected disconnect/,
]

/** In this order of preference: git's own message, that of the remote, and that of ssh. */
const speakers: ReadonlyArray<RegExp> = [/^(fatal|error): /, /^remote: /, /./]

const causeMax = 300

const linesOf = (stderr: string): ReadonlyArray<string> =>
  stderr
    .split(/[\r\n]+/)
    .map(line => line.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ').trim())
    .filter(line => line !== '')

const tellingLines = (stderr: string): ReadonlyArray<string> =>
  linesOf(stderr).filter(line => !common.some(words => words.test(line)))

/**
 * What the remote says of its own, in one line; null where nothing. A hook that makes the whole receiving git die
 * says it without `remote:`.
 */
const saidThere = (stderr: string): string | null => {
  const lines = tellingLines(stderr)
  const there = lines.filter(line => line.startsWith('remote: ')).map(line => line.slice('remote: '.length))
  const said = there.length > 0 ? there : lines.some(line => / by hook$/.test(line)) ? lines : []
  return said.length === 0 ? null : `remote: ${[...new Set(said)].join(' ')}`.slice(0, causeMax)
}

const races = /non-fast-forward|fetch first|cannot lock ref|failed to update ref|incorrect old value/

const words: ReadonlyArray<readonly [RegExp, SyncAction]> = [
  [/Authentication failed|Permission denied|could not read (Username|Password)/i, 'auth_failed'],
  [/(HTTP|error:) 40[13]/i, 'auth_failed'],
  [/transport '[^'\n]*' not allowed/, 'transport_refused'],
  [/Could not read from remote|unable to access|unable to connect|Connection/i, 'unreachable'],
  [/does not appear to be a git repository|is this a git repository|not found/i, 'unreachable'],
]
