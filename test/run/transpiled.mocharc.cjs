/** Of the runs that `run-mocha.ts` starts: those of `.mocharc.cjs`, without the TypeScript loader. */
const {
  jobs,
  timeout,
  'forbid-only': forbidOnly,
  'forbid-pending': forbidPending,
} = require('../../.mocharc.cjs')

module.exports = {
  extension: ['js'],
  jobs,
  timeout,
  'forbid-only': forbidOnly,
  'forbid-pending': forbidPending,
}
