import * as t from 'io-ts'
import { RequestState } from '#protocol/forge/answer.js'

/**
 * The merge request that publishes the commits of this host in mode `mr`. `status` is the last
 * `detailed_merge_status` of the forge, null where it names none.
 */
export const PublishRequest = t.type(
  {
    iid: t.number,
    url: t.string,
    state: RequestState,
    status: t.union([t.string, t.null]),
  },
  'PublishRequest',
)
export type PublishRequest = t.TypeOf<typeof PublishRequest>
