const { availableParallelism } = require('node:os')

/**
 * Of every run of mocha. The test commands add `--parallel`: a process for each processor. One more makes runs slower where
 * starting processes is slow, since they wait for each other.
 */
module.exports = {
  extension: ['ts'],
  'node-option': ['import=tsx', 'conditions=source'],
  require: ['./test/run/whole-run.ts'],
  jobs: Math.max(2, availableParallelism()),
  timeout: 180000,
  'forbid-only': true,
  'forbid-pending': false,
}
