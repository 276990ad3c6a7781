import * as t from 'io-ts'

/**
 * Why a call out brought no usable answer. `not_sent`: the call never left this host, so it says nothing about
 * the other side. `unreachable`: the connection failed or broke in another way than those named here.
 */
export const OutboundFailure = t.keyof(
  {
    not_sent: null,
    refused: null,
    tls: null,
    timeout: null,
    unreachable: null,
    too_large: null,
    malformed: null,
  },
  'OutboundFailure',
)
export type OutboundFailure = t.TypeOf<typeof OutboundFailure>

/**
 * Why a fetch returned no text; the labels of its metric. `address`: the URL is invalid, or is `http:` to another
 * machine. `not_found`: the status is 404. `status`: it is another one than 200.
 */
export const FetchTrouble = t.keyof(
  { ...OutboundFailure.keys, address: null, not_found: null, status: null },
  'FetchTrouble',
)
export type FetchTrouble = t.TypeOf<typeof FetchTrouble>

/**
 * Why a guarded fetch has no answer. `host`: no https address of a listed host, also where a redirect leads there.
 * `address`: the name leads to a machine that is not of the public internet. `redirects`: there are too many.
 */
export const GuardedFailure = t.keyof(
  { ...OutboundFailure.keys, host: null, address: null, redirects: null },
  'GuardedFailure',
)
export type GuardedFailure = t.TypeOf<typeof GuardedFailure>

/** Why a call out was refused or cut off by a limit of this host. */
export const outboundBlocks = ['scheme', 'host', 'address', 'redirect', 'size', 'time'] as const

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
    help: 'Calls out that a limit of this host ended: by scheme, host, address, redirect, size or time.',
    values: { reason: outboundBlocks },
  },
} as const
