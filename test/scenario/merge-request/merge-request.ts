import { runCases } from '#test/scenario/world/run-cases.js'
import { requestCases } from './cases.js'

/** `npm run scenario:merge-request [-- --case NAME …]`: plays a built daemon that publishes by merge requests. */
await runCases('scenario:merge-request', requestCases)
