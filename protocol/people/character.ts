import * as t from 'io-ts'
import { Status } from '#protocol/atoms/vocabulary.js'
import { listOf } from '#protocol/list.js'

const TextOrNull = t.union([t.string, t.null])
const NumberOrNull = t.union([t.number, t.null])
const Texts = t.readonlyArray(t.string)

const ReputationTier = t.readonlyArray(t.type({ Location: t.string, Detail: TextOrNull }, 'ReputationEntry'))

/**
 * A Postać on a day (A 2.3): its character file, overlaid with its block and with closed sessions (FORMATS
 * 3). PU have two decimals; ZDOBYTE and SUMA are derived when STARTOWE and the other one are known (FORMATS
 * 2.2). `RestrictedTopics` is absent for a caller without `player.restricted.read`.
 */
export const Postac = t.intersection(
  [
    t.type({
      Name: t.string,
      Type: t.literal('Postać'),
      Status,
      Owner: TextOrNull,
      Groups: Texts,
      Location: TextOrNull,
      Aliases: Texts,
      PuStartowe: NumberOrNull,
      PuSuma: NumberOrNull,
      PuZdobyte: NumberOrNull,
      PuNadmiar: NumberOrNull,
      Info: Texts,
      /** URL of the sheet. */
      CharacterSheet: TextOrNull,
      Condition: TextOrNull,
      SpecialItems: Texts,
      Reputation: t.type({ Positive: ReputationTier, Neutral: ReputationTier, Negative: ReputationTier }),
      AdditionalInfo: Texts,
      DescribedSessions: t.readonlyArray(
        t.type({ Date: TextOrNull, Title: t.string, Narrator: TextOrNull }, 'DescribedSession'),
      ),
      /** Path of the character file, null when there is none. */
      CharacterFile: TextOrNull,
      RefFile: TextOrNull,
      RefForm: t.union([t.keyof({ list: null, index: null }), t.null]),
      RefBroken: t.boolean,
      RefBrokenReason: TextOrNull,
      File: t.string,
      Line: t.number,
    }),
    t.partial({ RestrictedTopics: TextOrNull }),
  ],
  'Postac',
)
export type Postac = t.TypeOf<typeof Postac>

export const Postacie = listOf(Postac, 'Postacie')

/** Entries of `Dodatkowe informacje` as in the character file: the text that `match` must equal (A 4.6.8). */
export const CharacterInfo = t.type(
  { character: t.string, file: TextOrNull, count: t.number, items: Texts },
  'CharacterInfo',
)
export type CharacterInfo = t.TypeOf<typeof CharacterInfo>
