/** Why a call out was refused or cut off by a limit of this host. */
export const outboundBlocks = ['scheme', 'redirect', 'size', 'time'] as const
export type OutboundBlock = (typeof outboundBlocks)[number]

/** The metrics of calls that this host makes. */
export const outboundMetrics = {
  svc_outbound_requests_total: {
    kind: 'counter',
    labels: ['target', 'code'],
    help: 'Calls out by the status of their answer; without one by why, such as timeout or network.',
  },
  svc_outbound_rate_limited_total: {
    kind: 'counter',
    labels: ['target', 'scope'],
    help: 'Answers of 429 by whom they hold: user, global or shared.',
  },
  svc_outbound_blocked_total: {
    kind: 'counter',
    labels: ['reason'],
    help: 'Calls out that a limit of this host ended: by address, redirect, size or time.',
    values: { reason: outboundBlocks },
  },
} as const
