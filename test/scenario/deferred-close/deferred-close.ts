import { runCases } from '#test/scenario/world/run-cases.js'
import { deferredCases } from './cases.js'

/** `npm run scenario:deferred-close [-- --case NAME …]`: plays a built daemon that closes sessions by merge requests. */
await runCases('scenario:deferred-close', deferredCases)
