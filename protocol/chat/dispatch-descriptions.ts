import type { Descriptions } from '../description.js'

const times = {
  ageMs: 'Milliseconds from the sending to the receipt.',
  daemonEpochMs: 'Clock of this host at the receipt, in milliseconds since 1970.',
} as const

export const dispatchDescriptions: Descriptions = {
  DispatchWanted: {
    interactionId: 'Id of the interaction; a host enacts each id once.',
    kind: '`close`, `report` or `query`; without it the variables decide.',
    sentAtEpochMs: 'When the worker sent it, in milliseconds since 1970.',
    vars: 'Variables of the kind, and where the answer goes.',
  },
  DispatchAccepted: {
    accepted: 'Always true.',
    kind: 'Kind of the interaction.',
    interactionId: 'Id of the interaction.',
    duplicate: 'True where the id was accepted before; nothing more is enacted.',
    daemonEpochMs: times.daemonEpochMs,
  },
  'Refusal.not_dispatchable': {
    kinds: 'The three kinds.',
    missing: 'Variables that are missing or unusable; empty where the kind is the reason.',
  },
  'Refusal.dispatch_stale': { ...times, windowMs: 'The most milliseconds that may pass.' },
  'Refusal.too_late_for_report': { ...times, nearDeadlineMs: 'The most milliseconds that may pass.' },
  'Refusal.daemon_write_gated': { arm: 'Arm that closes the write gate.' },
}
