import * as t from 'io-ts'
import { listOf } from '#protocol/list.js'
import { Directive } from './directive.js'

const text = t.union([t.string, t.null])

/**
 * One Intel entry of a session (FORMATS 4.6, 8): the message to deliver when the session is closed, and its
 * recipients. `recipients` are names on the day of the session, at most 200, while `count` covers all; empty
 * when the target is unknown. `closed` is true when the close ledger has the session. Whether a message
 * arrived is in the delivery log, not here.
 */
export const Notification = t.type(
  {
    date: t.string,
    dateEnd: text,
    header: t.string,
    title: t.string,
    /** Resolved narrators joined by ` + `, else the field as written. */
    narrator: text,
    directive: Directive,
    target: t.string,
    /** Null for a caller without `session.read`. Without credentials. */
    message: text,
    count: t.number,
    recipients: t.readonlyArray(t.string),
    closed: t.boolean,
  },
  'Notification',
)
export type Notification = t.TypeOf<typeof Notification>

export const NotificationList = listOf(Notification, 'NotificationList')
