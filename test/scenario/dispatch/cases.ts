import type { ScenarioCase } from '#test/scenario/world/run-cases.js'
import { ciFirst } from './ci-first.js'
import { closeAndReport } from './close-and-report.js'
import { deadToken } from './dead-token.js'
import { early404 } from './early-404.js'
import { killed } from './killed.js'
import { lost202 } from './lost-202.js'
import { slowChat } from './slow-chat.js'
import { storm } from './storm.js'
import { replayAfterTakeover } from './takeover.js'

export const dispatchCases: ReadonlyArray<ScenarioCase> = [
  storm,
  early404,
  deadToken,
  lost202,
  slowChat,
  killed,
  replayAfterTakeover,
  ciFirst,
  closeAndReport,
]
