import type { Descriptions } from './description.js'
import { parkedFields, syncStatusFields } from './sync/descriptions.js'

const channelFields = {
  category: 'Name of the category that was named.',
  channel: 'Name of the channel that was named.',
} as const

export const refusalDescriptions: Descriptions = {
  BodyProblem: {
    path: 'Place in the body, as in `$.tags[0]`.',
    expected: 'What is wanted there.',
  },
  'Refusal.AdoptionFailed': { findings: 'What prevents the adoption.' },
  'Refusal.AmbiguousName': {
    types: 'Types of the blocks, for `?type=`.',
    candidates: 'Headings of the blocks.',
  },
  'Refusal.AnswerTooLarge': { bytesMax: 'Largest answer that is sent, in bytes.' },
  'Refusal.TooMuchWork': {
    unitsMax: 'The most units of work of a request.',
    narrow: 'Parameters or fields of the body to narrow.',
  },
  'Refusal.BodyInvalid': {
    path: 'Place of the first fault, as in `$.tags[0]`.',
    problems: 'The first 20 faults.',
  },
  'Refusal.BoundExceeded': {
    bound: 'Name of the bound.',
    limit: 'Largest allowed number.',
    actual: 'Number that the write would reach.',
    field: 'Place in the body; null when the bound is not of one field.',
  },
  'Refusal.CharacterNotFound': {
    see: 'Path of the characters of the person with that name; null when no person has it.',
  },
  'Refusal.DerivedNotFresh': { status: '`stale` or `absent`.' },
  'Refusal.UnknownDerivedKind': { kinds: 'All kinds.' },
  'Refusal.actuation_unavailable': { setting: 'What is missing: `token`, `api_url` or `project`.' },
  'Refusal.bad_request': {
    fault:
      'Field of an interaction; of a takeover the fault of its reason: `missing`, `too_long` or `control`.',
  },
  'Refusal.takeover_cooldown': {
    mrIid: 'Number of the merged request; null until the forge has answered.',
    mrUrl: 'Address of the merged request; null until the forge has answered.',
    endsUtc: 'When the cooldown ends on the clock of the forge, ISO 8601 in UTC.',
  },
  'Refusal.target_ineligible': {
    target: 'Town that was named.',
    reasons: 'Every reason why it cannot become the apex.',
  },
  'Refusal.no_candidate': { rejections: 'The towns that cannot become the apex, by name.' },
  'Refusal.no_candidate.rejections': {
    town: 'Name of the town.',
    reasons: 'Every reason why it cannot become the apex.',
  },
  'Refusal.not_corroborated': {
    apex: 'Name of the apex.',
    misses: 'Probes of the apex in a row that failed on this host.',
    needed: 'Failed probes in a row that corroborate a takeover.',
  },
  'Refusal.ChatAddressMissing': {
    entity: 'Heading of the entity.',
    declined: 'True where its `@chat` is `BRAK`.',
  },
  'Refusal.ChannelNotFound': channelFields,
  'Refusal.ChannelAmbiguous': { ...channelFields, count: 'Number of channels with that name.' },
  'Refusal.ConvergeFailed': syncStatusFields,
  'Refusal.ConvergeFailed.parked': parkedFields,
  'Refusal.Forbidden': { required: 'Capability that the caller lacks.' },
  'Refusal.MatchStale': { current: 'The entries as they are now.' },
  'Refusal.NameTaken': {
    name: 'The name that is in use.',
    type: 'Type of the block that has it, or what else it is used for.',
  },
  'Refusal.NameUnresolved': { names: 'The names and what may be meant.' },
  'Refusal.NameUnresolved.names': {
    field: 'Place of the name in the request body.',
    name: 'The name as it was sent.',
    why: 'Whether the name matches no block (`unknown`) or several (`ambiguous`).',
    suggestions: 'Names that may be meant, best first.',
    more: 'Number of further matches that are not listed; absent when all are.',
  },
  'Refusal.ParameterInvalid': { parameter: 'Name of the query parameter.' },
  'Refusal.PlayerNotFound': { reason: 'Whether the roster was fetched for this request.' },
  'Refusal.OwnerNotAllowed': { allowed: 'Owners that the workload may have.' },
  'Refusal.WorkloadNotFound': { workloads: 'Names of all recurring workloads.' },
  'Refusal.RefNotFound': { refs: 'Names of all refs.' },
  'Refusal.CheckoutBlocked': { code: 'Code of the cause, as `blocked` of `GET /health` has it.' },
  'Refusal.RepositoryLocked': { lock: 'Path of the lock file of git.' },
  'Refusal.RoleTooWeak': {
    role: 'Role that gives the invoker the right to assign.',
    required: 'Capability that the role lacks.',
  },
  'Refusal.RosterStoreProperty': {
    entity: 'Name that the request is about.',
    tag: 'Tag that the request would write; null without one.',
    file: 'Path of the contributor store.',
  },
  'Refusal.SessionClosed': { header: 'Heading of the closed session.' },
  'Refusal.StoreUnreadable': { file: 'Path of the file that cannot be read.' },
  'Refusal.TagUnknown': {
    tag: 'Tag of the request.',
    allowed: 'Tags that blocks of this type take, with the at sign.',
  },
  'Refusal.ValueRefused': {
    field: 'Place of the value in the request.',
    candidates: 'Values that may be meant; empty when it is not a matter of several.',
  },
  'Refusal.WorkTreeDirty': { files: 'Paths of the files with uncommitted changes.' },
  'Refusal.WriteRejected': { hook: 'Name of the check that rejects the write.' },
  'Refusal.ambiguous_game_id': { matches: 'Headings of the people with that id.' },
  'Refusal.not_authorised': { Declared: 'Guild roles that give the right, one of which is needed.' },
}
