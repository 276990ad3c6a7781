import * as t from 'io-ts'
import { shortListOf } from '../list.js'

const text = t.union([t.string, t.null])

/** The number of a request in its project. */
const Iid = t.refinement(t.number, iid => Number.isSafeInteger(iid) && iid > 0, 'Iid')

/** The fields of GitLab's merge request that this host reads. `detailed_merge_status` came with GitLab 15.6. */
export const GitlabRequest = t.intersection(
  [
    t.type({
      iid: Iid,
      web_url: t.string,
      state: t.keyof({ opened: null, closed: null, locked: null, merged: null }),
      source_branch: t.string,
      target_branch: t.string,
    }),
    t.partial({
      sha: text,
      description: text,
      /** Null where the fork is gone. */
      source_project_id: t.union([t.number, t.null]),
      target_project_id: t.number,
      detailed_merge_status: text,
      merged_at: text,
      merge_commit_sha: text,
      squash_commit_sha: text,
    }),
  ],
  'GitlabRequest',
)
export type GitlabRequest = t.TypeOf<typeof GitlabRequest>

export const GitlabPipeline = t.type({ id: t.Int, status: t.string, web_url: t.string }, 'GitlabPipeline')
export const GitlabJob = t.type({ id: t.Int, name: t.string, status: t.string }, 'GitlabJob')

/** The most entries of one page, which the forge never goes above. */
const pageMax = 100
export const GitlabRequests = shortListOf(GitlabRequest, pageMax)
export const GitlabJobs = shortListOf(GitlabJob, pageMax)
