import * as t from 'io-ts'
import { type BoundId, bounds } from './bounds.js'
import { deliveryRefusalRows } from './chat/delivery-refusals.js'
import { dispatchRefusalRows } from './chat/dispatch-refusals.js'
import type { Descriptions } from './description.js'
import { CloseBlock } from './enactments/close-block.js'
import { takeoverRefusalRows } from './fleet/takeover.js'
import { BlockCode } from './host/discovery.js'
import { statusOfLore } from './host/sync.js'
import { parkedFields, syncStatusFields } from './host/sync-descriptions.js'
import { AwardBlock, AwardUnresolved } from './lore/award.js'
import { modelRefusalDescriptions, modelRefusalRows } from './models/model-refusals.js'
import { refusalRow as row } from './refusal-row.js'

const text = t.string
const texts = t.readonlyArray(t.string)

/**
 * A fault of a body: its path, as in `$.tags[0]`, and what is expected there. Never the value that was sent.
 */
export const BodyProblem = t.type({ path: text, expected: text }, 'BodyProblem')
export type BodyProblem = Readonly<t.TypeOf<typeof BodyProblem>>

/**
 * Every named error that a route of this host can answer (A 7, B 7, D23). The key is the `error` of the body,
 * unless the row names another (D42). The one source of statuses, bodies and the reference: no other code can
 * be answered.
 */
export const refusals = {
  Unauthorized: row(401, 'The request has no credentials, or credentials that this host does not know.', {}),
  Forbidden: row(403, 'The caller lacks the capability named in `required`.', { required: text }),
  TooManyRequests: row(
    429,
    'A client signs in too often, or a person writes too often. Try again after `retryAfterSeconds`.',
    { retryAfterSeconds: t.number },
  ),
  challenge_flood: row(
    429,
    'All 512 challenges are outstanding. Try again after `retryAfterSeconds`, when one of them expires.',
    { retryAfterSeconds: t.number },
  ),
  RouteNotFound: row(404, 'No route has this method and path. `GET /routes` lists the routes.', {}),
  HostRefused: row(421, 'The Host header names neither loopback nor a published name.', {}),
  RequestMalformed: row(400, 'The request line, a header or the path cannot be read.', {}),
  HeadersTooLarge: row(431, 'The header block is larger than the listener takes.', {}),
  RequestTimeout: row(408, 'The request did not arrive in time.', {}),
  ExpectationFailed: row(417, 'The request has an `Expect` header other than `100-continue`.', {}),
  ParameterInvalid: row(
    400,
    'A known parameter has a bad value, is given twice or is missing, or `dryRun` is spelt otherwise. ' +
      'No value of `limit` or `offset` is bad.',
    { parameter: text },
  ),
  BodyInvalid: row(
    400,
    'The body is not the JSON this route takes. `path` is the first fault, `problems` lists at most 20.',
    { path: text, problems: t.readonlyArray(BodyProblem) },
  ),
  BodyTooLarge: row(
    413,
    'The body is larger than 1 MiB, or has more than 5,000 values, lists and records included.',
    {},
  ),
  AnswerTooLarge: row(
    422,
    'The answer would have more than `bytesMax` bytes. Page with `limit` and `offset`, or ask in parts.',
    { bytesMax: t.number },
  ),
  TooMuchWork: row(
    422,
    'The request takes more than `unitsMax` units of work, the same on every host. Ask for less: `narrow` lists the ' +
      'parameters or fields to narrow.',
    { unitsMax: t.number, narrow: texts },
  ),
  UnsupportedMediaType: row(415, 'The body is not `application/json`, or it is compressed.', {}),
  SearchQueryMissing: row(400, 'The search has no `q`, or a blank one. Send the words to look for.', {}),
  SearchKindInvalid: row(400, '`kind` is none of `lore`, `session`, `speech` and `external`.', {}),
  SearchDiegesisInvalid: row(400, '`diegesis` is none of `in-game`, `out-of-game` and `mixed`.', {}),
  DateInvalid: row(400, 'A bound of days is no day `YYYY-MM-DD`.', { parameter: text }),
  MapDimensionsSelectionConflict: row(
    400,
    'The body names maps and a slice of the catalogue. Send `names`, or `maxMaps` and `cursor`.',
    {},
  ),
  MapDimensionsTooManyNames: row(400, 'The body names more than `namesMax` maps. Send several requests.', {
    namesMax: t.number,
  }),
  SearchBoundConflict: row(400, '`asOf` is sent with `from` or `to`. Send one or the other.', {}),
  SearchScopeForbidden: row(
    403,
    'The caller may search none of the tiers of the scope, which are in `tiers`.',
    { tiers: texts },
  ),
  SearchIndexDisabled: row(
    503,
    'This host has no index for a tier. The key `server.search_index` names the tiers that have one.',
    { tiers: texts, key: text },
  ),
  Starting: row(503, 'The first snapshot is not built yet. Try again after `Retry-After` seconds.', {}),
  Overloaded: row(
    503,
    'The part of the host behind this route is full or restarting. Try again after `Retry-After` seconds.',
    {},
  ),
  AnswerLate: row(
    503,
    'The host had no answer in time. It may still carry out what the request would change: read that before you ' +
      'send it again.',
    {},
  ),
  Internal: row(
    500,
    'The request failed on a fault of the daemon. The log has the fault under the request id.',
    {},
  ),
  SnapshotStale: row(
    503,
    'The commit of HEAD cannot be loaded, so the host serves an older one; `detail` says why. Commit a fix.',
    {},
  ),
  ReadOnly: row(403, 'The daemon is read-only. `POST /admin/mode` changes that.', {}),
  DiskRefused: row(503, 'The disk refuses writes; `detail` says why. Fix the disk, then try again.', {}),
  SyncDisabled: row(409, 'Sync is off here: no remote, no git, or `server.sync_interval_min` is 0.', {}),
  ConvergeFailed: row(
    503,
    'The converge did not do all that its mode asks; `lastAction` and `lastDetail` say why. Fix that and try again.',
    statusOfLore.props,
  ),
  SchemaTooOld: row(403, 'The repository is not adopted. `kronika adopt` or `POST /import` adopts it.', {}),
  SchemaTooNew: row(403, 'A newer version of Kronika wrote the repository. Update this host.', {}),
  SyncStale: row(403, 'The last converge is too old for writes. `POST /sync`, or fix the remote.', {}),
  NoRepository: row(409, 'The host serves a directory without git, which takes no writes.', {}),
  WorkTreeDirty: row(
    409,
    'Files that the write would touch have uncommitted changes. Commit or stash them.',
    { files: texts },
  ),
  HeadDetached: row(
    409,
    'HEAD of the checkout is on no branch: a rebase or bisect is under way, or a commit is checked out.',
    {},
  ),
  RepositoryLocked: row(
    503,
    'Another process holds the file `lock` of git. Try again after `Retry-After` seconds, when its git has ended.',
    { lock: text },
  ),
  CheckoutBlocked: row(
    409,
    'The checkout cannot take the write, for the cause `code` of `blocked` in `GET /health`; `detail` says what to ' +
      'do. The host goes on by itself when the cause is gone.',
    { code: BlockCode },
  ),
  WriteRejected: row(422, 'A check before the write rejects it; `detail` says why.', { hook: text }),
  AdoptionFailed: row(409, 'The legacy repository cannot be adopted as it is.', { findings: texts }),
  bad_request: row(
    400,
    'A field of the body is missing or malformed; `fault` says which one, or what is wrong with it.',
    { fault: text },
  ),
  ...takeoverRefusalRows,
  ...dispatchRefusalRows,
  ...deliveryRefusalRows,
  JobRunning: row(409, 'A job of this kind runs already. Its id is in `job`; GET /jobs/{id} shows it.', {
    job: text,
  }),
  CapabilityRequired: row(
    403,
    'The request asks for more than its row: the caller lacks the capability named in `required`.',
    { required: text },
  ),
  LogSourceRefused: row(
    422,
    'Transcripts come from http or https addresses of `integrations.logs.hosts` alone, without a port and credentials.',
    {},
  ),
  TuningSampleRuled: row(
    409,
    'The row was accepted or denied already, and the ruling says otherwise. The first acceptance stays.',
    { id: text, acceptedBy: t.union([text, t.null]), verdict: text },
  ),
  TuningSampleRepeated: row(
    409,
    'With the new answer the row would have the same turns as the row `other`. Deny one of them.',
    { id: text, other: text },
  ),
  EmptyEvalArm: row(
    409,
    'No row of the set would be in the arm `eval`, so nothing would tell whether training helped. Confirm rows of ' +
      'more documents, or raise `evalShare` in `sets.json`.',
    { set: text, documents: t.number },
  ),
  LogContentRefused: row(422, 'The text is no transcript. `reason` says why the content gate refused it.', {
    reason: text,
  }),
  LogNotFetched: row(502, 'The host of the transcript gave none. `reason` says why.', {
    reason: text,
    upstreamStatus: t.union([t.number, t.null]),
  }),
  CommitNotHere: row(409, 'This host does not have the commit of `X-Svc-Min-Commit` yet.', {}),
  RosterStoreProperty: row(
    422,
    'People are edited by committing the contributor store, the file named in `file`; no route writes them.',
    { entity: text, tag: t.union([text, t.null]), file: text },
  ),
  TagUnknown: row(
    422,
    'No block of this type takes the tag; `allowed` lists the tags that it takes, each with its `@`.',
    {
      tag: text,
      allowed: texts,
    },
  ),
  ValueRefused: row(
    422,
    'The lore cannot hold the value of `field`; `candidates` lists what it may mean where it means several.',
    { field: text, candidates: texts },
  ),
  BoundExceeded: row(
    422,
    'The write holds more than one request, block or player may: `bound` names the bound, `field` the place, if any.',
    { bound: text, limit: t.number, actual: t.number, field: t.union([text, t.null]) },
  ),
  AmbiguousName: row(409, 'Several blocks have the name. Add `?type=`, or send a heading of `candidates`.', {
    types: texts,
    candidates: texts,
  }),
  MatchStale: row(
    409,
    'No entry has the text of `match`, because it was changed. `current` lists the entries as they are.',
    { current: texts },
  ),
  NameTaken: row(
    409,
    'Another block has the name already or one that looks like it, or something else in the lore uses it. Choose ' +
      'another name.',
    {
      name: text,
      type: text,
    },
  ),
  SessionClosed: row(
    409,
    'The session is closed already, or the write would change Zmiany, Transfer, PU or Intel of a closed or settled ' +
      'session. Correct it by a new one.',
    { header: text, at: t.union([text, t.null]), by: t.union([text, t.null]) },
  ),
  NotYourSession: row(
    403,
    'Only a narrator of the session, a Radny or a holder of `admin.all` closes it. Ask one of them.',
    { header: text, narrators: texts },
  ),
  TransfersBlocked: row(422, 'Transfers cannot be applied, so none was. Mend what `Blocked` lists.', {
    Blocked: t.readonlyArray(CloseBlock),
  }),
  CloseBlocked: row(
    422,
    'Entries of the session cannot take effect, so nothing was written. Mend what `Blocked` lists.',
    { header: text, Blocked: t.readonlyArray(CloseBlock) },
  ),
  CloseNotMerged: row(
    409,
    'The merge request of the close is not merged, so the session is open. `state`: that of the request at the forge.',
    { header: text, state: t.keyof({ opened: null, closed: null, none: null, unknown: null }) },
  ),
  PendingAltered: row(
    422,
    '`pending` is not what the close answered. Send it unchanged, or send `{header}` to go on without its entry.',
    { header: text },
  ),
  NotPublished: row(
    503,
    'What the request does counts only once the remote has it, and the remote did not take it. `reason`: the remote ' +
      'was not reached, other hosts were faster, or the push was not answered. Send it again: it happens once.',
    { reason: t.keyof({ unreachable: null, behind: null, unknown: null }) },
  ),
  SessionNotChosen: row(
    409,
    'The request names no session, and the person has no open one as its narrator, or several. `open` lists them.',
    { open: texts },
  ),
  ReportRefused: row(
    422,
    'The text is no report of one session. `line` is where, counted from 1; null for the whole text.',
    { line: t.union([t.number, t.null]) },
  ),
  MonthRequired: row(400, 'The body has no `month`. Send the month to settle, such as `2026-10`.', {}),
  AwardBlocked: row(
    422,
    'Something stops the batch of the month, so nothing was written. Mend what `Blocked` and `Unresolved` list.',
    {
      Month: text,
      Blocked: t.readonlyArray(AwardBlock),
      Unresolved: t.readonlyArray(AwardUnresolved),
    },
  ),
  NameUnresolved: row(
    422,
    'Names that match no block or several; `suggestions` are the nearest names, `field` is the place of each.',
    {
      names: t.readonlyArray(
        t.intersection([
          t.type({
            field: text,
            name: text,
            why: t.keyof({ unknown: null, ambiguous: null }),
            suggestions: texts,
          }),
          t.partial({ more: t.number }),
        ]),
      ),
    },
  ),
  TownNotObserved: row(
    404,
    'This host has not observed the town since its start, or the topology does not list it.',
    {},
  ),
  UnknownDerivedKind: row(404, 'No derived artifact has this kind; `kinds` lists all.', { kinds: texts }),
  DerivedNotFresh: row(
    409,
    'The artifact of this host is absent, or describes another version of the archive. Wait, or ask another host.',
    { status: text },
  ),
  JobNotFound: row(404, 'This host has no such job; ended jobs are kept for 7 days.', {}),
  ClaimNotFound: row(404, 'The claim code was used, has expired, or is not a code of this host.', {}),
  IdentityNotFound: row(404, 'The game id does not belong to exactly one Gracz today.', {}),
  StoreUnreadable: row(
    409,
    'A committed file that the write would change, or that gives rights, cannot be read; `file` names it. Fix it.',
    { file: text },
  ),
  TokenNotFound: row(404, 'This host has no such named token: it was revoked, or it has expired.', {}),
  EntityNotFound: row(404, 'No entity has the name; `nearest` lists at most 5 headings like it.', {
    nearest: texts,
  }),
  SpellingNotFound: row(
    404,
    'No block has the text as a heading, another spelling, a common noun or one word of them.',
    {},
  ),
  PersonNotFound: row(404, 'No Gracz has the name; `nearest` lists at most 5 headings like it.', {
    nearest: texts,
  }),
  CharacterNotFound: row(404, 'No Postać has the name; `nearest` lists at most 5 headings like it.', {
    see: t.union([text, t.null]),
    nearest: texts,
  }),
  LocationNotFound: row(404, 'No Lokacja has the name; `nearest` lists at most 5 headings like it.', {
    nearest: texts,
  }),
  PlayerNotFound: row(
    404,
    'The ledger of players does not have the nick or game id, and no player online has it. `reason` says whether ' +
      'the roster was asked now (`not_in_ledger_and_not_online`) or lately (`recent_miss_cached`).',
    { reason: t.keyof({ not_in_ledger_and_not_online: null, recent_miss_cached: null }) },
  ),
  resolve_fetch_budget_exhausted: row(
    429,
    'This host has fetched the roster as often in the last hour as `integrations.game.resolve_fetches_per_hour` ' +
      'allows, or half as often for the person who asks. Try again after `retryAfterSeconds`.',
    { retryAfterSeconds: t.number },
  ),
  roster_disabled: row(
    503,
    'The ledger of players does not have the nick or game id, and `integrations.game.roster_url` is empty.',
    {},
  ),
  RosterUnavailable: row(
    503,
    'The roster of the world could not be fetched now. Try again after `Retry-After` seconds.',
    {},
  ),
  MapNotFound: row(404, 'No Mapa has the name; `nearest` lists at most 5 headings like it.', {
    nearest: texts,
  }),
  FileNotFound: row(404, 'The entity has no committed document that may be read.', {}),
  SessionNotFound: row(
    404,
    'No session has the header; `nearest` lists at most 5 that differ from it in case or blanks alone.',
    { nearest: texts },
  ),
  TrainingSampleFilterInvalid: row(
    400,
    'A filter of labelled samples names an unknown class, grade or block. `parameter` says which.',
    { parameter: text },
  ),
  SampleNotFound: row(404, 'The store has no sample of the id that the caller may read.', { id: text }),
  SampleRuled: row(
    409,
    '`ruledBy` ruled otherwise on the sample, and the first ruling stands. Send `opinion: true` to differ.',
    { id: text, ruledBy: t.union([text, t.null]), verdict: text, label: text },
  ),
  SampleUnruled: row(409, 'The sample has no ruling yet, so it takes no opinion. Send a ruling.', {
    id: text,
  }),
  SampleStale: row(
    409,
    'The passage of the sample is gone from its place. `proposed` is where it is now, if anywhere; nothing moves it.',
    {
      id: text,
      proposed: t.union([t.type({ line: t.number, start: t.number, end: t.number }), t.null]),
    },
  ),
  LogNotFound: row(404, 'The archive has no transcript of the name or address.', {}),
  TuningSampleNotFound: row(
    404,
    'The fine-tuning store has no row with the id. `GET /training/finetune/samples` lists them.',
    {},
  ),
  NarratorNotFound: row(404, 'No session names the narrator.', {}),
  JournalDisabled: row(503, 'This host keeps no journal of events. `GET /events` is the live stream.', {}),
  StreamNotFound: row(404, 'There is no such stream. The streams are operational, request and audit.', {}),
  registration_disabled: row(
    503,
    'Registration is off on this host: `integrations.chat.guild_id` is empty.',
    {},
  ),
  registration_needs_guild: row(403, 'The interaction comes from no guild, as a private message does.', {}),
  wrong_guild: row(403, 'The interaction comes from another guild than `integrations.chat.guild_id`.', {}),
  registration_reserved: row(
    403,
    'The game id has more rights than the bundle `gracz`. A person with a guild role binds it by assign-by-chat.',
    {},
  ),
  roles_unreadable: row(
    503,
    'The roles of the guild could not be read: no bot token, or no answer from the platform. Try later.',
    {},
  ),
  not_authorised: row(
    403,
    'The invoker holds none of the guild roles of `Declared`, which the contributor store names by `@chat_rola`.',
    { Declared: texts },
  ),
  no_role_declared: row(409, 'No `## Role` block of the contributor store has a row `@chat_rola`.', {}),
  invoker_has_no_roles: row(403, 'The interaction carried no guild roles.', {}),
  RoleTooWeak: row(
    403,
    'The bundle of `role` lacks the capability `required`, which the game id gives or the account would lose.',
    { role: text, required: text },
  ),
  no_gracz_for_game_id: row(404, 'No Gracz block has the game id open today.', {}),
  no_gracz_at_sign_in: row(
    403,
    'The sign-in is valid, but no Gracz block has the game id open today.',
    {},
    'no_gracz_for_game_id',
  ),
  chat_auth_disabled: row(
    503,
    'Chat sign-in is off here: `integrations.chat.client_id`, `issuer` or `jwks_url` is empty.',
    {},
  ),
  not_linked: row(
    403,
    'The chat account is valid, but not linked to a game id. Register it, or ask somebody to link it.',
    {},
  ),
  EnvelopeIncomplete: row(401, 'The signed payload lacks `user_id` or `token`.', {}),
  SignedPartInvalid: row(401, 'A signed part has a `+`, which separates them, or is too long.', {}),
  TimestampInvalid: row(401, '`ts` is missing, or not whole seconds as a number or its digits.', {}),
  TimestampOutOfWindow: row(401, '`ts` is too far from the clock of this host. Sign in again.', {}),
  SignatureMissing: row(401, 'The signed payload has no signature.', {}),
  SignatureMalformed: row(401, 'The signature is not canonical base64 of the standard alphabet.', {}),
  SignatureInvalid: row(401, 'The key of the game did not sign these parts.', {}),
  SigningKeyWeak: row(401, 'The published key of the game is too weak to prove anything.', {}),
  ChallengeUnknown: row(
    401,
    'The token is not an outstanding challenge of this host: it was used, has expired, or belongs to another host.',
    {},
  ),
  game_auth_disabled: row(503, 'Game sign-in is off here: `integrations.game.signing_key_url` is empty.', {}),
  SigningKeyAway: row(
    503,
    'The key that verifies the sign-in cannot be fetched now. Try again after `Retry-After` seconds.',
    {},
  ),
  ambiguous_game_id: row(
    409,
    'The game id does not belong to exactly one Gracz; `matches` lists the blocks. Fix the contributor store.',
    { matches: texts },
  ),
  WorkloadNotFound: row(404, 'No recurring workload has the name; `workloads` lists them.', {
    workloads: texts,
  }),
  OwnerNotAllowed: row(422, 'The workload cannot have the owner; `allowed` lists those it may have.', {
    allowed: texts,
  }),
  RefNotFound: row(404, 'The ledger has no such ref; `GET /governance/refs` lists them.', { refs: texts }),
  ...modelRefusalRows,
} as const

export type RefusalTag = keyof typeof refusals

type Extra<K extends RefusalTag> = t.TypeOfProps<(typeof refusals)[K]['extra']>

/** A refusal as a value; `errorOf` its `_tag` is the `error` of the body. */
export type RefusalOf<K extends RefusalTag> = K extends RefusalTag
  ? { readonly _tag: K; readonly detail: string } & Readonly<Extra<K>>
  : never
export type Refusal = RefusalOf<RefusalTag>

type Made<K extends RefusalTag> = { readonly _tag: K; readonly detail: string } & Readonly<Extra<K>>
type Plain = { [K in RefusalTag]: keyof Extra<K> extends never ? K : never }[RefusalTag]

/** Makes a refusal. `detail` must tell a person what to do next and must not repeat a secret. */
export function refuse<K extends Plain>(tag: K, detail: string): Made<K>
export function refuse<K extends RefusalTag>(tag: K, detail: string, extra: Readonly<Extra<K>>): Made<K>
export function refuse(tag: RefusalTag, detail: string, extra: object = {}): object {
  return { _tag: tag, detail, ...extra }
}

/** The refusal of a body with faults; `path` is that of the first. */
export const bodyInvalid = (
  detail: string,
  first: BodyProblem,
  others: ReadonlyArray<BodyProblem> = [],
): RefusalOf<'BodyInvalid'> =>
  refuse('BodyInvalid', detail, { path: first.path, problems: [first, ...others] })

/**
 * The refusal of a write that exceeds a bound; `mend` is the sentence that says what to do. `field` is the
 * place in the body or the heading of the block; null when the bound covers several places.
 */
export const refuseBoundExceeded = (
  bound: BoundId,
  actual: number,
  field: string | null,
  mend: string,
): RefusalOf<'BoundExceeded'> => {
  const { limit, unit, of } = bounds[bound]
  const place = field === null ? 'The write' : `\`${field}\``
  const detail = `${place} has ${actual} ${unit}; the bound ${bound} allows ${limit} in ${of}. ${mend}`
  return refuse('BoundExceeded', detail, { bound, limit, actual, field })
}

export const errorOf = (tag: RefusalTag): string => refusals[tag].error ?? tag

export const httpStatusOf = (refusal: { readonly _tag: RefusalTag }): number => refusals[refusal._tag].status

/** Whether the refusal is temporary, so that its answer has `Retry-After`. */
export const isPassing = (tag: RefusalTag): boolean =>
  tag === 'CommitNotHere' || [429, 503].includes(refusals[tag].status)

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
  'Refusal.JobRunning': { job: 'Id of the running job.' },
  'Refusal.CapabilityRequired': { required: 'Capability that the caller lacks.' },
  'Refusal.TuningSampleRuled': {
    id: 'Id of the row.',
    acceptedBy: 'Who accepted or denied it; null where the row does not say.',
    verdict: '`affirmed` or `denied`.',
  },
  'Refusal.TuningSampleRepeated': { id: 'Id of the row.', other: 'Id of the row with these turns.' },
  'Refusal.EmptyEvalArm': {
    set: 'Name of the set.',
    documents: 'Documents of the rows that can be trained on.',
  },
  'Refusal.LogContentRefused': { reason: 'Reason of `docs/spec/transcripts.md#gate`.' },
  'Refusal.LogNotFetched': {
    reason: 'Reason of `docs/spec/transcripts.md#failures`.',
    upstreamStatus: 'Status that the host answered; null where it gave none.',
  },
  'Refusal.Forbidden': { required: 'Capability that the caller lacks.' },
  'Refusal.MapDimensionsTooManyNames': { namesMax: 'Most names of one request.' },
  'Refusal.MatchStale': { current: 'The entries as they are now.' },
  'Refusal.NameTaken': {
    name: 'The name that is in use.',
    type: 'Type of the block that has it, or what else it is used for.',
  },
  'Refusal.CloseNotMerged': {
    header: 'Heading of the session.',
    state: 'State of the request; `none` where there is none, `unknown` where the forge does not answer.',
  },
  'Refusal.PendingAltered': { header: 'Heading of the session.' },
  'Refusal.NotPublished': { reason: 'Why the remote does not have it.' },
  'Refusal.SessionNotChosen': { open: 'Headings of the open sessions of the person.' },
  'Refusal.ReportRefused': { line: 'Line of the report, counted from 1; null for the whole text.' },
  'Refusal.AwardBlocked': {
    Month: 'Month that was to be settled, `YYYY-MM`.',
    Blocked: 'Entries that stop the month.',
    Unresolved: 'Names that mean no Postać, or several.',
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
  'Refusal.TrainingSampleFilterInvalid': { parameter: 'Name of the query parameter.' },
  'Refusal.SampleNotFound': { id: 'Id that was sent.' },
  'Refusal.SampleRuled': {
    id: 'Id of the sample.',
    ruledBy: 'Who ruled on it; null where the row does not say.',
    verdict: 'The verdict that stands.',
    label: 'The label that stands.',
  },
  'Refusal.SampleUnruled': { id: 'Id of the sample.' },
  'Refusal.SampleStale.proposed': {
    line: 'Line of the transcript or paragraph of the session, from 0.',
    start: 'First UTF-16 unit.',
    end: 'Unit behind the last.',
  },
  'Refusal.SampleStale': {
    id: 'Id of the sample.',
    proposed: 'Where the passage is now: line or paragraph, and offsets in it; null where it is nowhere.',
  },
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
  'Refusal.SessionClosed': {
    header: 'Heading of the closed session.',
    at: 'When it was closed, ISO 8601; null where only its PU are settled.',
    by: 'Who closed it; null where only its PU are settled.',
  },
  'Refusal.NotYourSession': {
    header: 'Heading of the session.',
    narrators: 'Names of its narrators, as written.',
  },
  'Refusal.TransfersBlocked': { Blocked: 'Transfers that stop all of them.' },
  'Refusal.CloseBlocked': { header: 'Heading of the session.', Blocked: 'Entries that stop the close.' },
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
  ...modelRefusalDescriptions,
  'Refusal.not_authorised': { Declared: 'Guild roles that give the right, one of which is needed.' },
}
