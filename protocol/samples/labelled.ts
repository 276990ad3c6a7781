import * as t from 'io-ts'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { gateAnswerWithinMs } from '../host/admin.js'
import { sampleTexts, Text, windowQuery } from '../query.js'
import { actsOnHost, pipelineRefusals, type Route, route, type Table, write } from '../route.js'

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])
const Counts = t.record(t.string, t.number)

export const SampleGrade = t.keyof({ confirmed: null, measured: null, proposed: null }, 'SampleGrade')
export type SampleGrade = t.TypeOf<typeof SampleGrade>

const Verdict = t.keyof({ affirmed: null, denied: null }, 'SampleVerdict')

const Place = t.type({ line: t.number, start: t.number, end: t.number }, 'SamplePlace')

const Locator = t.intersection(
  [
    t.type({ document: t.string, source: t.string, hash: t.string }),
    t.partial({ line: t.number, start: t.number, end: t.number, text: t.string }),
  ],
  'ServedLocator',
)

/** A labelled row as answers have it (B 2.5). */
export const LabelledRow = t.intersection(
  [
    t.type({
      id: t.string,
      class: t.string,
      grade: SampleGrade,
      label: t.string,
      fields: t.record(t.string, t.unknown),
      provenance: t.type({ project: t.string }),
    }),
    t.partial({
      locator: Locator,
      verdict: Verdict,
      accepted_by: t.record(t.string, t.unknown),
      proposed_referent: t.string,
      opinions: t.readonlyArray(t.unknown),
      stale: t.type({ proposed: t.union([Place, t.null]) }, 'StalePassage'),
    }),
  ],
  'LabelledRow',
)
export type LabelledRow = t.TypeOf<typeof LabelledRow>

/** Why the store is not served, or not written. */
export const StoreReason = t.keyof(
  { NoStoreConfigured: null, StoreRefused: null, StoreUnreadable: null, StoreNotWritten: null },
  'StoreReason',
)
export type StoreReason = t.TypeOf<typeof StoreReason>

const Agreement = t.type(
  {
    class: t.string,
    between: t.readonlyArray(t.string),
    rows: t.number,
    agreed: t.number,
  },
  'SampleAgreement',
)

/** The census of a whole store (B 2.5). */
export const LabelledStats = t.type(
  {
    total: t.number,
    byClass: Counts,
    byGrade: Counts,
    byProject: Counts,
    byLabel: Counts,
    split: t.type(
      {
        byDocument: t.number,
        bySource: t.number,
        aggregate: t.number,
        undocumented: t.number,
        reconciles: t.boolean,
      },
      'SampleSplit',
    ),
    evidenceForm: t.type({ stated: t.number, missing: t.number }, 'EvidenceForms'),
    claimKeyFold: t.type({ claims: t.number, folded: t.number }, 'ClaimKeyFold'),
    agreement: t.readonlyArray(Agreement),
  },
  'LabelledStats',
)
export type LabelledStats = t.TypeOf<typeof LabelledStats>

const storeFields = { available: t.boolean } as const
const storeReason = t.partial({ reason: StoreReason })

/** A page of the store (B 4.6). */
const LabelledPage = t.intersection(
  [
    t.type({
      count: t.number,
      total: t.number,
      limit: numberOrNull,
      offset: t.number,
      ...storeFields,
      filtered: t.number,
      items: t.readonlyArray(LabelledRow),
      stats: LabelledStats,
      coverage: t.type(
        { partial: t.boolean, depositors: t.readonlyArray(t.string), note: t.string },
        'SampleCoverage',
      ),
      doesNotCheck: t.readonlyArray(t.string),
    }),
    storeReason,
    t.partial({
      entity: t.string,
      scope: t.string,
      entityCoverage: t.type(
        { searched: t.readonlyArray(t.string), blind: t.readonlyArray(t.string) },
        'EntityCoverage',
      ),
    }),
  ],
  'LabelledPage',
)
export type LabelledPage = t.TypeOf<typeof LabelledPage>

/** A ruling on one row. */
export const LabelledRuling = t.intersection(
  [
    t.type({ id: t.string, outcome: t.keyof({ affirm: null, deny: null, correct: null }) }),
    t.partial({
      class: t.string,
      label: t.string,
      referent: t.string,
      note: t.string,
      opinion: t.boolean,
    }),
  ],
  'LabelledRuling',
)
export type LabelledRuling = t.TypeOf<typeof LabelledRuling>

/** The most rulings of one batch (B 8). */
export const rulingsMax = 250

const Rulings = t.type({ items: t.readonlyArray(LabelledRuling) }, 'LabelledRulings')

const RefusedRuling = t.intersection(
  [
    t.type({ error: t.string, detail: t.string }),
    t.partial({
      ruledBy: textOrNull,
      proposed: t.union([Place, t.null]),
      candidates: t.readonlyArray(t.string),
    }),
  ],
  'RefusedRuling',
)

/** What became of one ruling. */
export const RulingResult = t.intersection(
  [
    t.type({
      id: t.string,
      result: t.keyof({ ruled: null, opinion: null, unchanged: null, refused: null }),
    }),
    t.partial({
      grade: SampleGrade,
      verdict: Verdict,
      label: t.string,
      referent: textOrNull,
      ruledBy: textOrNull,
      refusal: RefusedRuling,
    }),
  ],
  'RulingResult',
)
export type RulingResult = t.TypeOf<typeof RulingResult>

const ruled = {
  count: t.number,
  ruled: t.number,
  opinions: t.number,
  unchanged: t.number,
  refused: t.number,
  items: t.readonlyArray(RulingResult),
} as const

const RulingsAnswer = t.union(
  [t.type(ruled, 'RulingsDone'), previewOf(ruled, 'RulingsPreview')],
  'RulingsAnswer',
)
export type RulingsDone = t.TypeOfProps<typeof ruled>

const SessionBindings = t.intersection(
  [
    t.type({ header: t.string, ...storeFields, count: t.number, items: t.readonlyArray(LabelledRow) }),
    storeReason,
  ],
  'SessionBindings',
)
export type SessionBindings = t.TypeOf<typeof SessionBindings>

/** Who speaks under a name in a session. */
export const BindingRuling = t.intersection(
  [
    t.type({ surface: t.string }),
    t.partial({
      label: t.keyof({ character: null, narration: null, none: null }),
      referent: t.string,
      note: t.string,
      opinion: t.boolean,
    }),
  ],
  'BindingRuling',
)
export type BindingRuling = t.TypeOf<typeof BindingRuling>

const source = 'B 4.6, B 2.5, docs/spec/samples.md#rulings'

/** What a ruling on one row may be refused with. */
const rulingRefusals = [
  'NoRepository',
  'SampleNotFound',
  'ValueRefused',
  'SampleRuled',
  'SampleUnruled',
  'SampleStale',
  'StoreUnreadable',
  'Starting',
  'Overloaded',
] as const

/** A row that depends on the sample store beside the lore; reader threads do not have the store. */
const ofStore = {
  method: 'GET',
  own: false,
  write: false,
  replica: true,
  pool: false,
  poolReason: 'default',
  etag: true,
  early: false,
  body: null,
  reads: ['adnotacje'],
} as const satisfies Partial<Route>

const example = { id: 'lineage/entity-span/0123456789abcdef', outcome: 'affirm' } as const
const header = { header: '2026-05-10, Most na Zamorzu, Brzoza' } as const

/** Labelled samples, and the bindings of speakers of a session, which are rows of them (B 4.6, B 4.2). */
export const labelledRoutes = {
  'training.samples.list': route({
    ...ofStore,
    path: '/training/samples',
    summary: 'Labelled samples that pass every filter, with the census of the whole store.',
    capability: 'log.read',
    query: {
      ...sampleTexts,
      project: Text,
      label: Text,
      scope: Text,
      ...windowQuery,
    },
    answers: { 200: LabelledPage },
    refusals: ['TrainingSampleFilterInvalid'],
    source: 'B 4.6, B 2.5, docs/spec/samples.md#read',
    example: {
      query: {
        class: 'entity-span',
        grade: 'proposed,confirmed',
        project: 'lineage',
        label: 'Grupa',
        entity: 'Cech Kupców',
        scope: header.header,
        limit: '5',
        offset: '0',
      },
    },
  }),
  'training.samples.confirm': write({
    method: 'POST',
    path: '/training/samples/confirm',
    summary: 'Rules on one sample: affirms, denies or corrects it, or files an opinion on a ruled one.',
    capability: 'sample.confirm',
    own: false,
    query: {},
    body: LabelledRuling,
    bounds: { texts: { id: 'lookup', class: 'lookup' }, counts: 'values' },
    answers: { 200: RulingsAnswer },
    refusals: ['BodyInvalid', ...rulingRefusals],
    source,
    example: { body: example },
  }),
  'training.samplesConfirmations.add': write({
    method: 'POST',
    path: '/training/samples/confirmations',
    summary: 'Rules on 1 to 250 samples in one commit, with a result for each.',
    capability: 'sample.confirm',
    own: false,
    query: {},
    body: Rulings,
    longList: { field: 'items', item: LabelledRuling, itemsMax: rulingsMax },
    bounds: { texts: {}, counts: 'items' },
    answers: { 200: RulingsAnswer },
    refusals: ['BodyInvalid', 'NoRepository', 'Starting', 'Overloaded'],
    source,
    example: { body: { items: [example] } },
  }),
  'sessions.bindings.list': route({
    ...ofStore,
    path: '/sessions/{header}/bindings',
    summary:
      'Who speaks under which name in a session: the rows of the class `speaker-binding` with its header.',
    capability: 'session.read',
    query: {},
    answers: { 200: SessionBindings },
    refusals: ['SessionNotFound'],
    source: 'B 4.2, docs/spec/samples.md#bindings',
    example: { path: header },
  }),
  'sessions.bindings.set': route({
    ...actsOnHost,
    // No write flag, although it commits: the handler asks the gate itself (D28).
    plans: true,
    method: 'POST',
    path: '/sessions/{header}/bindings',
    summary: 'Rules who speaks under a name in a session.',
    capability: 'sample.confirm',
    query: {},
    answerWithinMs: gateAnswerWithinMs,
    body: BindingRuling,
    answers: { 200: RulingsAnswer },
    refusals: ['BodyInvalid', 'SessionNotFound', ...rulingRefusals, ...pipelineRefusals.write],
    source: 'B 4.2, B 4.6, docs/spec/samples.md#bindings',
    example: { path: header, body: { surface: 'Wędrowiec z Nikąd', referent: 'Kupiec Bogdan' } },
  }),
} as const satisfies Table

const store = {
  available: 'Whether the host reads a sample store.',
  reason:
    'Why it does not: no store is configured, its key was refused, or it cannot be read now; ' +
    '`StoreNotWritten`: it is only read.',
} as const
const done = {
  count: 'Number of rulings.',
  ruled: 'Those that are written as the ruling on their row.',
  opinions: 'Those that are written as an opinion.',
  unchanged: 'Those that stood already; nothing is written for them.',
  refused: 'Those that are refused.',
  items: 'What became of each, in the order of the request.',
} as const
const asked = {
  label: 'The label that is right; only with `correct`, which needs it.',
  referent: 'Heading of the block that is meant, or `undeclared`; with `affirm` or `correct`.',
  note: 'What the person adds; it is committed.',
  opinion: 'Whether this is an opinion on a row that somebody else ruled on.',
} as const

/** What the fields of these rows mean. */
export const labelledDescriptions: Descriptions = {
  SamplePlace: {
    line: 'Line of the transcript or paragraph of the session, from 0.',
    start: 'First UTF-16 unit.',
    end: 'Unit behind the last.',
  },
  ServedLocator: {
    document: '`log/<transcript>` or `session/<header>`.',
    source: 'Header of the session.',
    hash: 'SHA-256 of the line.',
    line: 'Line of the transcript or paragraph of the session, from 0.',
    start: 'First UTF-16 unit of the passage.',
    end: 'Unit behind its last.',
    text: 'The passage.',
  },
  LabelledRow: {
    id: 'Id `<project>/<class>/<slug>`.',
    class: 'Class of the row.',
    grade: 'How sure it is; `confirmed`: a person ruled.',
    label: 'Label of the passage.',
    fields: 'What the class says of it.',
    provenance: 'Where it comes from.',
    locator: 'Where the passage is.',
    verdict: 'What the person ruled; a denied row stays as a hard negative.',
    accepted_by: 'Who ruled, when, with which outcome and note, and what was proposed before.',
    proposed_referent: 'Referent that the depositor proposed.',
    opinions: 'Opinions on the ruling, at most one a person.',
    stale: 'Present where the passage is gone from its document.',
  },
  'LabelledRow.provenance': { project: 'Project that deposited the row.' },
  StalePassage: { proposed: 'Where the passage is now; null where it is nowhere.' },
  SampleAgreement: {
    class: 'Class of the rows.',
    between: 'The two people, by name.',
    rows: 'Rows of which both said what they hold.',
    agreed: 'Those on which they hold the same.',
  },
  LabelledStats: {
    total: 'Lines of the store that are not blank.',
    byClass: 'Rows by class.',
    byGrade: 'Rows by grade.',
    byProject: 'Rows by project.',
    byLabel: 'Rows by label.',
    split: 'Rows by what would divide them into a training and a test set.',
    evidenceForm: 'Rows by whether they state `fields.evidence_form`.',
    claimKeyFold: 'How many rows say the same of the same.',
    agreement: 'How often two people hold the same, by class and pair.',
  },
  SampleSplit: {
    byDocument: 'Rows whose locator has a document.',
    bySource: 'Rows whose locator has a source alone.',
    aggregate: 'Rows without a locator whose scope is the corpus.',
    undocumented: 'All other rows.',
    reconciles: 'Whether the four sum to `total`; not so where lines are unreadable or repeated.',
  },
  EvidenceForms: { stated: 'Rows that state it.', missing: 'Rows that do not.' },
  ClaimKeyFold: {
    claims: 'Different claims: class, label, referent and scope, without regard to case.',
    folded: 'Rows beyond the first of their claim.',
  },
  SampleCoverage: {
    partial: 'Whether a registered class has no row, or a line of the store is no row that counts.',
    depositors: 'Projects that deposited rows.',
    note: 'What the absence of a row means.',
  },
  EntityCoverage: {
    searched: 'Classes whose rows name a block.',
    blind: 'Classes whose rows name none; the filter finds no row of them.',
  },
  LabelledPage: {
    count: 'Number of rows on this page.',
    total: 'Rows of the whole store that the caller may read.',
    limit: 'Largest number of rows on a page; null: all.',
    offset: 'Number of rows before this page.',
    ...store,
    filtered: 'Rows that pass the filters.',
    items: 'The rows, in the order of their files.',
    stats: 'Census of the whole store.',
    coverage: 'What the store covers.',
    doesNotCheck: 'What the answer does not vouch for.',
    entity: 'Name that was asked for.',
    scope: 'Scope that was asked for.',
    entityCoverage: 'Which classes the filter `entity` can find.',
  },
  LabelledRuling: {
    id: 'Id of the row.',
    outcome: '`affirm` and `deny` leave the row as it is; `correct` replaces its label.',
    class: 'Class that the row must have.',
    ...asked,
  },
  LabelledRulings: { items: '1 to 250 rulings, each on another row.' },
  RefusedRuling: {
    error: 'Code of the refusal.',
    detail: 'What is wrong, and what to do.',
    ruledBy: 'Who ruled on the row before.',
    proposed: 'Where the passage is now.',
    candidates: 'Values that the row can take.',
  },
  RulingResult: {
    id: 'Id of the row.',
    result: 'What became of the ruling.',
    grade: 'Grade of the row afterwards.',
    verdict: 'What the person holds: of the ruling that stands, or of the opinion.',
    label: 'Label that the person holds right.',
    referent: 'Referent that the person holds right.',
    ruledBy: 'Whose ruling stands.',
    refusal: 'Why it was refused.',
  },
  RulingsDone: done,
  RulingsPreview: done,
  SessionBindings: {
    header: 'Header of the session.',
    ...store,
    count: 'Number of bindings.',
    items: 'The bindings, in the order of their files.',
  },
  BindingRuling: {
    surface: 'The name as transcripts of the session write it.',
    note: asked.note,
    opinion: asked.opinion,
    label: '`character`, `narration`, or `none` for a speaker without a block; absent: `character`.',
    referent: 'Heading of the block that speaks; only, and always, with `character`.',
  },
}
