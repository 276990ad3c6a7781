const { availableParallelism } = require('node:os')

/**
 * Of every run of mocha. `npm test` adds `--parallel`: one process more than there are processors, since a test that
 * waits for a daemon or a timer leaves its processor to another.
 */
module.exports = {
  extension: ['ts'],
  'node-option': ['import=tsx', 'conditions=source'],
  require: ['./test/run/whole-run.ts'],
  jobs: availableParallelism() + 1,
  timeout: 180000,
  'forbid-only': true,
  'forbid-pending': false,
}
