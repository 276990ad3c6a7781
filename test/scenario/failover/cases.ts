import { allAsk } from './all-ask.js'
import { backAgain } from './back-again.js'
import type { FailoverCase } from './case.js'
import { claimantDies } from './claimant-dies.js'
import { forge } from './forge.js'
import { kill } from './kill.js'
import { partition, partitionWithForge } from './partition.js'
import { pause } from './pause.js'
import { stepDown } from './step-down.js'
import { vetoed } from './vetoed.js'

export const cases: ReadonlyArray<FailoverCase> = [
  kill,
  partition,
  partitionWithForge,
  pause,
  stepDown,
  forge,
  allAsk,
  claimantDies,
  vetoed,
  backAgain,
]
