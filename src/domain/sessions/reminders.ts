import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Instant, type NameKey, nameKey, requirePath } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { parseJson } from '#src/domain/json/json-text.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { civilDay } from '#src/domain/lore/rows/days.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { foldNarrator, type NarratorLore } from './reading/narrators.js'
import type { CloseLedger, Session, Sessions } from './session.js'

export const remindersPath = requirePath('.svc/close/reminders.jsonl')

/** One line of `.svc/close/reminders.jsonl`: a narrator was reminded of the sessions that were open. */
export const Reminder = t.type(
  { id: t.string, at: Instant, by: t.string, narrator: t.string, sessions: t.readonlyArray(t.string) },
  'Reminder',
)
export type Reminder = t.TypeOf<typeof Reminder>

/** What the record says: when each narrator was reminded last. */
export interface Reminders {
  readonly lastMs: ReadonlyMap<NameKey, number>
  readonly findings: ReadonlyArray<Finding>
}

/** Reads `.svc/close/reminders.jsonl`; empty for null. A line that is no row is a finding and is skipped. */
export const readReminders = (file: SourceFile | null): Reminders =>
  file === null ? noReminders : remindersIn(file)

/** The open sessions of a narrator, oldest first; `remindedMs`: the reminder that still counts, null if none does. */
export interface Reminded {
  readonly narrator: string
  readonly sessions: ReadonlyArray<Session>
  readonly remindedMs: number | null
}

/**
 * The narrators with open sessions that are to be closed: the last day of a session ended at least
 * `close_reminder.first_reminder_delay_hours` ago. Only a narrator who may close it is reminded, so a near name is
 * left out (D50). `remindedMs` is set within `close_reminder.cooldown_hours` of the last reminder.
 */
export const narratorsToRemind = (
  lore: RemindedLore,
  reminders: Reminders,
  nowMs: number,
): ReadonlyArray<Reminded> => {
  const { sessions, closeLedger, config } = lore
  const delayMs = config['integrations.chat.close_reminder.first_reminder_delay_hours'] * hourMs
  const cooldownMs = config['integrations.chat.close_reminder.cooldown_hours'] * hourMs
  const lastDay = civilDay(nowMs - delayMs, config['server.time_zone'])
  const open = new Map<string, Array<Session>>()
  for (const session of sessions.all) {
    if ((session.dateEnd ?? session.date) >= lastDay || closeLedger.closed.has(ledgerKeyOf(session))) continue
    for (const name of narratorsOf(lore, session)) open.set(name, [...(open.get(name) ?? []), session])
  }
  return [...open].map(([narrator, own]) => {
    const lastMs = reminders.lastMs.get(nameKey(narrator))
    // A time far ahead is of a clock that was set back since.
    const isRecent = lastMs !== undefined && Math.abs(nowMs - lastMs) < cooldownMs
    return { narrator, sessions: own, remindedMs: isRecent ? lastMs : null }
  })
}

interface RemindedLore extends Pick<NarratorLore, 'names'> {
  readonly sessions: Sessions
  readonly closeLedger: Pick<CloseLedger, 'closed'>
  readonly config: Config
}

const hourMs = 3_600_000

const noReminders: Reminders = { lastMs: new Map(), findings: [] }

const remindersIn = perValue((file: SourceFile): Reminders => {
  const lastMs = new Map<NameKey, number>()
  const bad: Array<number> = []
  for (const [at, text] of rawLines(file.text).entries()) {
    if (text.trim() === '') continue
    const read = Reminder.decode(parseJson(text))
    if (isLeft(read)) {
      bad.push(at + 1)
      continue
    }
    const key = nameKey(read.right.narrator)
    lastMs.set(key, Math.max(lastMs.get(key) ?? 0, Date.parse(read.right.at)))
  }
  return { lastMs, findings: firstFindings(bad, unreadable) }
})

const unreadable = (line: number): Finding => ({
  kind: 'ReminderUnreadable',
  severity: 'warning',
  file: remindersPath,
  line,
  subject: null,
  reason: 'Wiersz nie jest wpisem o przypomnieniu i został pominięty.',
  suggestion: 'Przywróć wiersz z commita, który go zapisał.',
})

/** The persons who narrate a session, by written names or the Postacie that they own. */
const narratorsOf = (lore: RemindedLore, { narrators, date }: Session): ReadonlySet<string> =>
  new Set(
    narrators.flatMap(name => {
      const folded = foldNarrator(lore, name, date)
      return folded._tag === 'Person' && folded.sure ? [folded.name] : []
    }),
  )
