/**
 * Whether a request can be merged. `pending`: the forge still checks, or waits for people or pipelines.
 * `conflict`: the target branch has moved in a way that only another commit mends. `empty`: the target branch has
 * every commit of the request.
 */
export type Mergeability = 'mergeable' | 'pending' | 'conflict' | 'empty'

/**
 * Reads `detailed_merge_status`. A status that is unknown here is pending: versions of the forge add some. A
 * forge without the field is asked to merge, and answers 405 while it checks.
 */
export const mergeabilityOf = (mergeStatus: string | null): Mergeability => {
  switch (mergeStatus) {
    case null:
    case 'mergeable':
      return 'mergeable'
    case 'conflict':
    case 'need_rebase':
      return 'conflict'
    case 'commits_status':
      return 'empty'
    default:
      return 'pending'
  }
}
