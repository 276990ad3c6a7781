import * as t from 'io-ts'
import type { Descriptions } from '../description.js'

/**
 * What the batch of a month answers about entries that stop it. The refusal `AwardBlocked` and the dry run have the
 * same records.
 */

const TextOrNull = t.union([t.string, t.null])
const NumberOrNull = t.union([t.number, t.null])
const Texts = t.readonlyArray(t.string)

/** Where the lore has an entry; null where it stands in no file that this host reads. */
const place = { File: TextOrNull, Line: NumberOrNull }

/** An entry that stops the batch of a month although its name is known. */
export const AwardBlock = t.type(
  {
    Kind: t.keyof({
      AmbiguousHeader: null,
      DeletedCharacter: null,
      DifferingCopies: null,
      SeveralValues: null,
      MalformedValue: null,
      FiguresNotWritable: null,
      FiguresChanged: null,
      LedgerUnreadable: null,
    }),
    Subject: t.string,
    ...place,
    Detail: t.string,
  },
  'AwardBlock',
)
export type AwardBlock = t.TypeOf<typeof AwardBlock>

/** A name of a PU line that means no Postać, or several. */
export const AwardUnresolved = t.type(
  { Character: t.string, Sessions: Texts, Suggestions: Texts, ...place },
  'AwardUnresolved',
)
export type AwardUnresolved = t.TypeOf<typeof AwardUnresolved>

const placeWords = {
  File: 'File that has the entry; null where none does.',
  Line: 'Line of the entry in the file, from 1; null without a file.',
} as const

export const awardDescriptions: Descriptions = {
  AwardBlock: {
    Kind: 'Why the entry stops the month; the page on points lists the reasons.',
    Subject: 'Character that the entry is about; a session heading or the ledger where it is about none.',
    ...placeWords,
    Detail: 'What is wrong and how to mend it.',
  },
  AwardUnresolved: {
    Character: 'Name as the PU line has it.',
    Sessions: 'Headings of the sessions that have the name.',
    Suggestions: 'Headings that may be meant: all that the name means, or the nearest ones.',
    ...placeWords,
  },
}
