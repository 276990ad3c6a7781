import { redactCredentials } from '#src/domain/redaction/scrub.js'
import { syncGit } from './sync-git.js'

/** One commit of a range and those of the requested files that it changed. */
export interface CommitFiles {
  readonly commit: string
  readonly author: string
  readonly route: string
  readonly files: ReadonlyArray<string>
}

/**
 * The commits of `to` that `from` does not have, without merges, with the files of `paths` that they changed,
 * and the files with a changed line of a tag of `rows`. At most the newest 500 of each kind.
 */
export const robotChangesOf = async (
  repo: string,
  range: { readonly from: string; readonly to: string },
  paths: ReadonlyArray<string>,
  rows: ReadonlyArray<string>,
  signal: AbortSignal,
): Promise<ReadonlyArray<CommitFiles>> => {
  const format = '--format=%x1e%H%x00%an%x00%(trailers:key=Svc-Route,valueonly,separator=%x20)%x00'
  const base = ['log', '-z', '--no-merges', '--name-only', `--max-count=${commitsMax}`, format]
  const spans = [range.to, `^${range.from}`]
  const found = await Promise.all(
    [
      [...base, ...spans, '--', ...paths],
      // Committed attributes, or a program that the checkout names, must not hide a line.
      [
        ...base,
        '--text',
        '--no-textconv',
        '-G',
        `@(${rows.join('|')})[[:space:]]*:`,
        '--extended-regexp',
        ...spans,
        '--',
        '*.md',
      ],
    ].map(args => syncGit(args, { cwd: repo, signal, limitMs })),
  )
  const merged = new Map<string, CommitFiles>()
  for (const one of found.flatMap(result =>
    result.code === 0 ? commitsOf(result.stdout.toString('utf8')) : [],
  )) {
    const files = [...new Set([...(merged.get(one.commit)?.files ?? []), ...one.files])].sort()
    merged.set(one.commit, { ...one, files })
  }
  return [...merged.values()]
}

const limitMs = 30_000
const commitsMax = 500

const commitsOf = (output: string): ReadonlyArray<CommitFiles> =>
  output
    .split('\u001e')
    .filter(part => part.trim() !== '')
    .map(part => {
      const [commit = '', author = '', route = '', ...files] = part.replaceAll('\n', '').split('\0')
      return {
        commit,
        author: redactCredentials(author),
        route: route.trim(),
        files: files.filter(file => file !== ''),
      }
    })
