import * as t from 'io-ts'
import { Directive, Instant } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { listOf } from '../list.js'
import {
  CursorText,
  DayText,
  DirectiveText,
  NameText,
  PageLimitText,
  PathText,
  windowQuery,
} from '../query.js'
import { ofHost, read, route, type Table } from '../route.js'

const text = t.union([t.string, t.null])

/**
 * The subject of a change. A change is reported as a `file` when the file is not read further, or when only
 * its form changed.
 */
export const ChangedKind = t.keyof(
  { entity: null, person: null, character: null, session: null, ledger: null, setting: null, file: null },
  'ChangedKind',
)
export type ChangedKind = t.TypeOf<typeof ChangedKind>

export const ChangeOp = t.keyof({ added: null, changed: null, removed: null, renamed: null }, 'ChangeOp')
export type ChangeOp = t.TypeOf<typeof ChangeOp>

/**
 * Why `before` and `after` are withheld: a credential, a restricted topic, the text of a session, or a file
 * that is too large or no text.
 */
export const Withheld = t.keyof({ secret: null, restricted: null, session: null, unread: null }, 'Withheld')
export type Withheld = t.TypeOf<typeof Withheld>

/** One change of one field (B 4.5). `field` is null when the whole item was added, removed or renamed. */
export const Difference = t.type(
  {
    kind: ChangedKind,
    name: text,
    field: text,
    op: ChangeOp,
    /** At most 2,000 characters each, without credentials. */
    before: text,
    after: text,
    withheld: t.union([Withheld, t.null]),
  },
  'Difference',
)
export type Difference = Readonly<t.TypeOf<typeof Difference>>

/**
 * A change with its author, time and commit (FORMATS 8). `at` is the commit date, which `from` and `to`
 * filter. `actor`, `route` and `intent` are trailers of the commit, null when it has none. They can be
 * trusted only when `verified` is true: this host made the commit, or a published fleet key signed it.
 */
export const FieldChange = t.intersection(
  [
    t.type({
      commit: t.string,
      at: Instant,
      authoredAt: Instant,
      who: t.string,
      actor: text,
      route: text,
      intent: text,
      verified: t.boolean,
      subject: t.string,
      file: t.string,
    }),
    Difference,
  ],
  'FieldChange',
)
export type FieldChange = Readonly<t.TypeOf<typeof FieldChange>>

/**
 * A page of changes, newest commit first. `next` is the `cursor` of the next page; null after the last one. A
 * page may be empty and still have a next one, because one page searches a limited number of commits.
 * `commits` is the number searched.
 */
export const ChangePage = t.type(
  { count: t.number, items: t.readonlyArray(FieldChange), commits: t.number, next: text },
  'ChangePage',
)
export type ChangePage = t.TypeOf<typeof ChangePage>

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

const NotificationList = listOf(Notification, 'NotificationList')

/**
 * Whether a Transfer counts. `pending`: its session is open, or a side has no purse yet. `refused`: it never
 * counts as it stands.
 */
export const TransferState = t.keyof({ applied: null, pending: null, refused: null }, 'TransferState')
export type TransferState = t.TypeOf<typeof TransferState>

/** Whether a Transfer pays the entity of the filter or is paid by it. */
export const TransferDirection = t.keyof({ in: null, out: null }, 'TransferDirection')

/** A move of money that no session states, such as what a treasury pays out. */
const MoneyMove = t.type({ id: t.string, at: Instant, by: t.string, reason: t.string }, 'MoneyMove')

/**
 * One Transfer of the ledger (FORMATS 8). `header`, `title` and `narrator` are null for a move, and `move` is null
 * for a Transfer of a session.
 */
export const MoneyTransfer = t.type(
  {
    date: t.string,
    header: text,
    title: text,
    narrator: text,
    move: t.union([MoneyMove, t.null]),
    amount: t.number,
    denomination: t.string,
    kogi: t.union([t.number, t.null]),
    source: t.string,
    destination: t.string,
    state: TransferState,
    why: text,
    direction: t.union([TransferDirection, t.null]),
    balance: t.union([t.number, t.null]),
  },
  'MoneyTransfer',
)
export type MoneyTransfer = t.TypeOf<typeof MoneyTransfer>

const MoneyAmount = t.type({ denomination: t.string, amount: t.number, kogi: t.number }, 'MoneyAmount')

/** What the purses of one entity held in a denomination before the first listed Transfer and after the last. */
const MoneyBalance = t.type({ denomination: t.string, opening: t.number, closing: t.number }, 'MoneyBalance')
export type MoneyBalance = t.TypeOf<typeof MoneyBalance>

/** What an entity owns today, over all its purses. */
const MoneyWealth = t.type(
  {
    kogi: t.number,
    amounts: t.readonlyArray(MoneyAmount),
    counted: t.readonlyArray(t.type({ denomination: t.string, amount: t.number }, 'MoneyPart')),
  },
  'MoneyWealth',
)

/** Transfers, oldest first, with the supply of money and, with a filter by entity, what it owns. */
export const MoneyLedger = t.intersection(
  [
    listOf(MoneyTransfer, 'MoneyTransferList'),
    t.type({
      supply: t.union([t.readonlyArray(MoneyAmount), t.null]),
      balances: t.readonlyArray(MoneyBalance),
      wealth: t.union([MoneyWealth, t.null]),
    }),
  ],
  'MoneyLedger',
)
export type MoneyLedger = t.TypeOf<typeof MoneyLedger>

export const auditRoutes = {
  'audit.ledger.list': {
    ...read({
      path: '/audit/ledger',
      summary: 'Transfers of money, oldest first, with their state; of one entity with its balances.',
      capability: 'currency.read',
      query: { entity: NameText, denomination: NameText, from: DayText, to: DayText, ...windowQuery },
      answers: { 200: MoneyLedger },
      refusals: ['Forbidden', 'EntityNotFound'],
      source: 'B 4.5, FORMATS 7, FORMATS 8',
      example: {
        query: {
          entity: 'Wit Kłos',
          denomination: 'talarów',
          from: '2026-01-01',
          to: '2026-12-31',
          limit: '5',
          offset: '0',
        },
      },
    }),
    own: true,
  },
  'audit.notifications.list': read({
    path: '/audit/notifications',
    summary: 'Notices that sessions announce, and their recipients; not whether they were delivered.',
    capability: 'log.read',
    query: { target: NameText, directive: DirectiveText, from: DayText, to: DayText, ...windowQuery },
    answers: { 200: NotificationList },
    refusals: [],
    source: 'B 4.5, FORMATS 4.6, FORMATS 8',
    example: {
      query: {
        target: 'Wit Kłos',
        directive: 'Grupa',
        from: '2026-01-01',
        to: '2026-12-31',
        limit: '5',
        offset: '0',
      },
    },
  }),
  'audit.changes.list': route({
    ...ofHost,
    method: 'GET',
    path: '/audit/changes',
    summary: 'Changes of the lore field by field, newest commit first; at most 500, 100 unless told.',
    capability: 'log.read',
    query: {
      name: NameText,
      field: NameText,
      file: PathText,
      from: DayText,
      to: DayText,
      cursor: CursorText,
      limit: PageLimitText,
    },
    body: null,
    answers: { 200: ChangePage },
    refusals: ['NoRepository', 'ParameterInvalid', 'Overloaded'],
    source: 'B 4.5, FORMATS 8',
    example: {
      query: {
        name: 'Kupiec Bogdan',
        field: '@status',
        file: 'encje/indeks.md',
        from: '2026-01-01',
        to: '2026-12-31',
        limit: '5',
        cursor: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.0.0.0',
      },
    },
  }),
} as const satisfies Table

export const auditDescriptions: Descriptions = {
  ChangePage: {
    items: 'Changes, newest commit first.',
    commits: 'Number of commits that were looked at for this page.',
    next: '`cursor` of the next page; null after the last one.',
  },
  FieldChange: {
    commit: 'Id of the commit.',
    at: 'Commit date, ISO 8601 in UTC.',
    authoredAt: 'Author date, ISO 8601 in UTC.',
    who: 'Author of the commit.',
    actor: 'Caller of the write, from the commit message; null when it has none.',
    route: 'Row that made the write, from the commit message; null when it has none.',
    intent: 'Id of the write, from the commit message; null when it has none.',
    verified: 'True when this host made the commit, or a published fleet key signed it.',
    subject: 'First line of the commit message.',
    file: 'Path of the changed file.',
    kind: 'What the change is of; `file` where its content is not read.',
    name: 'Name of what changed; null when it has none.',
    field: 'Field that changed, such as a tag; null when the whole was added, removed or renamed.',
    op: 'What the commit did.',
    before: 'Value before, at most 2,000 characters; null when there was none or it is withheld.',
    after: 'Value after, at most 2,000 characters; null when there is none or it is withheld.',
    withheld: 'Why `before` and `after` are not told; null when they are.',
  },
  MoneyTransfer: {
    date: 'Day on which the Transfer counts, `YYYY-MM-DD`: that of its session, or of the move.',
    header: 'Heading of the session; null for a move.',
    title: 'Title of the session; null for a move.',
    narrator: 'Narrators joined by ` + `, or the field as written; null without one and for a move.',
    move: 'The move that states the Transfer; null for a Transfer of a session.',
    amount: 'Number of pieces.',
    denomination: 'Denomination by its full name; as written where the text is none.',
    kogi: 'What the pieces are worth in Kogi; null where the text is no denomination.',
    source: 'Heading of who pays; as written where no block has the name.',
    destination: 'Heading of who is paid; as written where no block has the name.',
    state: 'Whether the Transfer counts.',
    why: 'Why it does not count, in Polish; null for an applied one.',
    direction: 'Whether the entity of the filter is paid or pays; null without `?entity=`.',
    balance:
      'What the entity of the filter has in this denomination afterwards; null where it does not count.',
  },
  MoneyMove: {
    id: 'Id of the move.',
    at: 'When it was made, ISO 8601 in UTC.',
    by: 'Who made it.',
    reason: 'Why it was made.',
  },
  MoneyAmount: {
    denomination: 'Full name of the denomination.',
    amount: 'Number of pieces.',
    kogi: 'What they are worth in Kogi.',
  },
  MoneyPart: { denomination: 'Full name of the denomination.', amount: 'Number of pieces.' },
  MoneyBalance: {
    denomination: 'Full name of the denomination.',
    opening: 'Number of pieces before the first Transfer of the filter.',
    closing: 'Number of pieces after the last one.',
  },
  MoneyWealth: {
    kogi: 'What all purses are worth in Kogi.',
    amounts: 'Sum of the purses of each denomination.',
    counted: 'The same worth in the fewest pieces.',
  },
  MoneyLedger: {
    supply: 'Money of all purses that are not deleted, today; null for a caller who sees only their own.',
    balances: 'What the entity of the filter has, by denomination; empty without one entity.',
    wealth: 'What the entity of the filter owns today; null without one entity.',
  },
  Notification: {
    date: 'Day of the session, `YYYY-MM-DD`.',
    dateEnd: 'Last day of a session of several days; null for one day.',
    header: 'Heading of the session: `date, title, narrator`.',
    title: 'Title of the session.',
    narrator: 'Narrators joined by ` + `, or the field as written; null without one.',
    directive: 'Whether a group, a place with all below it, or names are addressed.',
    target: 'Addressee, as written.',
    message: 'Text of the message, credentials cut out; null without the right to read sessions.',
    count: 'Number of all recipients.',
    recipients: 'Names of the recipients on the day of the session, at most 200.',
    closed: 'True when the close ledger has the session.',
  },
}
