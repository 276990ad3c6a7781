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
