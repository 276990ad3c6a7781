import * as t from 'io-ts'
import type { Descriptions } from '../description.js'

/** Why an entry cannot take effect: the kind of its finding. */
export const CloseBlockKind = t.keyof({
  AmbiguousChange: null,
  AmbiguousHeader: null,
  AmbiguousIntel: null,
  AmbiguousPoints: null,
  AmbiguousTransfer: null,
  DeletedCharacter: null,
  DifferingCopies: null,
  DraftNotPlaced: null,
  LedgerUnreadable: null,
  MalformedChange: null,
  MalformedIntel: null,
  MalformedPoints: null,
  MalformedTransfer: null,
  RefusedChange: null,
  RefusedTransfer: null,
  SeveralValues: null,
  UnresolvedChange: null,
  UnresolvedIntel: null,
  UnresolvedPoints: null,
  UnresolvedTransfer: null,
})

/**
 * An entry of a session, or of a list of transfers, that cannot take effect. The refusals `CloseBlocked` and
 * `TransfersBlocked` and the plan of a close have the same records.
 */
export const CloseBlock = t.type(
  {
    Kind: CloseBlockKind,
    Subject: t.string,
    File: t.union([t.string, t.null]),
    Line: t.union([t.number, t.null]),
    Detail: t.string,
  },
  'CloseBlock',
)
export type CloseBlock = t.TypeOf<typeof CloseBlock>

export const closeBlockDescriptions: Descriptions = {
  CloseBlock: {
    Kind: 'Why the entry cannot take effect; the page on closing lists the reasons.',
    Subject: 'Heading of the session that has the entry, its place in the request, or the ledger.',
    File: 'File that has the entry; null where none does.',
    Line: 'Line of the entry in the file, from 1; null without a file.',
    Detail: 'What is wrong and how to mend it, in Polish.',
  },
}
