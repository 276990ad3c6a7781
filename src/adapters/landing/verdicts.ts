import { git } from '#src/adapters/git/git-command.js'
import type { Intent } from '#src/ports/intents.js'
import { isAncestor } from './ref-updater.js'

/** What became of writes that a crash left open. */
export interface Verdicts {
  /** The branch has them: their index and work tree may still want a refresh. */
  readonly landed: ReadonlyArray<Intent>
  /** The branch never moved to them. */
  readonly lost: ReadonlyArray<Intent>
}

/** History may have been rewritten by a person since: the trailer tells what an id no longer can (F3). */
const isNamedInHistory = async (repo: string, intent: Intent): Promise<boolean> => {
  const found = await git(
    ['log', '-1', '--format=%H', '--fixed-strings', `--grep=Svc-Intent: ${intent.id}`, 'HEAD'],
    { cwd: repo },
  )
  return found.code === 0 && found.stdout.length > 0
}

/** Looks which of the open intents HEAD has. The parent of one that landed landed too, so a batch costs one look. */
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
