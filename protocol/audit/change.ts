import * as t from 'io-ts'
import { Instant } from '../atoms/instant.js'

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
