import { sources } from '#test/tidy/sources.js'
import { fastFilesOf } from './fast-files.js'
import { orderFiles } from './order-files.js'
import { checkTypes, runMocha } from './run-mocha.js'

/**
 * `npm test`, after the bundle is built: every test file, in an order that keeps the processors busy. The
 * types are checked beside the tests, which run the bundle and do not need tsc's result; the run fails where
 * either fails.
 */
const fast = new Set(fastFilesOf(sources))
const files = sources.map(({ path }) => path).filter(path => path.endsWith('.test.ts'))
const order = orderFiles(files, new Set(files.filter(path => !fast.has(path))))
const [types, tests] = await Promise.all([checkTypes(), runMocha(order)])
if (types !== 0)
  process.stderr.write('\n  The types are wrong: tsc names the lines above, among the first tests.\n')
process.exitCode = tests === 0 ? types : tests
