import { writeFileSync } from 'node:fs'
import { buildIdPath, contentId } from './build-id.js'

// The last step of `npm run build`: what a daemon then reads at its start instead of every file of the program.
writeFileSync(buildIdPath(), `${contentId(new URL('./', buildIdPath()))}\n`)
