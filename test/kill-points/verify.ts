import { readdirSync } from 'node:fs'
import { gitIn } from '#test/support/repository.js'

/**
 * Files that exist only while something is under way: every lock, and drafts of the daemon. What a git of ours left of
 * an object that it was writing bears git's own name; `git gc`, which the daemon runs, clears it away.
 */
const passing: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
  ['a lock', /\.lock$/u],
  ['a temporary object', /\/objects\/tmp_obj_[0-9a-f]{16}$/u],
  ['a temporary index', /\/(?:index\.next|sync-(?:index|merge)-[^/]*)$/u],
  ['a draft of the work tree', /\/\.svc\/state\/checkout\/./u],
  ['a probe', /\/probe-[0-9a-f]+$/u],
]

const listLeftFiles = (root: string): ReadonlyArray<string> =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).flatMap(path =>
    passing.flatMap(([what, pattern]) => (pattern.test(`/${path}`) ? [`${path} was left: ${what}`] : [])),
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

/** The repository as git sees it: whole, with nothing left over, and everything of the person as it was. */
export const repositoryViolations = (
  { root, repo }: { readonly root: string; readonly repo: string },
  work: { readonly before: string; readonly now: string },
): ReadonlyArray<string> => [
  ...fsckViolations(repo),
  ...listLeftFiles(root),
  ...(work.now === work.before ? [] : [`the work tree or index: ${lineDiff(work.before, work.now)}`]),
]
