import { createHash } from 'node:crypto'
import { type Either, isRight, left, right } from 'fp-ts/lib/Either.js'
import { instantOf, nameKey } from '#protocol/atoms.js'
import type { CloseReminder, CloseReminderPreview, reminderRoutes } from '#protocol/enactments/reminder.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { callerName } from '#src/domain/callers/caller.js'
import { escapeChatText, packTexts } from '#src/domain/chat/attempts.js'
import type { ChangeSet, Notice } from '#src/domain/lore/changes.js'
import { appendLines } from '#src/domain/lore/layout.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import { personNamed } from '#src/domain/people/roster.js'
import {
  narratorsToRemind,
  type Reminded,
  type Reminder,
  readReminders,
  remindersPath,
} from '#src/domain/sessions/reminders.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Planners } from '../command.js'
import { addressOfPlayer } from '../notices.js'

/** Planners of reminders (B 4.2). */
export const reminderPlanners: Planners<typeof reminderRoutes> = {
  'workflows.closeReminder': (snapshot, { body, caller, nowMs }) =>
    planReminder(snapshot, { narrator: body.narrator ?? null, by: callerName(caller), nowMs }),
}

/** The narrators with open sessions now, those that are in their cooldown or have no channel apart. */
export const remindersAt = (
  snapshot: Snapshot,
  nowMs: number,
): { readonly due: ReadonlyArray<Addressed>; readonly skipped: ReadonlyArray<Addressed> } => {
  const reminders = readReminders(snapshot.files.get(remindersPath) ?? null)
  const all = narratorsToRemind(snapshot, reminders, nowMs).map(one => ({
    ...one,
    to: addressOfPlayer(snapshot, one.narrator),
  }))
  const isDue = ({ remindedMs, to }: Addressed): boolean => remindedMs === null && isRight(to)
  return { due: all.filter(isDue), skipped: all.filter(one => !isDue(one)) }
}

interface Addressed extends Reminded {
  readonly to: Notice['to']
}

interface ReminderRequest {
  /** Null: everybody. */
  readonly narrator: string | null
  readonly by: string
  readonly nowMs: number
}

/**
 * Reminds narrators of all their open sessions as one change: a row of the record for each, which keeps the cooldown
 * through restarts and takeovers, and a message. Without a narrator who is due, nothing changes.
 */
const planReminder = (
  snapshot: Snapshot,
  { narrator, by, nowMs }: ReminderRequest,
): Either<RefusalOf<'PersonNotFound'>, ChangeSet<CloseReminder>> => {
  const only = narrator === null ? null : personNamed(snapshot.people, narrator)
  if (narrator !== null && only === null)
    return left(
      refuse('PersonNotFound', `No Gracz has the heading or alias "${narrator}".`, {
        nearest: nearestBlocks(snapshot.entities, narrator, 'Gracz'),
      }),
    )
  const { due, skipped } = remindersAt(snapshot, nowMs)
  const isMeant = (one: Addressed): boolean => only === null || nameKey(one.narrator) === only.key
  const meant = due.filter(isMeant)
  const rows = meant.map(one => rowOf(one, by, instantOf(nowMs)))
  const shown = {
    Reminded: meant.map(describe),
    Skipped: skipped.filter(isMeant).map(one => ({
      ...describe(one),
      Why: one.remindedMs === null ? ('NoChannel' as const) : ('Cooldown' as const),
      RemindedAt: one.remindedMs === null ? null : instantOf(one.remindedMs),
    })),
  }
  const preview: Omit<CloseReminderPreview, 'diff'> = { Applied: false, ...shown }
  const file = snapshot.files.get(remindersPath) ?? null
  const lines = rows.map(row => JSON.stringify(row))
  return right({
    edits: lines.length === 0 ? [] : [appendLines(file, remindersPath, lines)],
    claims: [`slot:${remindersPath}`],
    touches: [{ kind: 'ledger', name: remindersPath }],
    notices: meant.flatMap((one, at) => noticesOf(one, rows[at]?.id ?? '')),
    subject: `sessions: reminded ${meant.length} narrators of open sessions`,
    answer: { Applied: meant.length > 0, ...shown },
    preview,
  })
}

const headersOf = ({ sessions }: Reminded): ReadonlyArray<string> => sessions.map(({ header }) => header)

const describe = (one: Reminded) => ({ Narrator: one.narrator, Sessions: headersOf(one) })

/** The id follows from what the row says, so that a row merged twice is one. */
const rowOf = (one: Reminded, by: string, at: Reminder['at']): Reminder => {
  const { narrator } = one
  const sessions = headersOf(one)
  const hash = createHash('sha256')
    .update(JSON.stringify([narrator, at, sessions]))
    .digest('hex')
  return { id: hash.slice(0, 12), at, by, narrator, sessions }
}

const noticesOf = (one: Addressed, id: string): ReadonlyArray<Notice> => {
  const { narrator, to, sessions } = one
  const head =
    sessions.length === 1
      ? `${escapeChatText(narrator)}, ta sesja czeka na zamknięcie:`
      : `${escapeChatText(narrator)}, te sesje czekają na zamknięcie:`
  const list = headersOf(one).map(header => `• ${escapeChatText(header)}`)
  const foot = 'Zmiany, transfery i Intel sesji działają dopiero po jej zamknięciu.'
  return packTexts([head, ...list, foot], '\n').map((text, part) => ({
    operation: 'close-reminder',
    key: JSON.stringify([id, part + 1]),
    entity: narrator,
    to,
    text,
  }))
}
