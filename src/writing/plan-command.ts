import { type Either, isLeft, left, map, mapLeft, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { InteractionId } from '#protocol/chat/dispatch.js'
import { type Refusal } from '#protocol/refusal.js'
import type { Table } from '#protocol/route.js'
import type { routes } from '#protocol/routes.js'
import { type Caller, callerName } from '#src/domain/callers/caller.js'
import { describeForPlayer } from '#src/domain/dispatch/descriptions.js'
import { accountRefused, speakFor } from '#src/domain/identity/player-refusals.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import { pathFits } from '#src/domain/lore/layout.js'
import { hidePlanNames } from './answers/hide-names.js'
import { hideQuotes, showReferences } from './answers/quoted-lore.js'
import {
  type Admit,
  type AnyPlanners,
  type PlanCommand,
  type Planners,
  TreeWrite,
  type WriteActor,
} from './command.js'
import { entityPlanners, namePlanners } from './entities/entity-writes.js'
import { finalizePlanners } from './finalize-close.js'
import { governancePlanners } from './governance.js'
import { identityPlanners } from './identity/links.js'
import { logPlanners } from './logs.js'
import { MachineLines, planMachineLines } from './machine-lines.js'
import { mapPlanners } from './map-dimensions.js'
import { characterPlanners } from './people/characters.js'
import { ownLoreAt, seesNames, withinOwnBounds } from './people/own-lore.js'
import { placePlanners } from './places.js'
import { pointsPlanners } from './points.js'
import { labelledPlanners } from './samples.js'
import { moneyPlanners } from './sessions/apply-transfers.js'
import { byChatPlanners } from './sessions/by-chat.js'
import { closingPlanners } from './sessions/close.js'
import { sessionPlanners } from './sessions/patch.js'
import { reminderPlanners } from './sessions/reminder.js'
import { tuningPlanners } from './tuning.js'

/**
 * Plans commands by the table of planners. Checks the right of the asker first, each time, because it may
 * have ended while the command waited (S30, ADR 1018). Applies the limits on what one player may have (D64),
 * removes from a refusal lore that the caller may not read, and suggested names for a caller who may read no
 * block. A write by chat is planned as one of the linked person, whose account the asker must be allowed to name
 * (docs/spec/chat-workflows.md#person). Files and lines that a duty of the host writes need no planner. Throws for a
 * row that has none.
 */
export const planCommandBy =
  ({
    table,
    planners,
    admit,
  }: {
    readonly table: Table
    readonly planners: AnyPlanners
    readonly admit: Admit
  }): PlanCommand =>
  (command, snapshot, nowMs) => {
    const { row: id, path, query, body, prepared, actor, dryRun } = command
    if (command.asker._tag === 'Host' && TreeWrite.is(prepared)) return planTreeWrite(prepared)
    if (command.asker._tag === 'Host' && MachineLines.is(prepared))
      return planMachineLines(snapshot, prepared)
    const [row, plan] = [table[id], planners[id]]
    if (row === undefined || plan === undefined) throw new Error(`the row ${id} plans no write`)
    const planAs = (caller: Caller, by: WriteActor): Either<Refusal, ChangeSet<unknown>> => {
      const asked = { path, query, body, prepared, actor: by, dryRun, caller, nowMs }
      const planned = mapLeft((refusal: Refusal) => hideQuotes(refusal, snapshot, caller))(
        plan(snapshot, asked),
      )
      const named = seesNames(caller) ? planned : hidePlanNames(planned)
      const set = showReferences(named, snapshot, caller)
      const own = isLeft(set) ? null : ownLoreAt(snapshot, row, caller)
      return isLeft(set) || own === null ? set : withinOwnBounds(snapshot, own, set.right)
    }
    const admitted = admit(command, snapshot, nowMs)
    if (isLeft(admitted)) return admitted
    if (row.byChat !== 'person') return planAs(admitted.right, actor)
    const { chatId, interactionId } = personOf(body)
    const refused = accountRefused(snapshot, admitted.right, chatId)
    if (refused !== null) return left(refused)
    const person = speakFor(snapshot, chatId, row)
    if (isLeft(person)) return person
    const name = callerName(person.right)
    return pipe(
      planAs(person.right, { ...actor, name, gracz: name }),
      mapLeft(refusal => ({ ...refusal, detail: describeForPlayer(refusal) })),
      map(set => ({
        ...set,
        person: name,
        ...(interactionId === undefined ? {} : { interaction: interactionId }),
      })),
    )
  }

/** One planner for every planned row; a missing or an extra one does not compile. */
export const planners: Planners<typeof routes> = {
  ...byChatPlanners,
  ...identityPlanners,
  ...governancePlanners,
  ...characterPlanners,
  ...placePlanners,
  ...mapPlanners,
  ...logPlanners,
  ...labelledPlanners,
  ...entityPlanners,
  ...namePlanners,
  ...sessionPlanners,
  ...closingPlanners,
  ...finalizePlanners,
  ...moneyPlanners,
  ...reminderPlanners,
  ...pointsPlanners,
  ...tuningPlanners,
}

/** What every body of a write by chat has. */
const ByChat = t.intersection([t.type({ chatId: t.string }), t.partial({ interactionId: InteractionId })])

/** Throws where a body of a row by chat has no account, which is a bug in its codec. */
const personOf = (body: unknown): t.TypeOf<typeof ByChat> => {
  if (!ByChat.is(body)) throw new Error('the body of a row by chat has no chatId')
  return body
}

/** Plans such a write. The gate compares the files with the tree. */
const planTreeWrite = ({ tree, subject, files }: TreeWrite): Either<never, ChangeSet<object>> => {
  const unfit = files.find(({ path }) => !pathFits(path))
  if (unfit !== undefined) throw new Error(`no checkout can hold ${unfit.path}`)
  return right({
    tree,
    edits: files.map(({ path, before, after }): FileEdit => ({ _tag: 'Whole', path, before, after })),
    claims: files.map(({ path }) => `file:${tree}:${path}`),
    touches: [],
    subject,
    answer: {},
    preview: {},
  })
}
