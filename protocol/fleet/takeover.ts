import * as t from 'io-ts'
import { Instant } from '../atoms/instant.js'
import { LastingFailure } from './takeover-job.js'

export const TakeoverWanted = t.partial(
  { reason: t.string, target: t.string, force: t.boolean },
  'TakeoverWanted',
)

/**
 * `status` and `requestedUtc` are those of the job that the town has already; absent where it is new.
 * `earlierFailure`: how the last job for this version of the topology failed, where the next one fails as well until
 * a person acts.
 */
export const TakeoverAccepted = t.intersection(
  [
    t.type({ accepted: t.literal(true), target: t.string, queued: t.boolean }),
    t.partial({
      status: t.keyof({ queued: null, running: null }),
      requestedUtc: Instant,
      earlierFailure: LastingFailure,
    }),
  ],
  'TakeoverAccepted',
)
export type TakeoverAccepted = t.TypeOf<typeof TakeoverAccepted>

/** The number of a request. */
const Iid = t.refinement(t.number, iid => Number.isSafeInteger(iid) && iid > 0, 'Iid')

/** A town as another program names it. The longest name of a town has 64 characters. */
const AnnouncedTown = t.refinement(t.string, name => name.length <= 256, 'AnnouncedTown')

/** The announcement of a flip, as another program sends it. */
export const FlipAnnounced = t.intersection(
  [
    t.type({ event: t.literal('role-flip'), newPrimary: AnnouncedTown }),
    t.partial({ mrIid: Iid, epochUtc: Instant }),
  ],
  'FlipAnnounced',
)

export const AnnouncementRecorded = t.type(
  { recorded: t.boolean, syncScheduled: t.boolean },
  'AnnouncementRecorded',
)
export type AnnouncementRecorded = t.TypeOf<typeof AnnouncementRecorded>
