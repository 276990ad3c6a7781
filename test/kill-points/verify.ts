import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gitIn } from '#test/support/repository.js'

const lockFiles = (repo: string): ReadonlyArray<string> =>
  readdirSync(join(repo, '.git'), { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.lock'),
  )

/** What git itself finds wrong; dangling objects are what a kill may leave. */
const fsckViolations = (repo: string): ReadonlyArray<string> => {
  try {
    const said = gitIn(repo, 'fsck', '--full', '--no-dangling', '--no-progress')
    return said === '' ? [] : [`git fsck: ${said}`]
  } catch (error) {
    return [`git fsck: ${error instanceof Error ? error.message : String(error)}`]
  }
}

const lineDiff = (before: string, after: string): string => {
  const [was, is] = [before.split('\n'), after.split('\n')]
  const gone = was.filter(line => !is.includes(line)).map(line => `- ${line}`)
  return [...gone, ...is.filter(line => !was.includes(line)).map(line => `+ ${line}`)].join('; ')
}

/** The repository as git sees it: whole, without stale locks, and everything of the person as it was. */
export const repositoryViolations = (
  repo: string,
  work: { readonly before: string; readonly now: string },
): ReadonlyArray<string> => [
  ...fsckViolations(repo),
  ...lockFiles(repo).map(path => `.git/${path} was left`),
  ...(work.now === work.before ? [] : [`the work tree or index: ${lineDiff(work.before, work.now)}`]),
]
