import * as t from 'io-ts'
import { CapabilityId } from '../atoms/capability.js'
import { Instant } from '../atoms/instant.js'
import { Identity } from './identity.js'

/**
 * The answer of a sign-in (A 2.2, D42). `token` is valid on this host only; `fleetToken` is valid on every
 * host of the fleet, and absent when this host cannot mint one.
 */
export const SignInAnswer = t.intersection(
  [
    t.type({
      token: t.string,
      identity: Identity,
      capabilities: t.readonlyArray(CapabilityId),
      expires: Instant,
    }),
    t.partial({ fleetToken: t.string, fleetTokenExpires: Instant }),
  ],
  'SignInAnswer',
)
export type SignInAnswer = t.TypeOf<typeof SignInAnswer>
