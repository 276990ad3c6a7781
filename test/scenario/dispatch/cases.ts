import type { ScenarioCase } from '#test/scenario/world/run-cases.js'
import { early404 } from './early-404.js'
import { storm } from './storm.js'

export const cases: ReadonlyArray<ScenarioCase> = [storm, early404]
