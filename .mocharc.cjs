const { availableParallelism } = require('node:os')

/** Of every run of mocha. `npm test` adds `--parallel`: one process for each processor, two at least. */
module.exports = {
  extension: ['ts'],
  'node-option': ['import=tsx', 'conditions=source'],
  require: ['./test/run/whole-run.ts'],
  jobs: Math.max(2, availableParallelism()),
  timeout: 180000,
  'forbid-only': true,
  'forbid-pending': false,
}
