import { type Either, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { RepoPath } from '#protocol/atoms.js'
import type { AwardBlock } from '#protocol/lore/award.js'
import type { AwardAnswer } from '#protocol/lore/points.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { ListedFiles, unlistSessions } from '#src/domain/adoption/registry.js'
import { parseJson } from '#src/domain/json/json-text.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  initialFigures,
  minus,
  plus,
  round2,
} from '#src/domain/lore/figures.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { type Award, type Batch, batchesPath } from '#src/domain/points/batches.js'
import { enactedLedgers, LedgerLine, nameOfLine, reversalRoute } from '#src/domain/points/enacted-rows.js'
import type { Candidate, LocateCandidate } from '#src/domain/points/month-sessions.js'
import { closeLedgerPath } from '#src/domain/sessions/effects/closed-sessions.js'
import { movesPath } from '#src/domain/sessions/effects/moves.js'
import { puGroundAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Command } from './command.js'
import { entityClaim, touchBlock } from './entities/entity-change.js'
import { type NewFigures, writeFigures } from './figures.js'

/** What the host makes ready to take back what a closed request enacted, in mode `mr`. No caller can send it. */
export const ReversalPrepared = t.type(
  { _tag: t.literal('Reversal'), iid: t.number, lines: t.readonlyArray(LedgerLine) },
  'ReversalPrepared',
)
export type ReversalPrepared = t.TypeOf<typeof ReversalPrepared>

/** The command that takes back enactments on behalf of the host. */
export const reversalCommand = (iid: number, lines: ReadonlyArray<LedgerLine>): Command => ({
  actor: { name: 'closed_request', gracz: null, kind: 'machine' },
  route: `${reversalRoute}${workflows.get(lines[0]?.path ?? batchesPath) ?? 'award-pu'}`,
  row: 'workflows.awardPu',
  asker: { _tag: 'Host' },
  grade: 'full',
  path: {},
  query: {},
  body: {},
  prepared: { _tag: 'Reversal', iid, lines },
  dryRun: false,
  wants: null,
})

/**
 * Plans the change that takes back enactments: their lines leave the ledgers, and the characters of a batch get back
 * the figures that it records as those before it. A distributed session leaves the files of the registry that it was
 * put into; a draft that it accepted stays accepted. Lines that are not there any more are left out, so the change is
 * made once. A character whose figures are no longer those after the batch stops all of it.
 */
export const planReversal = (
  snapshot: Snapshot,
  { iid, lines }: ReversalPrepared,
): Either<RefusalOf<'AwardBlocked'>, ChangeSet<AwardAnswer>> => {
  const batches = batchesOf(snapshot, lines)
  const restored = restoreFigures(batches, puGroundAt(snapshot).place)
  const written = writeFigures(snapshot, restored.figures)
  const blocked = [...restored.blocked, ...written.blocked]
  const month = batches[0]?.month ?? ''
  if (blocked.length > 0) return left(reversalBlocked(month, iid, blocked))
  const dropped = enactedLedgers.flatMap(path => dropLines(snapshot.files.get(path), lines))
  const unlisted = unlistSessions(snapshot.files, distributionsOf(snapshot, lines))
  const edits = dropped.length === 0 ? [] : [...dropped, ...unlisted]
  const names = lines.map(nameOfLine)
  return right({
    edits: edits.length === 0 ? [] : [...written.edits, ...edits],
    claims: [
      ...new Set([...enactedLedgers, ...edits.map(({ path }) => path)].map(path => `slot:${path}`)),
      ...written.entities.map(entityClaim),
    ],
    touches: [
      ...dropped.map(({ path }) => ({ kind: 'ledger' as const, name: path })),
      ...(unlisted.length === 0 ? [] : [{ kind: 'registry' as const, name: 'Lokacje' }]),
      ...written.entities.map(touchBlock),
    ],
    subject: `sync: take back ${names.join(', ')}; request ${iid} was closed`,
    answer: {
      Applied: edits.length > 0,
      Month: month,
      CountedSessions: [],
      SkippedAlreadyCounted: 0,
      Awards: batches.flatMap(({ awards }) => awards.map(reversedAward)),
      JobId: null,
    },
    preview: {},
  })
}

const workflows: ReadonlyMap<RepoPath, string> = new Map([
  [batchesPath, 'award-pu'],
  [movesPath, 'apply-transfers'],
  [closeLedgerPath, 'distribute-session'],
])

const reversalBlocked = (
  month: string,
  iid: number,
  blocked: ReadonlyArray<AwardBlock>,
): RefusalOf<'AwardBlocked'> =>
  refuse(
    'AwardBlocked',
    `Request ${iid} was closed, and the batch ${month} cannot be taken back: ` +
      blocked.map(({ Subject, Detail }) => `${Subject}: ${Detail}`).join(' '),
    { Month: month, Blocked: blocked, Unresolved: [] },
  )

/** The batches that the lines are, as the ledger counts them, in its order. */
const batchesOf = ({ files, batches }: Snapshot, lines: ReadonlyArray<LedgerLine>): ReadonlyArray<Batch> => {
  const texts = rawLines(files.get(batchesPath)?.text ?? '')
  const wanted = new Set(lines.filter(({ path }) => path === batchesPath).map(({ line }) => line))
  return batches.all.filter(batch => wanted.has(texts[(batches.lines.get(batch) ?? 0) - 1] ?? ''))
}

const Distribution = t.type({ op: t.literal('distribute'), header: t.string, listed: ListedFiles })

/** The distributions that the lines are, of those that the ledger has. */
const distributionsOf = (
  { files }: Snapshot,
  lines: ReadonlyArray<LedgerLine>,
): ReadonlyArray<t.TypeOf<typeof Distribution>> => {
  const present = new Set(rawLines(files.get(closeLedgerPath)?.text ?? ''))
  return lines.flatMap(({ path, line }) => {
    const row = path === closeLedgerPath && present.has(line) ? Distribution.decode(parseJson(line)) : null
    return row?._tag === 'Right' ? [row.right] : []
  })
}

/** The figures as the batches found them, taken back one after another, the newest first. */
const restoreFigures = (batches: ReadonlyArray<Batch>, place: LocateCandidate) => {
  const figures = new Map<Candidate, NewFigures>()
  const blocked: Array<AwardBlock> = []
  for (const { id, awards } of batches.toReversed())
    for (const award of awards) {
      const found = place(award.character)
      const candidate = found._tag === 'One' ? found.candidate : null
      const before =
        candidate === null ? null : figuresBefore(award, figures.get(candidate) ?? asFound(candidate))
      if (candidate === null || before === null) blocked.push(changedSince(award.character, id))
      else figures.set(candidate, before)
    }
  return { figures: [...figures.values()], blocked }
}

const asFound = ({ name, figures }: Candidate): NewFigures => {
  const { suma, zdobyte, nadmiar } = initialFigures(figures)
  return { character: name, sumaAfter: suma, zdobyteAfter: zdobyte, nadmiarAfter: nadmiar }
}

/** The figures before an award; null where those of now are not those after it. */
const figuresBefore = (award: Award, now: NewFigures): NewFigures | null => {
  const [before, after] = [numberOf(award.sumaBefore), numberOf(award.sumaAfter)]
  const [pool, poolAfter] = [numberOf(award.nadmiarBefore), numberOf(award.nadmiarAfter)]
  if (before === null || after === null || pool === null || poolAfter === null) return null
  if (compareDecimals(now.sumaAfter, after) !== 0) return null
  if (compareDecimals(round2(now.nadmiarAfter), round2(poolAfter)) !== 0) return null
  return {
    character: now.character,
    sumaAfter: before,
    zdobyteAfter: round2(plus(minus(now.zdobyteAfter, after), before)),
    nadmiarAfter: pool,
  }
}

const numberOf = (figure: number | null): Decimal | null => (figure === null ? null : decimalOf(figure))

const changedSince = (character: string, batch: string): AwardBlock => ({
  Kind: 'FiguresChanged',
  Subject: character,
  File: null,
  Line: null,
  Detail: `Its figures are not those after the batch ${batch}. Set them to those, or reopen the request.`,
})

const reversedAward = ({ character, granted, sumaBefore, sumaAfter }: Award) => ({
  Character: character,
  Granted: granted === null ? 0 : -granted,
  SumaBefore: sumaAfter ?? 0,
  SumaAfter: sumaBefore ?? 0,
})

/** Drops lines of a ledger; a ledger that would be empty goes. */
const dropLines = (
  file: SourceFile | undefined,
  lines: ReadonlyArray<LedgerLine>,
): ReadonlyArray<FileEdit> => {
  if (file === undefined) return []
  const wanted = new Set(lines.filter(({ path }) => path === file.path).map(({ line }) => line))
  const texts = rawLines(file.text)
  const splices = texts.flatMap((text, at) =>
    wanted.has(text) ? [{ from: at + 1, to: at + 1, lines: [] }] : [],
  )
  if (splices.length === 0) return []
  const { path, blob } = file
  return splices.length === texts.filter(text => text.trim() !== '').length
    ? [{ _tag: 'Whole', path, before: blob, after: null }]
    : [{ _tag: 'Lines', path, before: blob, splices }]
}
