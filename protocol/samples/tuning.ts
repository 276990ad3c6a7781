import * as t from 'io-ts'
import type { BodyBounds } from '../bounds.js'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import {
  FormatText,
  GradeText,
  OffsetText,
  OriginText,
  PageLimitText,
  SetText,
  SplitText,
  Text,
} from '../query.js'
import { ofHost, type Route, route, type Table, write } from '../route.js'
import { rulingsMax } from './labelled.js'

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

const Grade = t.keyof({ confirmed: null, measured: null, proposed: null }, 'TuningGrade')
const Arm = t.keyof({ train: null, eval: null }, 'TuningArm')
const Verdict = t.keyof({ affirmed: null, denied: null }, 'TuningVerdict')
const verdictOrNull = t.union([Verdict, t.null])

/** The most characters of a turn that a read shows. */
export const previewChars = 400

const TurnPreview = t.intersection(
  [
    t.type({ role: t.keyof({ system: null, user: null, assistant: null }), content: t.string }),
    t.partial({ truncated: t.literal(true), fullChars: t.number }),
  ],
  'TuningTurn',
)

const Origin = t.intersection(
  [
    t.type({ kind: t.keyof({ human: null, model: null }) }),
    t.partial({ who: t.string, model: t.string, prompt_hash: t.string }),
  ],
  'TuningOrigin',
)

const Acceptance = t.intersection(
  [
    t.type({ kind: t.keyof({ authorship: null, ruling: null }) }),
    t.partial({ by: t.string, at: t.string, at_unknown: t.string, outcome: t.string, note: t.string }),
  ],
  'TuningAcceptance',
)

/** A row, its turns cut (B 2.6). */
export const TuningSample = t.type(
  {
    id: t.string,
    set: t.string,
    grade: Grade,
    origin: Origin,
    provenance: t.type({ project: t.string }),
    document: textOrNull,
    split: t.union([Arm, t.null]),
    kind: textOrNull,
    verdict: verdictOrNull,
    accepted_by: t.union([Acceptance, t.null]),
    dedupe: t.string,
    messages: t.readonlyArray(TurnPreview),
  },
  'TuningSample',
)
export type TuningSample = t.TypeOf<typeof TuningSample>

const Lengths = t.type(
  { total: t.number, min: numberOrNull, median: numberOrNull, p90: numberOrNull, max: numberOrNull },
  'TuningLengths',
)

const SetSplit = t.type(
  {
    documents: t.number,
    evalDocuments: t.number,
    trainRows: t.number,
    evalRows: t.number,
    withoutDocument: t.number,
    doubles: t.number,
  },
  'TuningSplit',
)

const counts = t.record(t.string, t.number)

const Stats = t.type(
  {
    bySet: counts,
    byGrade: counts,
    byOrigin: counts,
    byAcceptance: counts,
    split: t.record(t.string, SetSplit),
    lengthProfile: Lengths,
  },
  'TuningStats',
)

/** The samples that pass every filter, and the counts of the whole store (B 4.7). */
export const TuningSamples = t.intersection(
  [
    t.type({
      count: t.number,
      total: t.number,
      filtered: t.number,
      limit: t.number,
      offset: t.number,
      available: t.boolean,
      items: t.readonlyArray(TuningSample),
      stats: Stats,
      previewChars: t.number,
      doesNotCheck: t.readonlyArray(t.string),
    }),
    t.partial({
      reason: t.string,
      set: t.string,
      grade: t.string,
      origin: t.string,
      project: t.string,
    }),
  ],
  'TuningSamples',
)
export type TuningSamples = t.TypeOf<typeof TuningSamples>

const Stamp = t.type(
  {
    set: t.string,
    grade: Grade,
    split: Arm,
    rows: t.number,
    rowsInSet: t.number,
    rowsExcluded: t.number,
    excluded: t.type({ withoutDocument: t.number, doubles: t.number }),
    storeCommit: textOrNull,
    schemaVersion: t.number,
    splitRule: t.string,
    seed: t.string,
    evalShare: t.number,
    documents: t.number,
    evalDocuments: t.number,
    evalRows: t.number,
    servedAt: t.string,
    lengthProfile: Lengths,
  },
  'TuningStamp',
)
export type TuningStamp = t.TypeOf<typeof Stamp>

/** An export: its stamp, and the lines of its rows as they are committed. */
export const TuningExport = t.intersection(
  [t.type({ stamp: Stamp }), t.partial({ rows: t.readonlyArray(t.UnknownRecord) })],
  'TuningExport',
)
export type TuningExport = t.TypeOf<typeof TuningExport>

const Outcome = t.keyof({ affirm: null, deny: null, correct: null }, 'TuningOutcome')

/** A ruling on one row. */
export const TuningRuling = t.intersection(
  [t.type({ id: t.string, outcome: Outcome }), t.partial({ content: t.string, note: t.string })],
  'TuningRuling',
)
export type TuningRuling = t.TypeOf<typeof TuningRuling>

export const TuningRulings = t.type({ items: t.readonlyArray(TuningRuling) }, 'TuningRulings')

const Ruled = t.intersection(
  [
    t.type({
      id: t.string,
      result: t.keyof({ ruled: null, unchanged: null, refused: null }),
      grade: t.union([Grade, t.null]),
      verdict: verdictOrNull,
      acceptedBy: textOrNull,
    }),
    t.partial({ status: t.number, error: t.string, detail: t.string }),
  ],
  'TuningRuled',
)
export type TuningRuled = t.TypeOf<typeof Ruled>

const ruled = {
  count: t.number,
  ruled: t.number,
  unchanged: t.number,
  refused: t.number,
  items: t.readonlyArray(Ruled),
} as const

/** What became of each ruling, in the order asked. */
export const TuningRulingsAnswer = t.type(ruled, 'TuningRulingsAnswer')
export type TuningRulingsAnswer = t.TypeOf<typeof TuningRulingsAnswer>

const RulingAnswer = t.union(
  [TuningRulingsAnswer, previewOf(ruled, 'TuningRulingsPreview')],
  'TuningRulingAnswer',
)

/** A corrected answer may be as long as a summary is; its bound is that of the rule. */
const rulingBounds = (fields: BodyBounds['texts']): BodyBounds => ({ texts: fields, counts: 'items' })

const writing = {
  method: 'POST',
  capability: 'entity.write',
  own: false,
  query: {},
  answers: { 200: RulingAnswer },
  source: 'B 4.7, B 3, docs/spec/tuning-samples.md#rulings',
} as const satisfies Partial<Route>

const exampleId = 'demo/session-summary/most'

/** Fine-tuning samples: read, exported and ruled on (B 4.7). */
export const tuningRoutes = {
  'training.finetuneSamples.list': route({
    method: 'GET',
    path: '/training/finetune/samples',
    summary: 'Fine-tuning samples, each turn cut to 400 characters; at most 1,000 rows, 100 unless told.',
    capability: 'log.read',
    own: false,
    write: false,
    replica: true,
    pool: false,
    poolReason: 'shells',
    etag: true,
    reads: ['probki'],
    early: false,
    query: {
      set: SetText,
      grade: GradeText,
      origin: OriginText,
      project: Text,
      limit: PageLimitText,
      offset: OffsetText,
    },
    body: null,
    answers: { 200: TuningSamples },
    refusals: ['ParameterInvalid', 'Overloaded'],
    source: 'B 4.7, B 2.6, docs/spec/tuning-samples.md#read',
    example: {
      query: {
        set: 'session-summary',
        grade: 'confirmed',
        origin: 'human',
        project: 'demo',
        limit: '5',
        offset: '0',
      },
    },
  }),
  'training.finetuneExport.get': route({
    ...ofHost,
    poolReason: 'shells',
    method: 'GET',
    path: '/training/finetune/export',
    summary:
      'One arm of a set for training: a stamp and the confirmed rows as committed, sent as they are read.',
    capability: 'admin.index',
    unbudgeted: true,
    query: { set: SetText, grade: GradeText, split: SplitText, format: FormatText },
    body: null,
    answers: { 200: TuningExport },
    refusals: ['ParameterInvalid', 'EmptyEvalArm'],
    source: 'B 4.7, B 2.6, docs/spec/tuning-samples.md#export',
    example: {
      query: { set: 'session-summary', grade: 'confirmed', split: 'train', format: 'json' },
      needs: ['set'],
    },
  }),
  'training.finetuneSamples.confirm': write({
    ...writing,
    path: '/training/finetune/samples/confirm',
    summary: 'Affirms, denies or corrects one sample; the author is the caller.',
    body: TuningRuling,
    bounds: rulingBounds({ content: 'prose', id: 'lookup' }),
    refusals: [
      'BodyInvalid',
      'NoRepository',
      'TuningSampleNotFound',
      'TuningSampleRuled',
      'TuningSampleRepeated',
      'ValueRefused',
      'Overloaded',
    ],
    example: { body: { id: 'demo/api-agent/wit', outcome: 'affirm', note: 'Sprawdzone.' } },
  }),
  'training.finetuneSamplesConfirmations.add': write({
    ...writing,
    path: '/training/finetune/samples/confirmations',
    summary: 'Rules on 1 to 250 samples in one commit; a ruling that is refused costs the others nothing.',
    body: TuningRulings,
    longList: { field: 'items', item: TuningRuling, itemsMax: rulingsMax },
    bounds: rulingBounds({ items: 'prose' }),
    refusals: ['BodyInvalid', 'NoRepository'],
    example: {
      body: {
        items: [
          { id: 'demo/api-agent/wit', outcome: 'deny' },
          { id: exampleId, outcome: 'affirm' },
        ],
      },
    },
  }),
} as const satisfies Table

const acceptedBy = 'Person who accepted the row; null if the row is not accepted or names no person.'

const ruledFields = {
  count: 'Number of rulings.',
  ruled: 'Rulings that were written.',
  unchanged: 'Rulings that say what the row says already.',
  refused: 'Rulings that were refused; the others stand.',
  items: 'What became of each ruling, in the order asked.',
} as const

export const tuningDescriptions: Descriptions = {
  TuningTurn: {
    role: 'Whose turn it is.',
    content: 'The first characters of the turn; a character is never cut.',
    truncated: 'Present where the turn is longer.',
    fullChars: 'UTF-16 code units of the whole turn, where it is longer.',
  },
  TuningOrigin: {
    kind: 'Whether a person or a model wrote the answer.',
    who: 'Name of the person who wrote it.',
    model: 'Name of the model that wrote it.',
    prompt_hash: 'Hash of the prompt that the model was given.',
  },
  TuningAcceptance: {
    kind: '`authorship`: its author wrote it for training; `ruling`: a person ruled on it.',
    by: 'Who accepted it.',
    at: 'When.',
    at_unknown: 'Why the instant is not known.',
    outcome: 'What the person ruled.',
    note: 'What the person remarked.',
  },
  TuningSample: {
    id: '`<project>/<set>/<slug>`.',
    set: 'Name of its set.',
    grade: 'How sure the row is.',
    origin: 'Who wrote the answer.',
    provenance: 'Where the row comes from.',
    document: 'Document that it is made from; null: no export has the row.',
    split: 'Arm of an export that has the row; null: none has it.',
    kind: 'Its `fields.kind`; null without one.',
    verdict: 'What the ruling said; null without one.',
    accepted_by: 'How it was accepted; null if it is not accepted.',
    dedupe: 'Identifies its turns.',
    messages: 'The turns in order.',
  },
  'TuningSample.provenance': { project: 'Project that made the row.' },
  TuningLengths: {
    total: 'UTF-16 code units of all turns of all rows.',
    min: 'Those of the shortest row; null without rows.',
    median: 'Those of the row in the middle.',
    p90: 'Those of the row that nine of ten are not longer than.',
    max: 'Those of the longest row.',
  },
  TuningSplit: {
    documents: 'Documents of the rows in an arm.',
    evalDocuments: 'Those in eval.',
    trainRows: 'Rows in train.',
    evalRows: 'Rows in eval.',
    withoutDocument: 'Trainable rows in no arm, because they name no document.',
    doubles: 'Trainable rows in no arm, because another row has the same turns.',
  },
  TuningStats: {
    bySet: 'Rows of each set.',
    byGrade: 'Rows of each grade.',
    byOrigin: 'Rows by who wrote the answer.',
    byAcceptance: 'Rows by how they were accepted; `none`: not accepted.',
    split: 'How the trainable rows of each set are split.',
    lengthProfile: 'Lengths of all rows.',
  },
  TuningSamples: {
    count: 'Number of rows on this page.',
    total: 'Number of rows of the store.',
    filtered: 'Number of rows that pass every filter.',
    limit: 'Largest number of rows on a page.',
    offset: 'Number of rows before this page.',
    available: 'Whether the store was read.',
    items: 'Rows, in the order of files and lines.',
    stats: 'Counts of the whole store.',
    previewChars: 'Most characters of a turn that are shown.',
    doesNotCheck: 'What this host does not check of a row.',
    reason: 'Why the store was not read.',
    set: 'The filter, where one was asked.',
    grade: 'The filter, where one was asked.',
    origin: 'The filter, where one was asked.',
    project: 'The filter, where one was asked.',
  },
  TuningStamp: {
    set: 'Name of the set.',
    grade: 'Grade of every row.',
    split: 'Arm that the rows are of.',
    rows: 'Rows of this export.',
    rowsInSet: 'All rows of the set.',
    rowsExcluded: 'Trainable rows in no arm.',
    excluded: 'Why they are in none.',
    storeCommit: 'Commit of the store; null in a plain folder.',
    schemaVersion: 'Version of the store.',
    splitRule: 'How the arm of a document is found.',
    seed: 'Seed of the split.',
    evalShare: 'Share of documents that goes to eval.',
    documents: 'Documents of both arms.',
    evalDocuments: 'Documents of eval.',
    evalRows: 'Rows of eval.',
    servedAt: 'When the export was made.',
    lengthProfile: 'Lengths of the rows of this export.',
  },
  'TuningStamp.excluded': {
    withoutDocument: 'They name no document.',
    doubles: 'Another row has the same turns.',
  },
  TuningExport: {
    stamp: 'What the export is.',
    rows: 'The rows as their lines have them; absent with `format=stamp`.',
  },
  TuningRuling: {
    id: 'Id of the row.',
    outcome: '`affirm` and `deny` leave the text; `correct` replaces the last answer.',
    content: 'The new answer; required by `correct`, refused by the others.',
    note: 'A remark that the row keeps.',
  },
  TuningRulings: { items: '1 to 250 rulings, each on another row.' },
  TuningRuled: {
    id: 'Id of the row.',
    result: 'Whether the ruling was written, is what the row says already, or was refused.',
    grade: 'Grade of the row now; null for one that the store does not have.',
    verdict: 'Verdict of the row now; null without one.',
    acceptedBy,
    status: 'Status that the ruling alone would be refused with.',
    error: 'Why it was refused.',
    detail: 'The same in words.',
  },
  TuningRulingsAnswer: ruledFields,
  TuningRulingsPreview: ruledFields,
}
