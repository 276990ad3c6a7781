import { equal, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { commitId } from '#test/support/commit-id.js'
import { describeRewrite } from './describe-fleet.js'

const [seen, tip, own] = [commitId('a'.repeat(40)), commitId('b'.repeat(40)), commitId('c'.repeat(40))]
const rewrite = {
  seen,
  tip,
  commits: [{ id: own, subject: 'entities: Zoe' }],
  removed: ['tajne.md'],
  related: true,
}
const status = { lastAction: null, unpublished: 1, parked: [] }

describe('what kronika accept-rewrite prints', () => {
  it('is the plan, and that nothing was changed', () => {
    equal(
      describeRewrite({ ...status, accepted: false, rewrite }),
      [
        `The remote had ${seen} and has ${tip} without it now.`,
        'Commits of this host that are made again on it: 1.',
        '  cccccccccccc entities: Zoe',
        'Files with versions that the remote no longer has, which this host never publishes again: 1.',
        '  tajne.md',
        'The branch as it is stays here under refs/svc/parked/. Nothing was changed; run it again with --yes.',
      ].join('\n'),
    )
  })

  it('is what was done, with the refs that keep the rest', () => {
    const parked = [{ ref: 'refs/svc/parked/Deyja/1', commit: own }]
    match(
      describeRewrite({ ...status, accepted: true, rewrite, parked, unpublished: 0 }),
      /\nDone\. 0 commits wait to be published\.\nKept here for a person:\n {2}refs\/svc\/parked\/Deyja\/1 c{40}$/,
    )
  })

  it('says that there is nothing to accept, or no branch to take', () => {
    match(describeRewrite({ ...status, accepted: false, rewrite: null }), /^Nothing to accept:/)
    match(
      describeRewrite({ ...status, accepted: false, rewrite: { ...rewrite, tip: null } }),
      /no longer has the branch\. Push it again/,
    )
  })

  it('says that the commits of this host are the ones with what was purged', () => {
    match(
      describeRewrite({ ...status, accepted: false, rewrite: { ...rewrite, seen: tip } }),
      /^Commits of this host would bring back what was purged; the remote has b{40}\.\n/,
    )
  })

  it('warns of a remote that has no commit in common with this host', () => {
    match(
      describeRewrite({ ...status, accepted: false, rewrite: { ...rewrite, related: false } }),
      /\nTHE TWO HAVE NO COMMIT IN COMMON: .* or the remote is another repository\./,
    )
  })

  it('names the first 50 commits, and how many follow', () => {
    const commits = Array.from({ length: 52 }, () => ({ id: own, subject: 'x' }))
    match(
      describeRewrite({ ...status, accepted: false, rewrite: { ...rewrite, commits } }),
      /\n {2}and 2 more\n/,
    )
  })
})
