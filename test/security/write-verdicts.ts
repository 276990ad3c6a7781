import { writeVerdicts } from './recheck-verdicts.js'

/** `npm run recheck`. */
await writeVerdicts()
process.exit(0)
