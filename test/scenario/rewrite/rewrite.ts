import { runCases } from '#test/scenario/world/run-cases.js'
import { rewriteCases } from './cases.js'

/** `npm run scenario:rewrite [-- --case NAME …]`: plays three built daemons whose remote is rewritten. */
await runCases('scenario:rewrite', rewriteCases)
