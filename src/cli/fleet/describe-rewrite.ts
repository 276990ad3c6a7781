import type { SyncEnded } from '#protocol/sync/answers.js'

const linesMax = 50

/** The first items on lines of their own, and how many follow. */
const list = (items: ReadonlyArray<string>): ReadonlyArray<string> => {
  const more = items.length - linesMax
  return [...items.slice(0, linesMax).map(one => `  ${one}`), ...(more > 0 ? [`  and ${more} more`] : [])]
}

/** What `kronika accept-rewrite` did or would do. */
export const describeRewrite = ({
  accepted,
  rewrite = null,
  parked,
  unpublished,
}: Pick<SyncEnded, 'accepted' | 'rewrite' | 'parked' | 'unpublished'>): string => {
  const refs = parked.map(({ ref, commit }) => `${ref} ${commit}`)
  const done = [
    `Done. ${unpublished ?? 0} commits wait to be published.`,
    'Kept here for a person:',
    ...list(refs),
  ]
  if (rewrite === null)
    return accepted === true
      ? done.join('\n')
      : 'Nothing to accept: the remote had all that this host saw there, at the last fetch.'
  const { seen, tip, commits, removed } = rewrite
  if (tip === null)
    return `The remote had ${seen} and no longer has the branch. Push it again, or set another server.sync_branch.`
  return [
    `The remote had ${seen} and has ${tip} without it now.`,
    `Commits of this host that are made again on it: ${commits.length}.`,
    ...list(commits.map(({ id, subject }) => `${id.slice(0, 12)} ${subject}`)),
    `Files with versions that the remote no longer has, which this host never publishes again: ${removed.length}.`,
    ...list(removed),
    ...(accepted === true
      ? done
      : [
          'The branch as it is stays here under refs/svc/parked/. Nothing was changed; run it again with --yes.',
        ]),
  ].join('\n')
}
