import type { ScenarioCase } from '#test/scenario/world/run-cases.js'
import { storm } from './storm.js'

export const cases: ReadonlyArray<ScenarioCase> = [storm]
