import type { Day } from '#protocol/atoms.js'
import type { Postac } from '#protocol/characters.js'
import type { View } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { visibleEntity } from '#src/domain/entities/shown-rows.js'
import { aliasesOn, groupsOn, locationOn } from '#src/domain/entities/state.js'
import { servedFiguresOn } from '#src/domain/lore/figures.js'
import { valuesOn } from '#src/domain/lore/rows/on-day.js'
import { removeTopics } from '#src/domain/lore/topic-text.js'
import type { CharacterFile, ReputationEntry } from '#src/domain/people/characters/character-file.js'
import { stateOn } from '#src/domain/people/characters/character-state.js'
import type { Character } from '#src/domain/people/characters/characters.js'
import { fileFor } from '#src/domain/people/characters/shown-file.js'

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
