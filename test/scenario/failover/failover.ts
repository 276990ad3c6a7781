import { runCases } from '#test/scenario/world/run-cases.js'
import { playCase } from './case.js'
import { cases } from './cases.js'

/** `npm run scenario:failover [-- --case NAME …]`: plays the cases of a failover with three built daemons. */
await runCases(
  'scenario:failover',
  cases.map(one => ({
    name: one.name,
    about: one.about,
    play: (story, print) => playCase(one, story, print),
  })),
)
