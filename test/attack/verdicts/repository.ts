import { gitIn } from '#test/support/repository.js'
import { gitAtLength } from '../git.js'

/** Acknowledged commits that are not in the history of the branch. */
export const violationsOfLoss = (
  acked: ReadonlyArray<string>,
  history: ReadonlySet<string>,
): ReadonlyArray<string> =>
  acked
    .filter(commit => !history.has(commit))
    .map(commit => `the acknowledged commit ${commit} is not in the history`)

/** Commits that no answer acknowledged, where every request was answered. */
export const violationsOfUnasked = (
  made: ReadonlyArray<string>,
  acked: ReadonlyArray<string>,
): ReadonlyArray<string> =>
  made
    .filter(commit => !acked.includes(commit))
    .map(commit => `the commit ${commit} was made without an answer that names it`)

export const commitsOf = (repo: string, range = 'HEAD'): ReadonlyArray<string> =>
  gitAtLength(repo, ['rev-list', range])
    .split('\n')
    .filter(line => line !== '')

/** What git itself finds wrong. */
export const fsckViolations = (repo: string): ReadonlyArray<string> => {
  try {
    const said = gitIn(repo, 'fsck', '--full', '--no-dangling', '--no-progress')
    return said === '' ? [] : [`git fsck: ${said.slice(0, 200)}`]
  } catch (error) {
    return [`git fsck: ${error instanceof Error ? error.message : String(error)}`]
  }
}
