import * as t from 'io-ts'
import { CapabilityId } from '../atoms/capability.js'

/** `GET /capabilities`: every id that the caller's grants satisfy in full, in the order of A 5. */
export const CapabilitySet = t.type(
  { count: t.number, capabilities: t.readonlyArray(CapabilityId) },
  'CapabilitySet',
)
export type CapabilitySet = t.TypeOf<typeof CapabilitySet>
