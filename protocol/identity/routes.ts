import { ofHost, route, type Table } from '#protocol/route.js'
import { CapabilitySet } from './capability-set.js'
import { KnownIdentity, WhoAmI } from './whoami.js'

/** Columns of a read whose answer depends on the caller: no reader thread and no validator. */
const ofCaller = {
  ...ofHost,
  method: 'GET',
  query: {},
  body: null,
  source: 'A 4.3, docs/spec/identity.md#shown',
} as const

/** Who the caller is, who others are, and what the caller may do (A 4.3). */
export const identityRoutes = {
  'auth.whoami.get': route({
    ...ofCaller,
    path: '/auth/whoami',
    anyCommit: true,
    summary: 'The caller, with their rights now.',
    capability: 'identity.read',
    answers: { 200: WhoAmI },
    refusals: [],
    example: {},
  }),
  'identity.get': route({
    ...ofCaller,
    path: '/identity/{id}',
    summary: 'The person whose game id it is today.',
    capability: 'identity.read',
    answers: { 200: KnownIdentity },
    refusals: ['IdentityNotFound'],
    example: { path: { id: '41001' } },
  }),
  'capabilities.list': route({
    ...ofHost,
    method: 'GET',
    path: '/capabilities',
    summary: "The caller's resolved capabilities.",
    capability: 'capability.read',
    query: {},
    body: null,
    answers: { 200: CapabilitySet },
    refusals: [],
    source: 'A 4.3',
    example: {},
  }),
} as const satisfies Table
