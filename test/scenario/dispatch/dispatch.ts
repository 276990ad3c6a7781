import { runCases } from '#test/scenario/world/run-cases.js'
import { dispatchCases } from './cases.js'

/**
 * `npm run scenario:dispatch [-- --case NAME …]`: plays interactions of the chat with the built daemon, a double of the
 * platform and one of the worker. `--help` says what each case shows, and what this build cannot show.
 */
await runCases('scenario:dispatch', dispatchCases)
