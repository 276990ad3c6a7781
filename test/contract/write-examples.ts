import { writeFileSync } from 'node:fs'
import { askExamples } from './ask-examples.js'

/** `npm run examples` writes the answers that the reference shows; run `npm run docs` after it. */
const file = new URL('../../protocol/answer-examples.json', import.meta.url)

const answers = await askExamples()
const rows = Object.entries(answers).map(([id, shown]) => {
  const lines = shown.map(answer => `    ${JSON.stringify(answer)}`)
  return `  ${JSON.stringify(id)}: [\n${lines.join(',\n')}\n  ]`
})
writeFileSync(file, `{\n${rows.join(',\n')}\n}\n`)
process.stdout.write(`answers of ${Object.keys(answers).length} rows written\n`)
process.exit(0)
