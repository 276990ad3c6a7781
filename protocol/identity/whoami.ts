import * as t from 'io-ts'
import { CapabilityId } from '../atoms/capability.js'
import { Identity } from './identity.js'

const CallerKind = t.keyof(
  { anonymous: null, machine: null, session: null, fleet: null, peer: null, named: null, api: null },
  'CallerKind',
)

/**
 * `GET /auth/whoami`: the kind of the caller's token, and its rights. `identity` is null for a token that
 * belongs to no person: the machine's and the named ones.
 */
export const WhoAmI = t.type(
  { kind: CallerKind, identity: t.union([Identity, t.null]), capabilities: t.readonlyArray(CapabilityId) },
  'WhoAmI',
)

/**
 * `GET /identity/{id}`: a person as the roster shows them. `chatId` is present only for the person themselves
 * and for callers who link accounts (docs/spec/identity.md#shown).
 */
export const KnownIdentity = t.intersection(
  [
    t.type({ gameId: t.string, name: t.string, roles: t.readonlyArray(t.string) }),
    t.partial({ chatId: t.union([t.string, t.null]) }),
  ],
  'KnownIdentity',
)
export type KnownIdentity = t.TypeOf<typeof KnownIdentity>
