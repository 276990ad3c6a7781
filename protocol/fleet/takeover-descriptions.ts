import type { Descriptions } from '../description.js'

export const takeoverDescriptions: Descriptions = {
  TakeoverWanted: {
    reason: 'Why the role is taken over, at most 500 characters; it stands in the request of the forge.',
    target: 'Town that becomes the apex; without it the first candidate.',
    force: 'True to take over from an apex that this host does not see dark.',
  },
  TakeoverAccepted: {
    accepted: 'Always true.',
    target: 'Town that becomes the apex.',
    queued: 'False when the town already has a job, which stays as it is.',
    status: 'Status of the job that the town has already.',
    requestedUtc: 'When that job was requested, ISO 8601 in UTC.',
    earlierFailure:
      'How the last job for this version of the file failed, where a job fails again until a person acts.',
  },
  FlipAnnounced: {
    event: 'Kind of the announcement.',
    newPrimary: 'Town that is said to be the apex.',
    mrIid: 'Number of the merged request.',
    epochUtc: 'When the role changed, ISO 8601 in UTC.',
  },
  AnnouncementRecorded: {
    recorded: 'True; false for a dry run.',
    syncScheduled: 'True when sync is enabled, so that a converge begins soon.',
  },
}
