import { sources } from '#test/tidy/sources.js'
import { fastFilesOf } from './fast-files.js'
import { orderFiles } from './order-files.js'
import { runMocha } from './run-mocha.js'

/** `npm test`, behind the build: every test file, in the order in which the processors are never idle. */
const fast = new Set(fastFilesOf(sources))
const files = sources.map(({ path }) => path).filter(path => path.endsWith('.test.ts'))
process.exitCode = runMocha(orderFiles(files, new Set(files.filter(path => !fast.has(path)))))
