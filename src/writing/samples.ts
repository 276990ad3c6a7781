import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { BlobId, hasHiddenCharacter, nameKey, type RepoPath } from '#protocol/atoms.js'
import { bodyInvalid, errorOf, type RefusalOf, refuse } from '#protocol/refusal.js'
import type {
  BindingRuling,
  LabelledRuling,
  labelledRoutes,
  RulingResult,
  RulingsDone,
  StoreReason,
} from '#protocol/samples/labelled.js'
import { type Caller, callerName } from '#src/domain/callers/caller.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { textFault, valueText } from '#src/domain/lore/rows/rows.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import { committedPassage, type Passage } from '#src/domain/samples/passages.js'
import {
  isRuled,
  type Judgement,
  opinionsOf,
  type Ruled,
  type RulingGround,
  type RulingRefusal,
  rule,
  ruledFiles,
  rulerOf,
  standingJudgement,
} from '#src/domain/samples/rulings.js'
import {
  appendSample,
  bindingKey,
  bindingsOf,
  type Sample,
  type SampleRow,
  sampleId,
  speakerClass,
  undeclared,
} from '#src/domain/samples/samples.js'
import type { Session } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { decodePrepared, type Planners } from './command.js'
import { sessionNotFound } from './sessions/baselines.js'

/** The passages of rows in archived transcripts, as they were in the text of a blob. */
export const ReadPassages = t.type(
  {
    passages: t.readonlyArray(
      t.type({
        id: t.string,
        text: BlobId,
        stands: t.boolean,
        proposed: t.union([t.type({ line: t.number, start: t.number, end: t.number }), t.null]),
      }),
    ),
  },
  'ReadPassages',
)
export type ReadPassages = t.TypeOf<typeof ReadPassages>

/** Whether the store is read, and why it is not, or is not written. */
export const storeOf = ({
  config,
  treeHeads,
  findings,
}: Pick<Snapshot, 'config' | 'treeHeads' | 'findings'>): {
  readonly available: boolean
  readonly reason: StoreReason | null
} => {
  if (config['corpora.adnotacje'] === '') return { available: false, reason: 'NoStoreConfigured' }
  const isFound = (kind: string): boolean =>
    findings.some(one => one.kind === kind && one.subject === 'corpora.adnotacje')
  if (!treeHeads.has('adnotacje'))
    return { available: false, reason: isFound('CorpusRefused') ? 'StoreRefused' : 'StoreUnreadable' }
  return { available: true, reason: isFound('CorpusUnwritten') ? 'StoreNotWritten' : null }
}

/** A binding as it was asked for: the session, the ruling in words of samples, and the row that it is on. */
export interface AskedBinding {
  readonly session: Session
  readonly existing: Sample | null
  readonly label: 'character' | 'narration' | 'none'
}

/** Checks a binding; `referent` goes with `character` alone. */
export const bindingOf = (
  snapshot: Pick<Snapshot, 'sessions' | 'samples'>,
  header: string,
  { surface, label = 'character', referent }: BindingRuling,
): Either<RefusalOf<'SessionNotFound' | 'BodyInvalid'>, AskedBinding> => {
  const session = snapshot.sessions.byKey.get(sessionKey(header))
  if (session === undefined) return left(sessionNotFound(snapshot, header))
  const fault =
    surface.trim() === ''
      ? { path: '$.surface', expected: 'a name' }
      : (label === 'character') === (referent === undefined)
        ? {
            path: '$.referent',
            expected:
              label === 'character' ? 'the heading of who speaks' : `no referent with the label ${label}`,
          }
        : null
  if (fault !== null) return left(bodyInvalid(`The body needs ${fault.expected} at ${fault.path}.`, fault))
  const key = bindingKey(session.header, surface)
  const rows = bindingsOf(snapshot.samples, session.header).filter(({ row }) => bindingKeyOf(row) === key)
  const existing = rows.find(({ row }) => isRuled(row)) ?? rows[0] ?? null
  return right({ session, existing, label })
}

/** Planners of rulings on labelled samples (B 4.6, B 4.2). They write the annotation tree alone. */
export const labelledPlanners: Planners<typeof labelledRoutes> = {
  'training.samples.confirm': (snapshot, { body, prepared, caller, nowMs }) => {
    const ground = groundOf(snapshot, prepared, caller, nowMs)
    if (isLeft(ground)) return ground
    const ruled = rule(snapshot.samples, body, ground.right)
    return isLeft(ruled) ? ruled : right(setOf(snapshot, [ruled], [body.id], ground.right.by))
  },
  'training.samplesConfirmations.add': (snapshot, { body: { items }, prepared, caller, nowMs }) => {
    const ground = groundOf(snapshot, prepared, caller, nowMs)
    if (isLeft(ground)) return ground
    const ruled = items.map(item => rule(snapshot.samples, item, ground.right))
    return right(
      setOf(
        snapshot,
        ruled,
        items.map(({ id }) => id),
        ground.right.by,
      ),
    )
  },
  'sessions.bindings.set': (snapshot, { path, body, prepared, caller, nowMs }) => {
    const ground = groundOf(snapshot, prepared, caller, nowMs)
    if (isLeft(ground)) return ground
    const bound = bindingOf(snapshot, path.header, body)
    if (isLeft(bound)) return bound
    const { existing } = bound.right
    if (existing === null) return planBinding(snapshot, bound.right, body, ground.right)
    const ruled = rule(snapshot.samples, rulingOf(existing, bound.right, body), ground.right)
    return isLeft(ruled) ? ruled : right(setOf(snapshot, [ruled], [existing.row.id], ground.right.by))
  },
}

/** The project of the bindings that people rule without a deposit. */
const bindingProject = 'bindings'

const bindingKeyOf = ({ fields }: SampleRow): string | null =>
  typeof fields['scope'] === 'string' && typeof fields['surface'] === 'string'
    ? bindingKey(fields['scope'], fields['surface'])
    : null

const groundOf = (
  snapshot: Snapshot,
  prepared: unknown,
  caller: Caller,
  nowMs: number,
): Either<RefusalOf<'NoRepository'>, RulingGround> => {
  if (!storeOf(snapshot).available)
    return left(
      refuse(
        'NoRepository',
        'This host has no sample store. Name a git checkout in corpora.adnotacje and restart it.',
      ),
    )
  const read = new Map(decodePrepared(ReadPassages, prepared).passages.map(one => [one.id, one]))
  return right({
    by: callerName(caller),
    at: new Date(nowMs).toISOString(),
    readsTopics: caller.view.mayReadRestricted,
    headingOf: name => snapshot.entities.byHeading.get(nameKey(name))?.[0]?.name ?? null,
    passageOf: ({ row }): Passage => {
      const committed = committedPassage(snapshot, row.locator)
      if (committed !== null) return committed
      const found = read.get(row.id)
      const log = row.locator?.document.slice('log/'.length) ?? ''
      // A text that changed since it was read was not looked at: the ruling is refused, and can be sent again.
      if (found === undefined || found.text !== snapshot.archive.get(log)?.text.blob)
        return { _tag: 'Gone', proposed: null }
      return found.stands ? { _tag: 'Stands' } : { _tag: 'Gone', proposed: found.proposed }
    },
  })
}

const setOf = (
  snapshot: Snapshot,
  all: ReadonlyArray<Either<RulingRefusal, Ruled>>,
  ids: ReadonlyArray<string>,
  by: string,
): ChangeSet<RulingsDone> => {
  const ruled = all.flatMap(one => (isLeft(one) ? [] : [one.right]))
  const written = ruled.filter(({ _tag }) => _tag !== 'Unchanged')
  const items = all.map((one, at) => resultOf(one, ids[at] ?? '', by))
  const [first] = written
  const subject =
    written.length === 1 && first !== undefined
      ? `samples: ${first._tag === 'Opinion' ? 'an opinion' : 'a ruling'} on ${first.sample.row.id}`
      : `samples: ${written.length} rulings`
  return changeSet(
    snapshot,
    ruledFiles(snapshot.samples, ruled),
    written.map(({ sample }) => sample.row.id),
    subject,
    items,
  )
}

const changeSet = (
  { samples }: Snapshot,
  files: ReadonlyArray<{ readonly path: RepoPath; readonly text: string }>,
  ids: ReadonlyArray<string>,
  subject: string,
  items: ReadonlyArray<RulingResult>,
): ChangeSet<RulingsDone> => {
  const count = (result: RulingResult['result']): number => items.filter(one => one.result === result).length
  const answer = {
    count: items.length,
    ruled: count('ruled'),
    opinions: count('opinion'),
    unchanged: count('unchanged'),
    refused: count('refused'),
    items,
  }
  return {
    tree: 'adnotacje',
    edits: files.map(({ path, text }) => ({
      _tag: 'Whole',
      path,
      before: samples.files.get(path)?.blob ?? null,
      after: text,
    })),
    claims: files.map(({ path }) => `file:adnotacje:${path}`),
    touches: ids.map(name => ({ kind: 'sample', name })),
    subject,
    answer,
    preview: answer,
  }
}

const resultOf = (ruled: Either<RulingRefusal, Ruled>, id: string, by: string): RulingResult => {
  if (isLeft(ruled)) {
    const { detail } = ruled.left
    const { ruledBy, proposed, candidates } = extrasOf(ruled.left)
    return {
      id,
      result: 'refused',
      refusal: {
        error: errorOf(ruled.left._tag),
        detail,
        ...(ruledBy === undefined ? {} : { ruledBy }),
        ...(proposed === undefined ? {} : { proposed }),
        ...(candidates === undefined ? {} : { candidates }),
      },
    }
  }
  const { _tag, sample } = ruled.right
  const judged = judgedBy(ruled.right, by)
  return {
    id,
    result: _tag === 'Ruled' ? 'ruled' : _tag === 'Opinion' ? 'opinion' : 'unchanged',
    grade: 'confirmed',
    ...judged,
    ruledBy: _tag === 'Ruled' ? by : rulerOf(sample.row),
  }
}

type Extras = Pick<NonNullable<RulingResult['refusal']>, 'ruledBy' | 'proposed' | 'candidates'>

const extrasOf = (refusal: RulingRefusal): Extras => {
  switch (refusal._tag) {
    case 'SampleRuled':
      return { ruledBy: refusal.ruledBy }
    case 'SampleStale':
      return { proposed: refusal.proposed }
    case 'ValueRefused':
      return { candidates: refusal.candidates }
    case 'SampleNotFound':
    case 'SampleUnruled':
    case 'StoreUnreadable':
      return {}
    default:
      return absurd(refusal)
  }
}

/** What the person holds now: what was written, or the standing ruling or opinion. */
const judgedBy = (ruled: Ruled, by: string): Judgement => {
  if (ruled._tag !== 'Unchanged') return ruled.judgement
  const { row } = ruled.sample
  return opinionsOf(row).find(one => one.by === by)?.judgement ?? standingJudgement(row)
}

/** A binding as a ruling on a row that exists: another label corrects it. */
const rulingOf = (
  { row }: Sample,
  { label }: AskedBinding,
  { referent, note, opinion }: BindingRuling,
): LabelledRuling => ({
  id: row.id,
  ...(label ===
  (typeof row.accepted_by?.['proposed_label'] === 'string' ? row.accepted_by['proposed_label'] : row.label)
    ? { outcome: 'affirm' as const }
    : { outcome: 'correct' as const, label }),
  referent: referent ?? undeclared,
  ...(note === undefined ? {} : { note }),
  ...(opinion === undefined ? {} : { opinion }),
})

/** A text on one line, without what does not show. */
const lineOf = (field: string, text: string): Either<RefusalOf<'ValueRefused'>, string> => {
  const value = valueText(text)
  const fault = hasHiddenCharacter(value) ? 'has an invisible character' : textFault(value)
  return fault === null
    ? right(value)
    : left(refuse('ValueRefused', `The value of ${field} ${fault}.`, { field, candidates: [] }))
}

/** A binding that nobody deposited: the ruling makes the row. */
const planBinding = (
  snapshot: Snapshot,
  { session, label }: AskedBinding,
  { surface, referent, note, opinion }: BindingRuling,
  { by, at, headingOf }: RulingGround,
): Either<RefusalOf<'ValueRefused' | 'SampleUnruled'>, ChangeSet<RulingsDone>> => {
  const id = sampleId(bindingProject, speakerClass, bindingKey(session.header, surface))
  if (opinion === true)
    return left(
      refuse(
        'SampleUnruled',
        `Nobody has ruled who speaks as "${surface}" there. Send it without \`opinion\`.`,
        {
          id,
        },
      ),
    )
  const name = lineOf('surface', surface)
  if (isLeft(name)) return name
  const said = note === undefined ? right(undefined) : lineOf('note', note)
  if (isLeft(said)) return said
  const heading = referent === undefined || referent === undeclared ? undeclared : headingOf(referent)
  if (heading === null)
    return left(
      refuse('ValueRefused', `No block of the index has the heading "${referent ?? ''}".`, {
        field: 'referent',
        candidates: [],
      }),
    )
  const row: SampleRow = {
    id,
    class: speakerClass,
    grade: 'confirmed',
    label,
    fields: { referent: heading, scope: session.header, surface: name.right },
    provenance: { project: bindingProject },
    verdict: 'affirmed',
    accepted_by: { kind: 'ruling', by, at, outcome: 'affirm', ...(note === undefined ? {} : { note }) },
  }
  const { path, text } = appendSample(snapshot.samples.files, row)
  const file = { path, text: `${snapshot.samples.files.get(path)?.text ?? ''}${text}` }
  const result: RulingResult = {
    id,
    result: 'ruled',
    grade: 'confirmed',
    verdict: 'affirmed',
    label,
    referent: heading,
    ruledBy: by,
  }
  return right(changeSet(snapshot, [file], [id], `samples: who speaks as ${name.right}`, [result]))
}
