import { readFileSync, writeFileSync } from 'node:fs'
import { drawRooms } from './graph.js'
import { root, sources } from './sources.js'

/**
 * `npm run graph` draws the rooms and their arrows into docs/architecture.md; with `--check` it writes nothing and
 * fails where the document differs.
 */

const path = `${root}/docs/architecture.md`
const text = readFileSync(path, 'utf8')
const drawn = drawRooms(text, sources)
if (process.argv.includes('--check')) {
  if (drawn !== text) {
    process.stderr.write('docs/architecture.md does not draw what the files import; run npm run graph\n')
    process.exitCode = 1
  }
} else {
  writeFileSync(path, drawn)
  process.stdout.write(`docs/architecture.md ${drawn === text ? 'is as the imports are' : 'written'}\n`)
}
