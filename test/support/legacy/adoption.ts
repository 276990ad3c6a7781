import { instantOf } from '#protocol/atoms.js'
import { type AdoptionContext, type AdoptionPlan } from '#src/domain/adoption/plan.js'
import { planAdoption } from '#test/support/at-once.js'
import { day } from '#test/support/world.js'
import { filesOf, type WorldTexts } from './legacy-world.js'
import { applyAdoption } from './lost-words.js'

type AdoptedFiles = Parameters<typeof planAdoption>[0]

export const adoptionDay = '2026-06-15'

const contextOn = (today: string, dryRun: boolean): AdoptionContext => ({
  now: instantOf(Date.parse(`${today}T10:00:00Z`)),
  today: day(today),
  dryRun,
  labels: { game: null },
  past: new Map(),
})

/** A dry run over files, with the parity check. */
export const planFiles = (files: AdoptedFiles, today = adoptionDay): AdoptionPlan =>
  planAdoption(files, contextOn(today, true))

export const planOf = (texts: WorldTexts, today = adoptionDay): AdoptionPlan =>
  planFiles(filesOf(texts), today)

/** The repository that adoption makes from legacy texts. */
export const adoptTexts = (texts: WorldTexts): WorldTexts => applyAdoption(texts, planOf(texts).changes)
