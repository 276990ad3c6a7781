import * as t from 'io-ts'
import { Instant, ModelSurface } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { JobEnvelope } from '../host/jobs.js'
import { listOf } from '../list.js'
import { DayOrInstantText, SurfaceText, Text, windowQuery } from '../query.js'
import { ofHost, type Route, route, type Table, write } from '../route.js'
import { PromotionRefusal } from './model-refusals.js'

const text = t.string
const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])
const instantOrNull = t.union([Instant, t.null])

const Score = t.type({ precision: numberOrNull, recall: numberOrNull, f1: numberOrNull }, 'ModelScore')
const Sides = t.type({ train: numberOrNull, held_out: numberOrNull }, 'ModelSides')

/** An artifact (B 2.7); a number is null where its stamp does not have it. */
export const ArtifactSummary = t.type(
  {
    id: text,
    grade: textOrNull,
    heldOutScore: Score,
    split: t.type({ documents: Sides, rows: Sides }, 'ModelSplit'),
    training: t.type(
      {
        rows_harvested: numberOrNull,
        rows_trainable: numberOrNull,
        excluded_no_document: numberOrNull,
        excluded_row_ids: t.readonlyArray(text),
      },
      'ModelTraining',
    ),
    problems: t.readonlyArray(text),
  },
  'ArtifactSummary',
)
export type ArtifactSummary = t.TypeOf<typeof ArtifactSummary>

const Absence = t.keyof(
  { NoModelStore: null, NoLiveArtifact: null, LiveArtifactUnusable: null },
  'ModelAbsence',
)
export type ModelAbsence = t.TypeOf<typeof Absence>

const artifactOrNull = t.union([ArtifactSummary, t.null])

const state = {
  surface: ModelSurface,
  root: text,
  available: t.boolean,
  reason: t.union([Absence, t.null]),
  proposer: t.keyof({ model: null, 'frames-only': null }),
  live: artifactOrNull,
  previous: artifactOrNull,
  candidates: t.readonlyArray(ArtifactSummary),
  surfaces: t.readonlyArray(ModelSurface),
} as const

/** Which artifact the proposer reads on a surface, now or at `at` (B 2.7). */
export const ModelState = t.type({ ...state, at: instantOrNull }, 'ModelState')
export type ModelState = t.TypeOf<typeof ModelState>

/** What a promotion tells beside: none of it stops one (B 4.8). */
export const disclosureCodes = [
  'HarvestDrift',
  'HarvestUncheckable',
  'AcceptedRegression',
  'RegressionUncheckable',
  'RegressionIncomparable',
  'TranscribedConfirmations',
  'NoConfirmedLabels',
  'WithinNoise',
] as const
export type DisclosureCode = (typeof disclosureCodes)[number]
export const DisclosureCode = t.keyof(
  {
    HarvestDrift: null,
    HarvestUncheckable: null,
    AcceptedRegression: null,
    RegressionUncheckable: null,
    RegressionIncomparable: null,
    TranscribedConfirmations: null,
    NoConfirmedLabels: null,
    WithinNoise: null,
  },
  'DisclosureCode',
)

const Disclosure = t.type({ code: DisclosureCode, detail: text }, 'ModelDisclosure')
export type Disclosure = t.TypeOf<typeof Disclosure>

const LiveReason = t.keyof(
  { NoLiveArtifact: null, LiveArtifactUnusable: null, ScoreMissing: null },
  'AgainstLiveReason',
)
const FramesReason = t.keyof({ NoFramesConfig: null, NoFramesMeasurement: null }, 'AgainstFramesReason')

const Delta = t.type(
  {
    againstLive: t.union([Score, t.null]),
    againstLiveReason: t.union([LiveReason, t.null]),
    againstFrames: numberOrNull,
    againstFramesReason: t.union([FramesReason, t.null]),
    engages: text,
    engagesReason: t.literal('PromotionNamesOnly'),
  },
  'ModelDelta',
)

const EngageGate = t.type(
  {
    enabled: t.union([t.boolean, t.null]),
    minRecallGain: numberOrNull,
    framesOnlyRecall: numberOrNull,
    modelRecall: numberOrNull,
    gain: numberOrNull,
    clearsTheBar: t.union([t.boolean, t.null]),
    source: textOrNull,
    measured: textOrNull,
  },
  'EngageGate',
)
export type EngageGate = t.TypeOf<typeof EngageGate>

const Floors = t.type(
  {
    available: t.boolean,
    labels: t.number,
    confirmed: t.number,
    proposed: t.number,
    confirmedBy: t.readonlyArray(t.type({ by: text, rows: t.number }, 'ConfirmedBy')),
    authentication: t.type({ transcribed: t.number, tokenAuthenticated: t.number }, 'Authentication'),
    unconfirmedShare: numberOrNull,
  },
  'ModelFloors',
)
export type Floors = t.TypeOf<typeof Floors>

/** What is known of a candidate before its promotion; nothing is scored for it (B 4.8). */
export const ModelEvaluation = t.type(
  {
    ...state,
    candidate: ArtifactSummary,
    delta: Delta,
    engageGate: EngageGate,
    floors: Floors,
    refusals: t.readonlyArray(PromotionRefusal),
    disclosures: t.readonlyArray(Disclosure),
    promotable: t.boolean,
  },
  'ModelEvaluation',
)
export type ModelEvaluation = t.TypeOf<typeof ModelEvaluation>

const change = {
  seq: t.number,
  at: Instant,
  kind: t.keyof({ promote: null, rollback: null }),
  surface: ModelSurface,
  artifact: text,
  previous: textOrNull,
  by: text,
  acceptedRegression: t.boolean,
  heldOutF1: numberOrNull,
  disclosures: t.readonlyArray(Disclosure),
} as const

/** One change of the live artifact of a surface: a row of the ledger of promotions. */
export const ModelChange = t.type(change, 'ModelChange')
export type ModelChange = t.TypeOf<typeof ModelChange>

export const ModelLedger = t.intersection(
  [listOf(ModelChange, 'ModelChanges'), t.type({ unreadable: t.number })],
  'ModelLedger',
)
export type ModelLedger = t.TypeOf<typeof ModelLedger>

/** `queued` waits for its call; `starting`: the call is made; the last two are final. */
export const RunState = t.keyof(
  { queued: null, starting: null, running: null, succeeded: null, failed: null },
  'RunState',
)
export type RunState = t.TypeOf<typeof RunState>

/** How a training run failed. `start_unknown`: the forge may have begun it, and this host does not begin it twice. */
export const RunFailure = t.keyof(
  {
    start_unknown: null,
    start_refused: null,
    start_given_up: null,
    forge_denied: null,
    pipeline_gone: null,
    pipeline_failed: null,
    timed_out: null,
  },
  'RunFailure',
)
export type RunFailure = t.TypeOf<typeof RunFailure>

export const ModelRun = t.type(
  {
    id: text,
    surface: ModelSurface,
    ref: text,
    state: RunState,
    requestedAt: Instant,
    requestedBy: text,
    pipeline: t.union([t.type({ id: t.number, url: text }, 'RunPipeline'), t.null]),
    endedAt: instantOrNull,
    failure: t.union([RunFailure, t.null]),
    detail: textOrNull,
  },
  'ModelRun',
)
export type ModelRun = t.TypeOf<typeof ModelRun>

export const ModelRuns = t.intersection(
  [listOf(ModelRun, 'ModelRunList'), t.type({ unreadable: t.number })],
  'ModelRuns',
)
export type ModelRuns = t.TypeOf<typeof ModelRuns>

/** The body of a promotion. Its author is the caller: a body that names one is refused. */
export const PromoteModel = t.intersection(
  [t.type({ artifact: text, surface: text }), t.partial({ acceptRegression: t.boolean })],
  'PromoteModel',
)
export type PromoteModel = t.TypeOf<typeof PromoteModel>

export const OfSurface = t.type({ surface: text }, 'OfSurface')

/** What a promotion or a rollback did, or with `dryRun` would do. */
export const ModelChanged = t.type({ ...change, applied: t.boolean }, 'ModelChanged')
export type ModelChanged = t.TypeOf<typeof ModelChanged>

const RunPreview = t.type({ wouldRun: ModelSurface, ref: text }, 'RunPreview')

/** Reads of the store of this host: its version is part of their validator (D10). */
const ofStore = {
  ...ofHost,
  method: 'GET',
  replica: true,
  etag: true,
  body: null,
  capability: 'entity.read',
  stored: true,
  source: 'B 4.8, B 2.7, docs/spec/models.md#reads',
} as const

/** Writes of the store: no commit contains them. */
const toStore = {
  method: 'POST',
  capability: 'admin.index',
  own: false,
  anyCommit: true,
  commits: false,
  query: {},
  source: 'B 4.8, docs/spec/models.md#promotion',
} as const satisfies Partial<Route>

export const modelRoutes = {
  'model.state.get': route({
    ...ofStore,
    path: '/model/state',
    summary:
      'Which artifact the proposer reads on a surface, and which may follow it; `at`: what was live then.',
    query: { surface: SurfaceText, at: DayOrInstantText },
    answers: { 200: ModelState },
    refusals: ['UnknownSurface'],
    example: { query: { surface: 'claims', at: '2026-06-14' } },
  }),
  'model.evaluation.get': route({
    ...ofStore,
    path: '/model/evaluation',
    summary:
      'The measurement of an artifact beside the live one, and what its promotion would be refused for.',
    query: { artifact: Text, surface: SurfaceText },
    reads: ['adnotacje'],
    answers: { 200: ModelEvaluation },
    refusals: ['ParameterInvalid', 'UnknownSurface', 'ModelArtifactNotFound'],
    source: 'B 4.8, B 2.7, docs/spec/models.md#evaluation',
    example: { query: { artifact: 'claims-2', surface: 'claims' }, needs: ['artifact'] },
  }),
  'model.ledger.list': route({
    ...ofStore,
    path: '/model/ledger',
    summary: 'Promotions and rollbacks of this host, the newest first.',
    query: { surface: SurfaceText, ...windowQuery },
    answers: { 200: ModelLedger },
    refusals: ['UnknownSurface'],
    example: { query: { surface: 'claims', limit: '10', offset: '0' } },
  }),
  'model.runs.list': route({
    ...ofStore,
    path: '/model/runs',
    summary: 'Training runs that this host asked for, the newest first.',
    query: { surface: SurfaceText, ...windowQuery },
    answers: { 200: ModelRuns },
    refusals: ['UnknownSurface'],
    source: 'B 4.8, docs/spec/models.md#runs',
    example: { query: { surface: 'claims', limit: '10', offset: '0' } },
  }),
  'model.runs.start': write({
    ...toStore,
    path: '/model/runs',
    summary: 'Asks the forge for a training run of a surface; this host follows it as a job.',
    body: OfSurface,
    defers: true,
    answers: { 200: RunPreview, 202: JobEnvelope },
    refusals: ['UnknownSurface', 'actuation_unavailable', 'JobRunning', 'DiskRefused'],
    source: 'B 4.8, docs/spec/models.md#runs',
    example: { body: { surface: 'governance-transitions' } },
  }),
  'model.promote': write({
    ...toStore,
    path: '/model/promote',
    summary: 'Makes an artifact the live one of its surface; a refusal names every reason at once.',
    body: PromoteModel,
    answers: { 200: ModelChanged },
    refusals: [
      'UnknownSurface',
      'ModelAlreadyLive',
      'ModelArtifactUnusable',
      'ModelStampIncomplete',
      'ModelGradeRefused',
      'ModelStampSelfContradictory',
      'ModelSurfaceMismatch',
      'ModelWouldRegress',
      'DiskRefused',
    ],
    example: { body: { artifact: 'claims-2', surface: 'claims', acceptRegression: false } },
  }),
  'model.rollback': write({
    ...toStore,
    path: '/model/rollback',
    summary:
      'Makes the artifact that was live before the live one again; a second rollback takes the first back.',
    body: OfSurface,
    answers: { 200: ModelChanged },
    refusals: ['UnknownSurface', 'NoRetainedArtifact', 'RetainedArtifactMissing', 'DiskRefused'],
    source: 'B 4.8, docs/spec/models.md#rollback',
    example: { body: { surface: 'governance-transitions' } },
  }),
} as const satisfies Table

const surface = 'Id of the surface.'
const shown = {
  surface,
  root: 'Folder of the store in the state area of the host.',
  available: 'Whether the surface has a live artifact that can be read.',
  reason: 'Why there is none; null where there is one.',
  proposer: '`model` where the proposer reads the live artifact, `frames-only` where it works without one.',
  live: 'The live artifact; null where none is.',
  previous: 'The artifact that a rollback makes live; null where there is none.',
  candidates: 'Artifacts of the surface that are not live, and those whose surface is not known, by id.',
  surfaces: 'Ids of all surfaces.',
} as const
const changed = {
  seq: 'Number of the row in the ledger, from 1.',
  at: 'When it was made, ISO 8601 in UTC.',
  kind: '`promote` or `rollback`.',
  surface,
  artifact: 'Id of the artifact that became live.',
  previous: 'Id of the artifact that was live before; null where none was.',
  by: 'Who asked for it.',
  acceptedRegression: 'Whether a lower score than that of the live artifact was accepted.',
  heldOutF1: 'F1 of the artifact on its held-out documents; null where its stamp has none.',
  disclosures: 'Remarks on the promotion; no remark stops it.',
} as const
const lists = { unreadable: 'Number of lines of the file that cannot be read; they stay in it.' } as const

export const modelDescriptions: Descriptions = {
  ModelScore: {
    precision: 'Share of what was found that is right.',
    recall: 'Share of what is there that was found.',
    f1: 'Harmonic mean of both.',
  },
  ModelSides: { train: 'Number that the model was trained on.', held_out: 'Number that it was measured on.' },
  ModelSplit: { documents: 'Documents of each side.', rows: 'Rows of each side.' },
  ModelTraining: {
    rows_harvested: 'Rows that the sample store gave.',
    rows_trainable: 'Those that the model was trained or measured on.',
    excluded_no_document: 'Those that name no document.',
    excluded_row_ids: 'Ids of rows that were left out, at most 1,000.',
  },
  ArtifactSummary: {
    id: 'Id of the artifact: the name of its folder.',
    grade: 'Grade of the rows that it was trained on; null where its stamp has none.',
    heldOutScore: 'Its score on the held-out documents.',
    split: 'How documents and rows were divided.',
    training: 'What became of the rows.',
    problems: 'What is wrong with its files.',
  },
  ModelState: { ...shown, at: 'The instant that `at` asked for; null for now.' },
  ModelEvaluation: {
    ...shown,
    candidate: 'The artifact that was asked for.',
    delta: 'Its scores beside others.',
    engageGate: 'What the frames config asks of a model before it engages.',
    floors: 'What the sample store has for the surface now.',
    refusals: 'Every reason why its promotion would be refused now.',
    disclosures: 'What its promotion would tell beside.',
    promotable: 'Whether a promotion now would succeed.',
  },
  ModelDelta: {
    againstLive: 'Its scores less those of the live artifact; null with a reason.',
    againstLiveReason: 'Why there is no comparison; null where there is one.',
    againstFrames: 'What a model gains over the frames on this surface, as the frames config records it.',
    againstFramesReason: 'Why there is no such figure; null where there is one.',
    engages: 'A statement: what a promotion does not do.',
    engagesReason: 'Always `PromotionNamesOnly`.',
  },
  EngageGate: {
    enabled:
      'Whether the frames config turns the model layer on for the surface; null where it does not say.',
    minRecallGain: 'Recall that a model has to gain over the frames.',
    framesOnlyRecall: 'Recall of the frames alone.',
    modelRecall: 'Recall of the artifact on its held-out documents.',
    gain: 'Recall of the artifact less that of the frames.',
    clearsTheBar: 'Whether the gain is at least the one that is asked for; null where one is not known.',
    source: 'Where the measurement of the frames is from.',
    measured: 'When it was made, as the frames config says.',
  },
  ModelFloors: {
    available: 'Whether this host has a sample store.',
    labels: 'Rows of the class of the surface.',
    confirmed: 'Those with the grade `confirmed`.',
    proposed: 'Those with the grade `proposed`.',
    confirmedBy:
      'Number of rows that each person confirmed, the highest first; rows without a person are left out.',
    authentication: 'How the confirmed rows were confirmed.',
    unconfirmedShare: 'Share of rows that are not confirmed; null where there are none.',
  },
  ConfirmedBy: { by: 'Name of the person.', rows: 'Number of rows.' },
  Authentication: {
    transcribed: 'Rows whose confirmation somebody wrote into the file.',
    tokenAuthenticated: 'Rows that were confirmed by a request with a token.',
  },
  ModelDisclosure: { code: 'Code of the remark.', detail: 'The remark in words.' },
  ModelChange: changed,
  ModelChanged: { ...changed, applied: 'Whether it was done; false for a dry run.' },
  ModelLedger: lists,
  ModelRuns: lists,
  ModelRun: {
    id: 'Id of the run, and of its job.',
    surface,
    ref: 'Branch that the pipeline runs on.',
    state: 'State of the run; `succeeded` and `failed` are final.',
    requestedAt: 'When it was asked for, ISO 8601 in UTC.',
    requestedBy: 'Who asked for it.',
    pipeline: 'The pipeline of the forge; null before it is known.',
    endedAt: 'When it ended, ISO 8601 in UTC; null before.',
    failure: 'How it failed; null unless it did.',
    detail: 'The same in words; null unless it failed.',
  },
  RunPipeline: { id: 'Number of the pipeline at the forge.', url: 'Its address there.' },
  PromoteModel: {
    artifact: 'Id of the artifact.',
    surface,
    acceptRegression: 'Whether a lower score than that of the live artifact is accepted.',
  },
  OfSurface: { surface },
  RunPreview: {
    wouldRun: 'Surface that a model would be trained for.',
    ref: 'Branch that the pipeline would run on.',
  },
}
