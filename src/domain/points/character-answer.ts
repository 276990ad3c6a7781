import type { Day } from '#protocol/atoms.js'
import type { Postac } from '#protocol/lore/characters.js'
import type { View } from '#src/domain/callers/caller.js'
import { aliasesOn, type Entity, groupsOn, locationOn } from '#src/domain/entities/entity.js'
import { visibleEntity } from '#src/domain/entities/projection.js'
import { type Decimal, servedFiguresOn, sumOf } from '#src/domain/lore/figures.js'
import { valuesOn } from '#src/domain/lore/rows/deciding-order.js'
import { removeTopics } from '#src/domain/lore/topic-text.js'
import { fileFor } from '#src/domain/people/character-file.js'
import { type Character, stateOn } from '#src/domain/people/characters.js'
import type { CharacterFile, ReputationEntry } from '#src/domain/people/section-body.js'
import type { Batch, DatedBatch } from './batches.js'
import { type Credit, creditsOf, type SessionsByKey } from './credits.js'
import type { LocateCandidate } from './month-sessions.js'

/**
 * The answer about a Postać on a day: block, file and closed sessions together; restricted topics as the view
 * allows.
 */
export const characterAnswer = (
  character: Character,
  file: CharacterFile | null,
  day: Day,
  view: View,
): Postac => {
  const entity = view.mayReadRestricted ? character.entity : visibleEntity(character.entity)
  const { owner } = character
  return {
    Name: character.name,
    Type: 'Postać',
    Status: character.status,
    Owner: owner === null || view.mayReadRestricted ? owner : removeTopics(owner),
    Groups: groupsOn(entity, day),
    Location: locationOn(entity, day),
    Aliases: aliasesOn(entity, day),
    ...servedFiguresOn(entity.rows, day),
    Info: valuesOn(entity.rows, 'info', day),
    ...sheetOf(entity, file, day, view),
    RefFile: entity.ref?.file ?? null,
    RefForm: entity.ref?.form ?? null,
    RefBroken: entity.ref !== null && entity.ref.broken !== null,
    RefBrokenReason: entity.ref?.broken ?? null,
    File: entity.file,
    Line: entity.line,
  }
}

/** A dated batch. `granted` is the sum over `credits`; null when one of them is unknown. */
export interface PointsTimelineEntry {
  readonly date: string
  readonly month: string | null
  readonly source: Batch['source']
  readonly granted: Decimal | null
  readonly sessions: ReadonlyArray<string>
  readonly credits: ReadonlyArray<Credit>
}

/**
 * The batches, oldest first. With `only`, credits are those of these characters (headings), sessions those
 * that name one of them, and batches without such credits are left out.
 */
export const timelineOf = (
  history: ReadonlyArray<DatedBatch>,
  sessions: SessionsByKey,
  place: LocateCandidate,
  only: ReadonlySet<string> | null,
): ReadonlyArray<PointsTimelineEntry> =>
  history
    .flatMap((batch): ReadonlyArray<PointsTimelineEntry> => {
      const all = creditsOf(batch, sessions, place)
      const credits = only === null ? all : all.filter(credit => only.has(credit.character))
      if (only !== null && credits.length === 0) return []
      const named = new Set(credits.flatMap(credit => credit.sessions))
      const headers = only === null ? batch.sessions : batch.sessions.filter(header => named.has(header))
      const { month, source } = batch
      return [{ date: batch.day, month, source, granted: totalOf(credits), sessions: headers, credits }]
    })
    .sort(byDate)

const tier = (entries: ReadonlyArray<ReputationEntry>): Postac['Reputation']['Positive'] =>
  entries.map(({ location, detail }) => ({ Location: location, Detail: detail }))

type Sheet = Pick<
  Postac,
  | 'CharacterSheet'
  | 'RestrictedTopics'
  | 'Condition'
  | 'SpecialItems'
  | 'Reputation'
  | 'AdditionalInfo'
  | 'DescribedSessions'
  | 'CharacterFile'
>

const sheetOf = (entity: Entity, file: CharacterFile | null, day: Day, view: View): Sheet => {
  const state = stateOn(fileFor(view, file), entity.rows, day)
  const { positive, neutral, negative } = state.reputation
  return {
    CharacterSheet: state.sheet,
    ...(view.mayReadRestricted ? { RestrictedTopics: state.restrictedTopics } : {}),
    Condition: state.condition,
    SpecialItems: state.specialItems,
    Reputation: { Positive: tier(positive), Neutral: tier(neutral), Negative: tier(negative) },
    AdditionalInfo: state.additionalInfo,
    DescribedSessions: state.describedSessions.map(({ date, title, narrator }) => ({
      Date: date,
      Title: title,
      Narrator: narrator,
    })),
    CharacterFile: file?.path ?? null,
  }
}

const byDate = (left: { readonly date: string }, right: { readonly date: string }): number =>
  left.date < right.date ? -1 : left.date > right.date ? 1 : 0

const totalOf = (credits: ReadonlyArray<Credit>): Decimal | null => {
  const known = credits.flatMap(credit => (credit.granted === null ? [] : [credit.granted]))
  return known.length === credits.length && known.length > 0 ? sumOf(known) : null
}
