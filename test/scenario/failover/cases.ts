import { allAsk } from './all-ask.js'
import { backAgain } from './back-again.js'
import type { FailoverCase } from './case.js'
import { forge } from './forge.js'
import { stepDown } from './step-down.js'
import { vetoed } from './vetoed.js'

export const cases: ReadonlyArray<FailoverCase> = [stepDown, forge, allAsk, vetoed, backAgain]
