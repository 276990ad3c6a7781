import { instantOf } from '#protocol/atoms/instant.js'
import { type AdoptionContext, type AdoptionPlan, planAdoption } from '#src/domain/adoption/plan.js'
import { day } from '#test/support/world.js'
import { filesOf, type WorldTexts } from './legacy-world.js'
import { applyAdoption } from './lost-words.js'

export const adoptionDay = '2026-06-15'

const contextOn = (today: string, dryRun: boolean): AdoptionContext => ({
  now: instantOf(Date.parse(`${today}T10:00:00Z`)),
  today: day(today),
  dryRun,
  labels: { game: null },
  past: new Map(),
})

/** A dry run over texts, with the parity check. */
export const planOf = (texts: WorldTexts, today = adoptionDay): AdoptionPlan =>
  planAdoption(filesOf(texts), contextOn(today, true))

/** The repository that adoption makes from legacy texts. */
export const adoptTexts = (texts: WorldTexts): WorldTexts => applyAdoption(texts, planOf(texts).changes)
