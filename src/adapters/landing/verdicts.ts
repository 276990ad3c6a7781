import { git } from '#src/adapters/git/git-command.js'
import type { Intent } from '#src/ports/records.js'
import { isAncestor } from './refs/ref-updater.js'

/** The outcome of writes that a crash left open. */
export interface Verdicts {
  /** The branch contains them: their index and work tree may still need a refresh. */
  readonly landed: ReadonlyArray<Intent>
  /** The branch never moved to them. */
  readonly lost: ReadonlyArray<Intent>
}

/**
 * Whether a commit has every file as the intent left it. A trailer alone proves nothing: any person can write
 * one.
 */
const hasFilesOf = async (repo: string, commit: string, { paths }: Intent): Promise<boolean> => {
  const args = ['ls-tree', '-z', '--full-tree', commit, '--', ...paths.map(({ path }) => path)]
  const listed = await git(args, { cwd: repo })
  const there = new Map(
    listed.stdout
      .toString('utf8')
      .split('\0')
      .flatMap(row => {
        const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/su.exec(row) ?? []
        return id === undefined || path === undefined ? [] : [[path, id] as const]
      }),
  )
  return listed.code === 0 && paths.every(one => (there.get(one.path) ?? null) === one.new)
}

/**
 * A person may have rewritten history since, which changes ids: the trailer still identifies the write (F3).
 */
const isNamedInHistory = async (repo: string, intent: Intent): Promise<boolean> => {
  const named = `^Svc-Intent: ${intent.id.replace(/[^\w-]/gu, '.')}$`
  const found = await git(['log', '-1', '--format=%H', `--grep=${named}`, 'HEAD'], { cwd: repo })
  const commit = found.stdout.toString('utf8').trim()
  return found.code === 0 && commit !== '' && (await hasFilesOf(repo, commit, intent))
}

/**
 * Finds which of the open intents HEAD contains. The parent of a landed commit landed too, so a batch costs
 * one look-up.
 */
export const verdictsOf = async (repo: string, open: ReadonlyArray<Intent>): Promise<Verdicts> => {
  const landed: Array<Intent> = []
  const lost: Array<Intent> = []
  const below = new Set<string>()
  for (const intent of open.toReversed()) {
    const isIn =
      below.has(intent.commit) ||
      (await isAncestor(repo, intent.commit, 'HEAD')) ||
      (await isNamedInHistory(repo, intent))
    if (isIn && intent.parent !== null) below.add(intent.parent)
    ;(isIn ? landed : lost).unshift(intent)
  }
  return { landed, lost }
}
