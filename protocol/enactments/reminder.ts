import * as t from 'io-ts'
import { Instant } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { gateAnswerWithinMs } from '../host/admin.js'
import { type Table, write } from '../route.js'

const Texts = t.readonlyArray(t.string)

const RemindedNarrator = t.type({ Narrator: t.string, Sessions: Texts }, 'RemindedNarrator')

const SkippedNarrator = t.type(
  {
    Narrator: t.string,
    Sessions: Texts,
    Why: t.keyof({ Cooldown: null, NoChannel: null }),
    RemindedAt: t.union([Instant, t.null]),
  },
  'SkippedNarrator',
)

const reminder = {
  Reminded: t.readonlyArray(RemindedNarrator),
  Skipped: t.readonlyArray(SkippedNarrator),
} as const

export const CloseReminder = t.type({ Applied: t.boolean, ...reminder }, 'CloseReminder')
export type CloseReminder = t.TypeOf<typeof CloseReminder>

const CloseReminderPreview = previewOf({ Applied: t.literal(false), ...reminder }, 'CloseReminderPreview')
export type CloseReminderPreview = t.TypeOf<typeof CloseReminderPreview>

const CloseReminderBody = t.partial({ narrator: t.string }, 'CloseReminderBody')

/** Reminders of open sessions (B 4.2). */
export const reminderRoutes = {
  'workflows.closeReminder': write({
    enacts: true,
    method: 'POST',
    own: false,
    query: {},
    answerWithinMs: gateAnswerWithinMs,
    path: '/workflows/close-reminder',
    summary:
      'Reminds narrators of their open sessions: one message each, not again before the cooldown ends.',
    capability: 'chat.send',
    body: CloseReminderBody,
    answers: { 200: t.union([CloseReminderPreview, CloseReminder], 'CloseReminders') },
    refusals: ['PersonNotFound', 'chat_disabled'],
    source: 'B 4.2',
    example: { body: { narrator: 'Brzoza' } },
  }),
} as const satisfies Table

const reminderText = {
  Reminded: 'Narrators who get a message, with all their open sessions.',
  Skipped: 'Narrators with open sessions who get none.',
} as const

export const reminderDescriptions: Descriptions = {
  RemindedNarrator: {
    Narrator: 'Heading of the Gracz.',
    Sessions: 'Headings of the open sessions, oldest first.',
  },
  SkippedNarrator: {
    Narrator: 'Heading of the Gracz.',
    Sessions: 'Headings of the open sessions, oldest first.',
    Why: '`Cooldown`: reminded a short while ago. `NoChannel`: the `@chat` is missing, unreadable or `BRAK`.',
    RemindedAt: 'When the narrator was reminded, ISO 8601 in UTC; null where no cooldown runs.',
  },
  CloseReminder: { Applied: 'Whether somebody is reminded.', ...reminderText },
  CloseReminderPreview: { Applied: 'Always false: nothing was written.', ...reminderText },
  CloseReminderBody: { narrator: 'Heading or alias of the only Gracz to remind; absent for everybody.' },
}
